import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

/// What `spread` divides between workers, and where it cannot.
@Suite struct SpreadTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let codes: [DiagnosticCode]
        let words: String
    }

    private static let items = "path: \"/{{ item }}\"\n    for_each: [a, b]\n    spread: true"

    static let cases = [
        Case(testDescription: "a list", text: PipelineText.make(stream: items), codes: [], words: ""),
        Case(
            testDescription: "pages that are kept one by one",
            text: PipelineText.make(stream: items, top: "commit: page"),
            codes: [], words: ""),
        Case(
            testDescription: "a store on PostgreSQL",
            text: PipelineText.make(stream: items, top: "store: postgres://db.example/shop"), codes: [], words: ""),
        Case(
            testDescription: "neither list nor parent", text: PipelineText.make(stream: "spread: true"),
            codes: ["conflicting_keys"], words: "`books` has neither"),
        Case(
            testDescription: "files",
            text: PipelineText.make(stream: items).replacing("https://api.example.com", with: "file:data"),
            codes: ["conflicting_keys"], words: "a `file:` source makes none"),
        Case(
            testDescription: "values that the store is not to have",
            text: PipelineText.make(field: "mail: {type: string, redact: hash}", stream: items),
            codes: ["conflicting_keys"], words: "`redact` keeps out of it"),
        Case(
            testDescription: "a store on SQLite", text: PipelineText.make(stream: items, top: "store: sqlite:shop.db"),
            codes: ["unused_spread"], words: "SQLite, which has one worker"),
    ]

    @Test(arguments: cases)
    func spread(test: Case) {
        let (definition, problems) = PipelineText.load(test.text)
        #expect(problems.map(\.code) == test.codes, "\(problems)")
        #expect(problems.allSatisfy { $0.detail.contains(test.words) }, "\(problems)")
        let isRefused = problems.contains { $0.severity == .error }
        #expect((definition == nil) == isRefused)
        if let definition { #expect(definition.streams[0].isSpread) }
    }

    /// Who reads makes no difference to what is read: nothing has to be read anew for it.
    @Test func whoReadsIsNoPartOfWhatIsRead() throws {
        let with = try #require(PipelineText.load(PipelineText.make(stream: Self.items)).0?.streams.first)
        let text = Self.items.replacing("    spread: true", with: "")
        let without = try #require(PipelineText.load(PipelineText.make(stream: text)).0?.streams.first)
        #expect(with.isSpread && !without.isSpread)
        #expect(with.requestFingerprint == without.requestFingerprint)
        #expect(with.contentFingerprint == without.contentFingerprint)
        #expect(with.mappingFingerprint == without.mappingFingerprint)
    }

    struct Variable: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var source = ""
        var stream = ""
        let values: [String]
    }

    static let variables = [
        Variable(testDescription: "none", stream: "params: {tenant: north}", values: []),
        Variable(testDescription: "a parameter", stream: "params: {tenant: \"t-${env:A}\"}", values: ["t-one"]),
        Variable(
            testDescription: "a parameter of all streams", source: "params: {tenant: \"${env:A}\"}", values: ["one"]),
        Variable(
            testDescription: "a header and a parameter", source: "headers: {X-Tenant: \"${env:A}\"}",
            stream: "params: {x: \"${env:B}\"}", values: ["one", "two"]),
        Variable(
            testDescription: "a body", stream: "method: POST\n    body: {json: {tenants: [\"${env:A}\"]}}",
            values: ["one"]),
        Variable(
            testDescription: "credentials in headers", source: "headers: {Authorization: \"Bearer ${env:A}\"}",
            stream: "headers: {X-Api-Key: \"${env:B}\"}", values: []),
        Variable(
            testDescription: "credentials in parameters",
            stream: "params: {api_key: \"${env:A}\", accessToken: \"${env:A}\", pin: \"${env:A}\"}", values: []),
        Variable(
            testDescription: "parameters that are named alike",
            stream: "params: {project_key: \"${env:A}\", author: \"${env:B}\", token_type: \"${env:B}\"}",
            values: ["one", "two", "two"]),
        Variable(
            testDescription: "credentials in a body",
            stream: "method: POST\n    body: {json: {user: {name: \"${env:B}\", password: \"${env:A}\"}}}",
            values: ["two"]),
        Variable(
            testDescription: "the login", source: "auth: {type: bearer, token: \"${env:A}\"}", values: []),
    ]

    /// What variables say of requests is known beside the hash, which has it not; who asks is no part of it.
    @Test(arguments: variables)
    func variablesOfRequests(test: Variable) throws {
        func stream(_ first: String) throws -> StreamDefinition {
            let text = PipelineText.make(source: test.source, stream: "\(Self.items)\n    \(test.stream)")
            let (definition, problems) = PipelineText.load(text, environment: ["A": first, "B": "two"])
            return try #require(definition?.streams.first, "\(problems)")
        }
        let made = try stream("one")
        #expect(made.requestValues.map(\.revealed) == test.values)
        #expect(!"\(made.requestValues)".contains("one"))
        #expect(try made.requestFingerprint == stream("other").requestFingerprint)
    }
}
