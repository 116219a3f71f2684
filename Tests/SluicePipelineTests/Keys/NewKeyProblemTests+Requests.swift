import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

/// What requests are made of, and how they log in.
extension NewKeyProblemTests {
    static let requests = [
        Case(
            testDescription: "two bodies", text: PipelineText.make(stream: "body: {json: {a: 1}, text: b}"),
            code: "conflicting_keys", words: "`json` and `text` at once"),
        Case(
            testDescription: "a body of nothing", text: PipelineText.make(stream: "body: {}"), code: "missing_key",
            words: "`body` needs `json`, `form` or `text`"),
        Case(
            testDescription: "a body of GET", text: PipelineText.make(stream: "method: GET\n    body: {text: a}"),
            code: "conflicting_keys", words: "`GET` request sends no `body`"),
        Case(
            testDescription: "an unknown method", text: PipelineText.make(stream: "method: FETCH"),
            code: "invalid_value", words: "`streams[0].method` must be"),
        Case(
            testDescription: "a page within no body",
            text: PipelineText.make(stream: "paginator: {type: offset, in: body}"), code: "conflicting_keys",
            words: "`paginator.in: body` needs a `body`"),
        Case(
            testDescription: "a page within a text",
            text: PipelineText.make(stream: "body: {text: a}\n    paginator: {type: offset, in: body}"),
            code: "conflicting_keys", words: "`paginator.in: body` needs a `body`"),
        Case(
            testDescription: "several cursors",
            text: PipelineText.make(stream: "paginator: {type: cursor, cursor_path: 'a[*]', cursor_param: c}"),
            code: "conflicting_keys", words: "must lead to one value"),
        Case(
            testDescription: "a cursor of no path",
            text: PipelineText.make(stream: "paginator: {type: cursor, cursor_path: 'a[', cursor_param: c}"),
            code: "invalid_value", words: "`paginator.cursor_path` is not valid"),
        Case(
            testDescription: "a cursor in a header of no name",
            text: PipelineText.make(
                stream: "paginator: {type: cursor, cursor_path: n, cursor_param: 'a b', in: header}"),
            code: "invalid_value", words: "`paginator.cursor_param` is not valid"),
        Case(
            testDescription: "a cursor from a header of no name",
            text: PipelineText.make(
                stream: "paginator: {type: cursor, cursor_from: header, cursor_path: 'a b', cursor_param: c}"),
            code: "invalid_value", words: "`paginator.cursor_path` is not valid"),
        Case(
            testDescription: "a program of no sense",
            text: PipelineText.make(stream: "paginator: {type: offset, stop_when: '.a |'}"),
            code: "invalid_value", words: "stop_when"),
        Case(
            testDescription: "a link within lines",
            text: PipelineText.make(stream: "format: jsonl\n    paginator: {type: json_link, path: next}"),
            code: "conflicting_keys", words: "a `jsonl` page has one on each line"),
        Case(
            testDescription: "a cursor within lines",
            text: PipelineText.make(
                stream: "format: jsonl\n    paginator: {type: cursor, cursor_path: next, cursor_param: c}"),
            code: "conflicting_keys", words: "a `jsonl` page has one on each line"),
    ]

    private static func oauth(_ more: String) -> String {
        PipelineText.make(source: "auth: {type: oauth2, token_url: https://h/t, client_id: a, \(more)}")
    }

    private static func session(_ more: String) -> String {
        PipelineText.make(source: "auth: {type: session, login: {path: /in}, \(more)}")
    }

    static let logins = [
        Case(
            testDescription: "a client without a secret", text: oauth("flow: client_credentials"),
            code: "missing_key", words: "needs the key `client_secret`"),
        Case(
            testDescription: "a refresh without a token", text: oauth("flow: refresh_token, client_secret: s"),
            code: "missing_key", words: "needs the key `refresh_token`"),
        Case(
            testDescription: "a token that nothing uses",
            text: oauth("flow: client_credentials, client_secret: s, refresh_token: r"), code: "conflicting_keys",
            words: "uses no `refresh_token`"),
        Case(
            testDescription: "an unknown flow", text: oauth("flow: password"), code: "invalid_value",
            words: "`source.auth.flow` must be"),
        Case(
            testDescription: "a parameter that is sent already",
            text: oauth("flow: client_credentials, client_secret: s, params: {scope: a}"), code: "conflicting_keys",
            words: "cannot set `scope`"),
        Case(
            testDescription: "a token of several places", text: session("token_path: 'a[*]'"),
            code: "conflicting_keys", words: "must lead to one value"),
        Case(
            testDescription: "a header without the token",
            text: session("token_path: t, header: {Authorization: Bearer}"), code: "invalid_value",
            words: "`{{ token }}` must stand in it once"),
        Case(
            testDescription: "two headers",
            text: session("token_path: t, header: {A: '{{ token }}', B: '{{ token }}'}"), code: "conflicting_keys",
            words: "names one header"),
        Case(
            testDescription: "a login without a path",
            text: PipelineText.make(source: "auth: {type: session, login: {}, token_path: t}"), code: "missing_key",
            words: "needs the key `path`"),
        Case(
            testDescription: "a cursor in the path of a login", text: login("{path: '/in/{{ cursor.start }}'}"),
            code: "conflicting_keys", words: "`auth.login` has no cursor"),
        Case(
            testDescription: "a cursor in the body of a login",
            text: login("{path: /in, body: {json: {a: ['{{ cursor.end | unix }}']}}}"), code: "conflicting_keys",
            words: "`auth.login` has no cursor"),
    ]

