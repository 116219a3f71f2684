import SluiceDiagnostics
import SluicePipelineFiles
import Testing

/// No diagnostic shows what may be a credential: neither with the line that it is about nor in its words.
@Suite struct CredentialLineTests {
    static let secret = "hunter2secret"

    /// A part of a pipeline that is wrong, with the secret in it.
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var text: String

        static func top(_ text: String) -> Case { Case(testDescription: text, text: PipelineText.make(top: text)) }
        static func source(_ text: String) -> Case {
            Case(testDescription: text, text: PipelineText.make(source: text))
        }
        static func stream(_ text: String) -> Case {
            Case(testDescription: text, text: PipelineText.make(stream: text))
        }
        static func base(_ text: String) -> Case {
            Case(
                testDescription: text,
                text: PipelineText.make().replacing("base_url: https://api.example.com", with: "base_url: \(text)"))
        }
    }

    static let cases: [Case] = [
        // A store that is not valid may be a password without its URL.
        .top("store: 'postgres:\(secret)'"), .top("store: \(secret)"), .top("store: ['postgres://u:\(secret)@h/db']"),
        .top("store: {url: 'postgres://u:\(secret)@h/db'}"), .top("store: \"postgres://u:\(secret)@h/db"),
        .top("store: >\n  postgres:\n  \(secret)\n"), .top("stor: 'postgres:\(secret)'"),
        .top("store: 'postgres:\(secret)'\nstore: 'postgres:\(secret)'"), .top("store: 'postgres:\(secret)' ]"),
        .top("store: postgres:\(secret)\n\tx: 1"), .top("store: 'postgres://u:100%\(secret)@h/db'"),
        .top("store: '\(secret)@h.db'"), .top("store: 'password=\(secret).db'"), .top("primarykeys: \(secret)"),
        .top("store: 'postgres://u:\(secret)'"), .top("store: 'postgres://h/db?\(secret)'"),
        // URLs of the source and of a proxy.
        .base("'https://u:\(secret)@h/x'"), .base("'u:\(secret)@h'"), .base("'https://h/?x=\(secret)'"),
        .base("['https://u:\(secret)@h']"), .base("\"https://u:\(secret)@h"),
        .source("base_ur: 'https://u:\(secret)@h'"), .source("proxy: 'http://u:\(secret)@h:xx'"),
        .source("proxy: 'u:\(secret)@h'"), .source("proxy: ['http://u:\(secret)@h']"),
        // Headers, parameters and bodies.
        .source("headers: 'Authorization: Bearer \(secret)'"), .source("headers: ['Authorization: Bearer \(secret)']"),
        .source("headers: {Authorization: \"Bearer \(secret)\\n\"}"),
        .source("headers: {Authorization: 'Bearer \(secret) {{ x }}'}"),
        .source("headers: {Authorization: 'Bearer \(secret) ${env}'}"),
        .source("headers: {Authorization: 'a \(secret)', Authorization: 'b \(secret)'}"),
        .source("headers: {'X Key': '\(secret)'}"), .source("headers: {Authorization: ['\(secret)']}"),
        .source("headers: {Authorization: {Bearer: '\(secret)'}}"),
        .source("headers: {Authorization: \"Bearer \(secret)"), .source("headers: {Authorization: Bearer: \(secret)}"),
        .source("headers:\n    X-Key:\n      - \(secret)\n     bad: ["), .source("heders: {X: '\(secret)'}"),
        .source("headers: {X: '${env:T:-\(secret)} {{ y'}"), .source("headers: {X: '${env:T:-\(secret)'}"),
        .source("params: {api_key: '\(secret) {{ x }}'}"), .source("params: 'api_key=\(secret)'"),
        .source("params: ['api_key=\(secret)']"), .stream("params: {k: '\(secret) {{ x }}'}"),
        .stream("path: '/x?k=\(secret)&y={{ q }}'"), .stream("path: 'https://u:\(secret)@h x'"),
        .stream("method: POST\n    body: {json: {pin: '\(secret) {{ x }}'}}"),
        .stream("method: POST\n    body: {form: {pin: '\(secret) {{ x }}'}}"),
        .stream("method: POST\n    body: {text: 'pin=\(secret) {{ x }}'}"), .stream("body: 'pin=\(secret)'"),
        .stream("delete_missing: {mode: hard, confirm: {path: '/x?token=\(secret){{ z'}}"),
        // What begins like an anchor, an alias or a tag, or lacks a blank.
        .source("auth: {type: bearer, token: *\(secret)}"), .source("auth: {type: bearer, token: !\(secret) x}"),
        .source("auth: {type: bearer, token: &\(secret), x}"), .source("auth: {type: bearer, token:\(secret)}"),
        .source("auth:\n    type: bearer\n    token: a: \(secret)"),
        .source("auth:\n    type: bearer\n    token: @\(secret)"),
        .source("auth:\n    type: bearer\n    token: >-\n      \(secret)\n     bad: ["),
        .source("auth:\n    type: session\n    login:\n      body:\n        json:\n          pin: \"\(secret)\n"),
        // Under keys that nobody knows, and in what follows the mistake.
        .source("token: \(secret)"), .top("password: \(secret)"), .top("hooks: {on_failure: ['https://h/\(secret)']}"),
        .source("colour: red # token: \(secret)"), .top("descripton: 'see https://u:\(secret)@h'"),
        .top("vars: {token: '\(secret) ${x}'}"), .top("vars: {token: ['\(secret)']}"),
        // Notices.
        .top("notify: 'https://h/\(secret)'"), .top("notify: ['https://h/\(secret)']"),
        .top("notify: {webhook: 'https://h/\(secret)'}"),
        .top("notify: [{on: [failed], webhok: 'https://h/\(secret)'}]"),
        .top("notify:\n  - on: [failed]\n    webhook: \"https://h/\(secret)"),
        .top("notify: [{on: [failed], command: [curl, '-H', 'X: \(secret)', [2]]}]"),
        .top("notify: [{on: [failed], command: 'curl https://h/\(secret)'}]"),
    ]

    @Test(arguments: cases)
    func credentialIsNotShown(test: Case) {
        let (_, problems) = PipelineText.load(test.text)
        let output = Fixtures.render(problems) + problems.map { "\($0.fields)" }.joined()
        #expect(!problems.isEmpty)
        #expect(!output.contains(Self.secret), "\(output)")
    }

    /// What is no credential helps to find the mistake, and is shown.
    @Test(arguments: [
        (PipelineText.make(stream: "params: {since: '{{ cursr.start }}'}"), "    params: {since: '{{ cursr.start }}'}"),
        (PipelineText.make(stream: "path: '/a/{{ x }}'"), "    path: '/a/{{ x }}'"),
        (PipelineText.make(source: "headers: {Accept: \"a\\nb\"}"), "  headers: {Accept: \"a\\nb\"}"),
        (PipelineText.make(source: "headers: {X: 'a {{ y }}'}"), "  headers: {X: '***{{ y }}'}"),
        (PipelineText.make(top: "store: 'sqlite:file:x.db'"), "store: 'sqlite:file:x.db'"),
        (PipelineText.make(top: "store: ./shop.sqlite3"), "store: ./shop.sqlite3"),
        (PipelineText.make(entity: "Primary-Key: [id]"), "    Primary-Key: [id]"),
        (PipelineText.make(stream: "incremental: {Token-Param: sync}"), "    incremental: {Token-Param: sync}"),
        (PipelineText.make(field: "title: {typ: string}"), "      title: {typ: string}"),
        (PipelineText.make(source: "time_out: {idle: 5s}"), "  time_out: {idle: 5s}"),
        (PipelineText.make(source: "zzzz: 1 # why not"), "  zzzz: 1 # why not"),
        (PipelineText.make(top: "vars: {owner: 'a ${x}'}"), "vars: {owner: 'a ${x}'}"),
    ])
    func otherValuesAreShown(text: String, line: String) throws {
        let (_, problems) = PipelineText.load(text)
        let snippet = try #require(problems.first?.snippet)
        #expect(snippet.line == line)
    }

    @Test func caretStandsUnderWhatIsWrongBehindAMask() throws {
        let (_, problems) = PipelineText.load(PipelineText.make(source: "headers: {X: 'abcdef', Y: 'a {{ y }}'}"))
        let snippet = try #require(problems.first?.snippet)
        #expect(snippet.line == "  headers: {X: ***, Y: '***{{ y }}'}")
        #expect(snippet.line.dropFirst(snippet.caretColumn - 1).hasPrefix("{{ y"))
    }

    /// The page shows the file: what a parameter's name does not give away stays.
    @Test func pageShowsParametersByTheirNames() {
        let text = PipelineText.make(
            source: "auth: {type: bearer, token: '${var:t}'}\n  headers: {Accept: text/json, X-Custom: abc}",
            stream: "params: {state: all, api_key: abc, url: 'https://u:p@h'} # once api_key=abc",
            top: "vars: {owner: apple, t: abc}")
        let lines = ShownFile(bytes: Array(text.utf8), file: "x.yaml").lines
        #expect(lines.contains("vars: {owner: apple, t: ***}"))
        #expect(lines.contains("  headers: {Accept: text/json, X-Custom: ***}"))
        #expect(lines.contains("    params: {state: all, api_key: ***, url: ***} # once api_key= ***"))
    }
}
