import Foundation
import Synchronization
import TestSupport
import Testing

/// What `sluice probe` makes of less clear sources, and that it says how sure it is.
@Suite struct ProbeJudgementTests {
    private static func probe(
        _ target: String = "/things", _ arguments: String...,
        respond: @escaping @Sendable (ServerRequest) -> ServerResponse
    ) throws -> (report: ProbeTests.Report, requests: [ServerRequest], text: String) {
        let server = try LoopbackServer(handler: respond)
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.start(
            ["probe", server.url + target, "--format", "json"] + arguments, in: scene.path
        ).wait()
        #expect(result.code == 0, "\(result.errors)")
        return (try ProbeTests.report(result), server.requests, result.output)
    }

    /// A token stands on the last page, and is no way to a next one.
    @Test(arguments: [
        (
            #""@odata.deltaLink":"/things?token=9""#, "token, the URL at @odata.deltaLink",
            #"{token: "$['@odata.deltaLink']"}"#
        ),
        (#""nextSyncUrl":"/things?sync=9""#, "token, the URL at nextSyncUrl", #"{token: "$.nextSyncUrl"}"#),
        (
            #""nextSyncToken":"t9""#, "token, nextSyncToken sent back as syncToken",
            #"{token: "$.nextSyncToken", token_param: "syncToken"}"#
        ),
        (
            #""meta":{"next_sync_token":"t9"}"#, "token, meta.next_sync_token sent back as sync_token",
            #"{token: "$.meta.next_sync_token", token_param: "sync_token"}"#
        ),
        (
            #""newStartPageToken":"9""#, "token, newStartPageToken sent back as pageToken",
            #"{token: "$.newStartPageToken", token_param: "pageToken"}"#
        ),
    ])
    func aTokenForChangesIsNamed(member: String, value: String, yaml: String) throws {
        let (report, requests, text) = try Self.probe { request in
            request.query == nil
                ? .text(
                    #"{"items":[{"id":1,"updated_at":"2024-01-01T00:00:00Z"},{"id":2,"updated_at":"2024-01-02T00:00:00Z"}],\#(member)}"#
                )
                : .text(#"{"items":[],\#(member)}"#)
        }
        #expect(requests.count == 1, "it leads to changes, not to a page")
        #expect(report.incremental.value == value, "\(report.incremental)")
        #expect(report.pipeline.contains("    # incremental: \(yaml)\n"), "\(text)")
        #expect(report.paginator.type != "json_link" && report.paginator.type != "cursor")
    }

    @Test func aNextPageOfAnotherHostIsNotAskedFor() throws {
        let other = try LoopbackServer { _ in .text("[]") }
        defer { other.stop() }
        let url = other.url
        let (report, requests, _) = try Self.probe { _ in
            .text(Things.page(1, of: 25), headers: [("Link", "<\(url)/things?page=2>; rel=next")])
        }
        #expect(report.paginator.type == "header_link" && report.paginator.certainty == "unsure")
        #expect(report.paginator.evidence.contains { $0.hasPrefix("but ") && $0.contains("allow") }, "\(report)")
        #expect(other.requests.isEmpty && !requests.isEmpty)
    }

    @Test func aBusyServerIsWaitedForThreeTimes() throws {
        let (report, requests, _) = try Self.probe { request in
            request.query == nil
                ? .text(#"{"next_token":"t","items":\#(Things.page(1, of: 25))}"#) : .text("", status: 429)
        }
        #expect(requests.count == 4)
        #expect(report.paginator.certainty == "unsure")
        #expect(report.paginator.evidence.contains { $0.contains("429") }, "\(report.paginator)")
    }

    /// A limit of requests that passes hides no pages.
    @Test func aLimitThatPassesIsWaitedFor() throws {
        let asked = Mutex(0)
        let (report, _, _) = try Self.probe { request in
            if asked.withLock({
                $0 += 1; return $0 % 2 == 1
            }) {
                return .text("", status: 429, headers: [("Retry-After", "0")])
            }
            let page = request.query?.contains("t2") == true ? 2 : 1
            let token = page == 1 ? #""next_token":"t2","# : ""
            return .text("{\(token)\"items\":\(Things.page(page, of: 25))}")
        }
        #expect(report.paginator.type == "cursor" && report.paginator.certainty == "certain", "\(report.paginator)")
    }

    /// A server that is in trouble now and then hides nothing, as in a run.
    @Test func aServerInTroubleIsAskedAgain() throws {
        let asked = Mutex(0)
        let (report, _, _) = try Self.probe { request in
            let isFirst = asked.withLock {
                $0 += 1
                return $0 == 1
            }
            if isFirst { return .text("", status: 503) }
            let page = request.query?.contains("t2") == true ? 2 : 1
            let token = page == 1 ? #""next_token":"t2","# : ""
            return .text("{\(token)\"items\":\(Things.page(page, of: 25))}")
        }
        #expect(report.paginator.type == "cursor" && report.paginator.certainty == "certain", "\(report.paginator)")
    }

    /// Where the source breaks down further on, what was read before counts.
    @Test func pagesBeforeABreakdownCount() throws {
        let (report, _, output) = try Self.probe { request in
            let page = request.query.flatMap { $0.last?.wholeNumberValue } ?? 1
            if page == 3 { return .text("", status: 503, headers: [("Retry-After", "0")]) }
            return .text(#"{"next_token":"t\#(page + 1)","items":\#(Things.page(page, of: 100))}"#)
        }
        #expect(report.paginator.type == "cursor" && report.paginator.certainty != "unsure", "\(report.paginator)")
        #expect(report.paginator.evidence.contains { $0.contains("not read: ") && $0.contains("503") }, "\(report)")
        #expect(report.paginator.evidence.contains { $0.contains("2 pages") }, "\(report) \(output)")
    }

    @Test func requestsAreBoundedWhateverTheSourceSays() throws {
        let (report, requests, _) = try Self.probe("/things", "--pages", "2") { _ in
            let cursors = (1...40).map { #""next_cursor_\#($0)":"c\#($0)""# }.joined(separator: ",")
            return .text(#"{\#(cursors),"total":90,"data":\#(Things.page(1, of: 25))}"#)
        }
        #expect(requests.count <= 10)
        #expect(report.paginator.type == "none" && report.paginator.certainty == "unsure")
        #expect(report.pipeline.contains("# paginator (unsure): not found, and there are more pages\n"))
        #expect(report.pipeline.contains("    # No paginator: `next_cursor_1` holds a cursor, but no parameter"))
    }

    /// A parameter that the source does not know, and says so with status 200.
    @Test(arguments: [#"{"error":"what is page?"}"#, #"{"error":{"text":"what is page?"}}"#, "\"no\"", "[\"no\"]"])
    func aMessageIsNoPage(_ message: String) throws {
        let (report, _, _) = try Self.probe { request in
            request.query == nil ? .text(Things.page(1, of: 25)) : .text(message)
        }
        #expect(report.paginator.type == "header_link" && report.pages == 1, "\(report.paginator)")
        #expect(
            report.paginator.evidence.contains { $0.hasPrefix("page_number, page from 1: ") }, "\(report.paginator)")
    }

    @Test func pagesThatRepeatRecordsAreUnsure() throws {
        let (report, _, _) = try Self.probe { request in
            let from = SourceQuestion(request).number("offset") ?? 0
            let start = from == 0 ? 1 : from
            return .text(#"{"offset":\#(from),"total":25,"data":\#(Things.list(start..<start + 10, of: 25))}"#)
        }
        #expect(report.paginator.type == "offset" && report.paginator.certainty == "unsure")
        #expect(report.paginator.evidence.contains { $0.contains("records came again") }, "\(report.paginator)")
        #expect(report.key.value == "id")
    }

    /// What is found of records, how sure it is, and why.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let records: String
        let value: String
        let certainty: String
        let reason: String
        var testDescription: String { name }

        func expect(_ finding: ProbeTests.Report.Finding) {
            #expect(finding.value == value && finding.certainty == certainty, "\(finding)")
            #expect(finding.evidence.contains { $0.contains(reason) }, "\(finding)")
        }
    }

    @Test(arguments: [
        Case(
            name: "few records", records: #"{"id":1,"a":2},{"id":2,"a":2}"#, value: "id", certainty: "likely",
            reason: "unique in 2 records"),
        Case(
            name: "two that are equally good", records: #"{"code":"a","slug":"b"},{"code":"c","slug":"d"}"#,
            value: "code", certainty: "unsure", reason: "2 fields are equally likely"),
        Case(
            name: "texts that only happen to differ", records: #"{"title":"a","n":1},{"title":"b","n":1}"#,
            value: "content", certainty: "unsure", reason: "`title` is present and unique in all 2 records"),
        Case(
            name: "an id of unknown meaning that is not unique",
            records: #"{"accountid":1,"name":"a"},{"accountid":1,"name":"b"}"#,
            value: "content", certainty: "unsure", reason: "several records have the same `accountid`"),
        Case(
            name: "the option is named", records: #"{"title":"a","n":1},{"title":"b","n":1}"#,
            value: "content", certainty: "unsure", reason: "`--key FIELD[,FIELD]`"),
        Case(
            name: "an id that is not unique", records: #"{"id":1,"uuid":"a"},{"id":1,"uuid":"b"}"#, value: "uuid",
            certainty: "unsure", reason: "several records have the same `id`"),
    ])
    func theKeyIsAsSureAsItCanBe(_ test: Case) throws {
        let (report, _, _) = try Self.probe { _ in .text("[\(test.records)]") }
        test.expect(report.key)
        let asked = try Self.probe("/things", "--key", "content") { _ in .text("[\(test.records)]") }.report
        #expect(asked.key.value == "content" && asked.key.evidence.contains { $0.contains("as asked for") })
        #expect(asked.pipeline.contains("primary_key: content"))
    }

    @Test(
        arguments: [
            ("id", "certain", nil), ("status", "unsure", "2 of 3 records share it with another one"),
            ("code", "unsure", "`code` is empty in 1 of 3 records"), ("status,id", "certain", nil),
        ] as [(String, String, String?)])
    func aKeyThatIsAskedForIsCertainUnlessRecordsSpeakAgainstIt(
        _ key: String, _ certainty: String, _ doubt: String?
    ) throws {
        let records = #"{"id":1,"status":"a","code":"x"},{"id":2,"status":"a"},{"id":3,"status":"b","code":"z"}"#
        let report = try Self.probe("/things", "--key", key) { _ in .text("[\(records)]") }.report
        #expect(report.key.certainty == certainty && report.key.evidence.first == "as asked for", "\(report.key)")
        #expect(report.pipeline.contains("# key (\(certainty)): "), "\(report.pipeline)")
        for text in [report.key.evidence.joined(separator: "\n"), report.pipeline] {
            #expect(doubt.map(text.contains) ?? true, "\(text)")
        }
    }

    /// The query of a URL stands in `params` where names with values say the same.
    @Test(arguments: [
        ("limit=3&q=a%26b+c", "path: \"/things\"\n", ["      limit: \"3\"\n", "      q: \"a&b c\"\n"]),
        ("tag=a&tag=b", "path: \"/things?tag=a&tag=b\"\n", []), ("all&limit=3", "path: \"/things?all&limit=3\"\n", []),
        ("x=%7B%7Ba%7D%7D", "path: \"/things?x=%7B%7Ba%7D%7D\"\n", []), ("x=%FF", "path: \"/things?x=%FF\"\n", []),
        ("", "path: \"/things\"\n", []),
    ])
    func aQueryStandsInParameters(_ query: String, _ path: String, _ parameters: [String]) throws {
        let pipeline = try Self.probe("/things?\(query)") { _ in .text(#"[{"id":1},{"id":2}]"#) }.report.pipeline
        #expect(pipeline.contains(path) && pipeline.contains("params:\n") == !parameters.isEmpty, "\(pipeline)")
        for parameter in parameters { #expect(pipeline.contains(parameter), "\(pipeline)") }
    }

    @Test(arguments: [
        Case(
            name: "the newest first",
            records:
                #"{"id":1,"created":"2024-01-01","lastModified":"2024-02-02T00:00:00Z"},{"id":2,"created":"2024-01-02","lastModified":"2024-01-02T00:00:00+01:00"}"#,
            value: "last_modified", certainty: "likely", reason: "the newest first"),
        Case(
            name: "a number that grows", records: #"{"id":1,"seq":7},{"id":2,"seq":8}"#, value: "seq",
            certainty: "unsure", reason: "it grows from record to record"),
        Case(
            name: "seconds since 1970",
            records: #"{"id":1,"modified_at":1700000001},{"id":2,"modified_at":1700000000}"#,
            value: "modified_at", certainty: "likely", reason: "from 1700000000 to 1700000001"),
        Case(
            name: "missing in some", records: #"{"id":1,"updated_at":"2024-01-01T00:00:00Z"},{"id":2}"#,
            value: "updated_at", certainty: "unsure", reason: "empty in 1 of 2 records"),
        Case(
            name: "when it came",
            records: #"{"id":1,"created_at":"2024-01-01T00:00:00Z"},{"id":2,"created_at":"2024-01-02T00:00:00Z"}"#,
            value: "created_at", certainty: "unsure", reason: "changes are not seen by it"),
        Case(
            name: "who changed it, and how often", records: #"{"id":1,"updated_by":3,"update_count":4}"#,
            value: "no field", certainty: "likely", reason: "named as one that grows"),
    ])
    func theFieldThatGrowsIsFound(_ test: Case) throws {
        let (report, _, _) = try Self.probe { _ in .text("[\(test.records)]") }
        test.expect(report.incremental)
    }

    @Test func aURLThatAsksForChangesMakesTheStreamIncremental() throws {
        let server = try LoopbackServer { request in
            let isAsked = request.query?.contains("since=2024-03-01T00%3A00%3A00Z") == true
            return isAsked ? .text(Things.list(1..<8, of: 7)) : .text("no", status: 400)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let url = server.url + "/things?state=all&since=2024-03-01T00%3A00%3A00Z"
        let result = try Program.run("probe", url, "--write-pipeline", "things.yaml", in: scene.path)
        #expect(result.output.contains("the URL asks with `since`, which becomes {{ cursor.start }}"), "\(result)")
        let text = try String(contentsOfFile: scene.folder.file("things.yaml"), encoding: .utf8)
        for piece in [
            "path: \"/things\"\n", "      state: all\n", "since: \"{{ cursor.start }}\"\n",
            "incremental: {cursor_field: updated_at, initial_value: \"2024-03-01T00:00:00Z\"}\n",
        ] { #expect(text.contains(piece), "\(text)") }
        #expect(try Program.run("validate", "things.yaml", "--strict", in: scene.path).code == 0)
        let plan = try Program.run("plan", "things.yaml", "--changes", "0", in: scene.path)
        #expect(plan.output.contains("7 to insert"), "\(plan.output)\(plan.errors)")
    }

    @Test func aSecretThatTheSourceRepeatsIsNotShownInPart() throws {
        let token = String(repeating: "eyJhbGciOi", count: 30) + "\"end"
        let server = try LoopbackServer { _ in
            .text(#"[{"id":1,"token":"\#(token.replacing("\"", with: "\\\""))","b":"x"}]"#)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        for format in ["text", "json"] {
            let result = try Program.run(
                "probe", server.url + "/things", "--header", "Authorization: Bearer \(token)", "--format", format,
                in: scene.path)
            #expect(result.code == 0 && !(result.output + result.errors).contains("eyJhbGci"), "\(result.output)")
        }
    }

    @Test func theRecordsMayBeNamed() throws {
        let (report, _, _) = try Self.probe("/things", "--records", "result.rows", "--table", "rows") { _ in
            .text(
                #"{"code":0,"result":{"rows":\#(Things.list(1..<4, of: 3)),"more":[{"id":1},{"id":2},{"id":3},{"id":4}]}}"#
            )
        }
        #expect(report.records.value == "$.result.rows[*]" && report.key.value == "id")
        #expect(report.pipeline.contains("table: rows\n"))
    }
}