    private static func login(_ login: String) -> String {
        PipelineText.make(source: "auth: {type: session, login: \(login), token_path: t}")
    }

    @Test func aCursorInALoginIsShownWhereItStands() {
        let (definition, problems) = PipelineText.load(Self.login("{path: '/in/{{ cursor.start }}'}"))
        #expect(definition == nil)
        #expect(problems.map(\.location?.position) == [.init(line: 6, column: 44)])
        #expect(problems.first?.help?.contains("requests of the streams") == true)
    }

    @Test func aLoginIsNotSentTheCursorsOfTheSource() {
        let source = "headers: {A: '{{ cursor.start }}', B: b}\n  params: {c: '{{ cursor.start }}', d: d}\n  "
        let text = PipelineText.make(
            source: source + "auth: {type: session, login: {path: /in, body: {text: a}}, token_path: t}",
            field: "at: datetime", stream: "incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z}")
        let (definition, problems) = PipelineText.load(text)
        #expect(Fixtures.render(problems) == "")
        guard case .session(let login) = definition?.source.authentication else {
            Issue.record("no session")
            return
        }
        #expect(login.headers.map(\.name) == ["B"])
        #expect(login.parameters.map(\.name) == ["d"])
    }

    static let templates = [
        Case(
            testDescription: "an unknown variable of a parameter",
            text: PipelineText.make(stream: "params: {a: 'x {{ run.startedat }}'}"), code: "invalid_value",
            words: "`streams[0].params.a` is not valid. This variable is not known here. Did you mean"),
        Case(
            testDescription: "an unknown variable of the path",
            text: PipelineText.make(stream: "path: '/a/{{ cursor }}'"), code: "invalid_value",
            words: "`streams[0].path` is not valid. This variable"),
        Case(
            testDescription: "an unknown variable of a header",
            text: PipelineText.make(source: "headers: {a: '{{ env.A }}'}"), code: "invalid_value",
            words: "`source.headers.a` is not valid. This variable"),
        Case(
            testDescription: "an unknown variable of a JSON body",
            text: PipelineText.make(stream: "body: {json: {a: [b, '{{ nothing }}']}}"), code: "invalid_value",
            words: "`streams[0].body.json.a[1]` is not valid. This variable"),
        Case(
            testDescription: "an unknown variable of a form",
            text: PipelineText.make(stream: "body: {form: {a: '{{ nothing }}'}}"), code: "invalid_value",
            words: "`streams[0].body.form.a` is not valid. This variable"),
        Case(
            testDescription: "an unknown variable of a text",
            text: PipelineText.make(stream: "body: {text: '{{ nothing }}'}"), code: "invalid_value",
            words: "`streams[0].body.text` is not valid. This variable"),
        Case(
            testDescription: "an unknown filter",
            text: PipelineText.make(stream: "params: {a: '{{ run.started_at | iso }}'}"), code: "invalid_value",
            words: "This filter is not known here"),
        Case(
            testDescription: "an open brace", text: PipelineText.make(stream: "params: {a: '{{ run.started_at'}"),
            code: "invalid_value", words: "`{{` is not closed"),
    ]

    @Test func anUnknownVariableIsShownInItsPlace() throws {
        let text = PipelineText.make(stream: "params: {a: 'x {{ nothing }}'}")
        let problem = try #require(PipelineText.load(text, keys: .all).1.first)
        let line = try #require(
            text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("nothing") })
        #expect(problem.location?.position?.line == line + 1)
        #expect(problem.location?.position?.column == 20)
    }

    static let responses = [
        Case(
            testDescription: "an interval of nothing", text: PipelineText.make(source: "rate_limit: {interval: 1s}"),
            code: "conflicting_keys", words: "`rate_limit.interval` needs `limit`"),
        Case(
            testDescription: "what remains until when",
            text: PipelineText.make(source: "rate_limit: {remaining_header: X-Left}"), code: "conflicting_keys",
            words: "`rate_limit.remaining_header` needs `reset_header`"),
        Case(
            testDescription: "a header of no name",
            text: PipelineText.make(source: "rate_limit: {remaining_header: 'a b', reset_header: c}"),
            code: "invalid_value", words: "`source.rate_limit.remaining_header` is not valid"),
        Case(
            testDescription: "a rule for everything", text: PipelineText.make(source: "on_response: [{action: stop}]"),
            code: "missing_key", words: "needs `status` or `when`"),
        Case(
            testDescription: "a rule for nothing", text: PipelineText.make(source: "on_response: [{status: 404}]"),
            code: "missing_key", words: "needs the key `action`"),
        Case(
            testDescription: "an unknown action",
            text: PipelineText.make(source: "on_response: [{status: 404, action: skip}]"), code: "invalid_value",
            words: "`source.on_response[0].action` must be"),
        Case(
            testDescription: "an unknown status",
            text: PipelineText.make(source: "on_response: [{status: [404, 6xx], action: fail}]"),
            code: "invalid_value", words: "`source.on_response[0].status[1]` must be"),
        Case(
            testDescription: "a condition of no sense",
            text: PipelineText.make(source: "on_response: [{when: '.a |', action: fail}]"), code: "invalid_value",
            words: "`source.on_response[0].when` is not valid"),
        Case(
            testDescription: "a new token of nobody",
            text: PipelineText.make(
                source: "auth: {type: bearer, token: a}\n  on_response: [{status: 403, action: refresh_auth}]"),
            code: "conflicting_keys", words: "`refresh_auth` needs an `auth`"),
    ]
}
