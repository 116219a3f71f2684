import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct ExpansionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        var expected: String
    }

    static let texts = [
        Case(testDescription: "plain", text: "a", expected: "a"),
        Case(testDescription: "lone dollar", text: "a$b", expected: "a$b"),
        Case(testDescription: "path", text: "$[*]", expected: "$[*]"),
        Case(testDescription: "doubled dollar", text: "a$$b", expected: "a$b"),
        Case(testDescription: "escaped brace", text: "$${env:A}", expected: "${env:A}"),
        Case(testDescription: "three dollars", text: "$$${env:A}", expected: "$***"),
        Case(testDescription: "variable", text: "x-${var:v}-y", expected: "x-V-y"),
        Case(testDescription: "environment", text: "x-${env:A}", expected: "x-***"),
        Case(testDescription: "empty environment", text: "x-${env:EMPTY}", expected: "x-***"),
        Case(testDescription: "default", text: "x-${env:NONE:-d}", expected: "x-***"),
        Case(testDescription: "two", text: "${var:v}${var:v}", expected: "VV"),
    ]

    @Test(arguments: texts)
    func textIsFilledIn(of test: Case) throws {
        let text = PipelineText.make(stream: "params: {x: '\(test.text)'}", top: "vars: {v: V}")
        let (definition, problems) = PipelineText.load(text, environment: ["A": "secret", "EMPTY": ""])
        #expect(Fixtures.render(problems) == "")
        let value = try #require(definition?.streams.first?.parameters.first?.value)
        #expect(value.description == test.expected)
    }

    @Test func revealedTextHoldsTheSecret() throws {
        let text = PipelineText.make(stream: "params: {x: 'a-${env:A}-${env:NONE:-d}-${env:EMPTY:-e}'}")
        let (definition, _) = PipelineText.load(text, environment: ["A": "secret", "EMPTY": ""])
        #expect(definition?.streams.first?.parameters.first?.value.revealed == "a-secret-d-e")
    }

    @Test func theFingerprintTellsNothingOfASecret() {
        func fingerprint(_ text: String, secret: String) -> String? {
            PipelineText.load(PipelineText.make(stream: "params: {x: '\(text)'}"), environment: ["A": secret]).0?
                .fingerprint
        }
        #expect(fingerprint("a${env:A}", secret: "one") == fingerprint("a${env:A}", secret: "two"))
        #expect(fingerprint("a${env:A}", secret: "one") != fingerprint("b${env:A}", secret: "one"))
    }

    @Test func aRunOnARecordingTellsNobodyAndNeedsNoSecretsForIt() {
        let text = PipelineText.make(top: "notify: [{on: [failed], webhook: '${env:NONE}'}]")
        let (run, problems) = PipelineText.load(text)
        #expect(run == nil && problems.map(\.code) == ["unset_environment"])
        let (replay, none) = PipelineText.load(text, mode: .replay)
        #expect(replay?.notifications.isEmpty == true && none.isEmpty)
    }

    @Test func whoIsToldMakesNoOtherDefinition() {
        let plain = PipelineText.load(PipelineText.make()).0?.fingerprint
        let notify = PipelineText.make(top: "notify: [{on: [failed], command: [page-me]}]")
        #expect(plain != nil && PipelineText.load(notify).0?.fingerprint == plain)
    }

    @Test func plainScalarsAreTypedAgainAndQuotedOnesAreText() {
        let plain = PipelineText.make(source: "max_response: ${var:n}", top: "vars: {n: 5}")
        #expect(PipelineText.load(plain).0?.source.maximumResponseBytes == 5)
        let number = PipelineText.make(source: "retry:\n    max_attempts: ${var:n}", top: "vars: {n: '5'}")
        #expect(PipelineText.load(number).0?.source.retry.maximumAttempts == 5)
        let quoted = PipelineText.make(source: "retry:\n    max_attempts: '${var:n}'", top: "vars: {n: 5}")
        #expect(PipelineText.load(quoted).1.map(\.code) == ["wrong_type"])
    }

    @Test func variablesAreOverridden() throws {
        let text = PipelineText.make(stream: "path: /${var:a}/${var:b}", top: "vars: {a: '${env:NONE}', b: two}")
        let (definition, problems) = PipelineText.load(text, variables: ["a": "one $${x}"])
        #expect(Fixtures.render(problems) == "")
        #expect(definition?.streams.first?.path?.description == "/one $${x}/two")
    }

    @Test func overrideOfNothingNamesTheNearest() {
        let text = PipelineText.make(top: "vars: {owner: apple}")
        let (definition, problems) = PipelineText.load(text, variables: ["ownr": "x"])
        #expect(definition == nil)
        #expect(problems.map(\.code) == ["unknown_variable"])
        #expect(problems.first?.suggestion == "owner")
        #expect(problems.first?.location?.description == "books.yaml:3:1")
    }

    @Test func unsetEnvironmentWarnsInValidateAndFailsInRun() {
        let text = PipelineText.make(
            source:
                "max_response: ${env:SIZE}\n  timeout:\n    idle: ${env:IDLE}\n  auth: {type: bearer, token: '${env:T}'}"
        )
        let (definition, warnings) = PipelineText.load(text, mode: .validate)
        #expect(definition != nil)
        #expect(warnings.map(\.code) == ["unset_environment", "unset_environment", "unset_environment"])
        #expect(warnings.allSatisfy { $0.severity == .warning })
        let (none, errors) = PipelineText.load(text, mode: .run)
        #expect(none == nil)
        #expect(errors.map(\.severity) == [.error, .error, .error])
    }

    @Test func secretsReachNoDiagnostic() {
        let secret = "hunter2"
        let places = [
            PipelineText.make(source: "max_response: ${env:S}"),
            PipelineText.make(source: "timeout:\n    idle: x${env:S}"),
            PipelineText.make(source: "retry:\n    backoff: ${env:S}"),
            PipelineText.make(field: "title: {type: '${env:S}'}"),
            PipelineText.make(field: "title: {from: '${env:S}'}"),
            PipelineText.make(field: "title: {default: '${env:S}'}"),
            PipelineText.make(field: "title: {map: {a: '${env:S}'}}"),
            PipelineText.make(stream: "records: '${env:S}'"),
            PipelineText.make(stream: "path: 'https://${env:S}'"),
            PipelineText.make(stream: "params: {x: \"${env:S}\\n\"}"),
            PipelineText.make(stream: "delete_missing: ${env:S}"),
            PipelineText.make(top: "vars: {v: '${env:S}'}\ndescription: ${var:v}"),
            PipelineText.make(top: "store: ${env:S}"),
            PipelineText.make(source: "auth: {type: x, token: \(secret)}"),
            PipelineText.make(source: "auth:\n    type: bearer\n    tokn: \(secret)"),
            PipelineText.make(source: "auth:\n    type: bearer\n    token: [\(secret), \(secret)]"),
            PipelineText.make(source: "auth:\n    type: bearer\n    token: \"\(secret)\n      \(secret)"),
            PipelineText.make(source: "auth: {type: bearer, token: \(secret), }}"),
        ]
        for text in places {
            let (_, problems) = PipelineText.load(text, environment: ["S": secret])
            let output = Fixtures.render(problems) + problems.map { "\($0.fields)" }.joined()
            #expect(!problems.isEmpty, "\(text)")
            #expect(!output.contains(secret), "\(output)")
        }
    }

    /// A header that carries credentials is as secret as `auth`, wherever its value comes from.
    @Test(arguments: [
        ("Authorization: 'Bearer abc'", "Bearer ***"), ("authorization: 'Basic ${env:S}'", "Basic ***"),
        ("Authorization: abc", "***"), ("Cookie: 'sid=abc; a={{ run.started_at }}'", "***"),
        ("X-Api-Key: abc", "***"),
        ("X-Token-Type: abc", "abc"), ("Accept: text/json", "text/json"), ("Prefer: 'Bearer abc'", "Bearer abc"),
    ])
    func headerWithCredentialsIsSecret(header: String, shown: String) throws {
        for text in [
            PipelineText.make(stream: "headers: {\(header)}"),
            PipelineText.make(source: "headers: {\(header)}"),
        ] {
            let (definition, problems) = PipelineText.load(text, environment: ["S": "abc"])
            let value = try #require(definition?.streams.first?.headers.first?.value, "\(problems)")
            #expect(value.description.hasPrefix(shown))
            #expect(value.description.contains("abc") == shown.contains("abc"))
            #expect(value.revealed.contains("abc") || value.revealed == "text/json")
        }
    }

    @Test func storeFromTheEnvironmentIsSecret() {
        let text = PipelineText.make(top: "store: sqlite:${env:S}")
        let (definition, _) = PipelineText.load(text, environment: ["S": "/data/x.db"])
        #expect(definition?.store == "sqlite:/data/x.db")
        #expect(definition?.storeIsSecret == true)
    }
}
