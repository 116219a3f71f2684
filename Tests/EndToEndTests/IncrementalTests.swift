import Foundation
import TestSupport
import Testing

/// A source that gives what changed since a time, asked by the program.
@Suite struct IncrementalRequestTests {
    private static func scene(_ url: String, _ incremental: String, _ rest: String) throws -> Scene {
        let scene = try Scene(url: url, extra: "incremental: \(incremental)\n    \(rest)")
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            pipeline.replacing(
                "price: decimal}", with: "price: decimal, at: {type: datetime, format: [unix, rfc3339]}}"))
        return scene
    }

    private static func asked(_ server: LoopbackServer) -> [String] {
        server.requests.map { ($0.query ?? "").removingPercentEncoding ?? "" }
    }

    @Test func theNextRunAsksFromTheLatestRecord() throws {
        let server = try LoopbackServer { request in
            request.query?.contains("1577836800") == true
                ? .text(#"[{"id":1,"title":"a","at":1704067200},{"id":2,"title":"b","at":"2024-03-01T00:00:00Z"}]"#)
                : .text("[]")
        }
        defer { server.stop() }
        let scene = try Self.scene(
            server.url, "{cursor_field: at, initial_value: 1577836800, lookback: 1h, format: unix}",
            "params: {since: \"{{ cursor.start }}\", day: \"{{ cursor.start | date }}\"}")
        let plan = try Program.run("plan", "books.yaml", in: scene.path)
        #expect(plan.output.contains("books: asked for changes since 2020-01-01T00:00:00Z until "), "\(plan.output)")
        for _ in 0..<2 { #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0) }
        #expect(
            Self.asked(server) == [
                "since=1577836800&day=2020-01-01", "since=1577836800&day=2020-01-01", "since=1709247600&day=2024-02-29",
            ])
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"], "what was not asked for is not gone")
        let full = try Program.run("run", "books.yaml", "--full", in: scene.path)
        #expect(full.code == 0 && Self.asked(server).last == "since=1577836800&day=2020-01-01")
        let part = try Program.run(
            "run", "books.yaml", "--from", "2024-01-01T00:00:00Z", "--format", "json", in: scene.path)
        #expect(part.output.contains(#""cursor":{"start":"2024-01-01T00:00:00Z","end":"#), "\(part.output)")
        #expect(part.output.contains(#""next":"2024-03-01T00:00:00Z"}"#), "\(part.output)")
        let history = try Program.run("history", "1", "--store", "sqlite:shop.db", in: scene.path).output
        #expect(history.contains("books: cursor `at` nothing → 2024-03-01T00:00:00Z"), "\(history)")
    }

    @Test(arguments: [
        (["--from", "tomorrow"], "`--from tomorrow` is not a valid value of `at`"),
        (["--from", "2024-02-01T00:00:00Z", "--to", "2024-01-01T00:00:00Z"], "`--to` comes before `--from`"),
    ])
    func wrongBoundsAreRefusedBeforeARunBegins(bounds: [String], words: String) throws {
        let server = try LoopbackServer { _ in .text("[]") }
        defer { server.stop() }
        let scene = try Self.scene(
            server.url, "{cursor_field: at, initial_value: \"2024-01-01T00:00:00Z\"}",
            "params: {since: \"{{ cursor.start }}\"}")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let result = try Program.start(["run", "books.yaml"] + bounds, in: scene.path).wait()
        #expect(result.code == 64 && result.errors.contains(words), "\(result.code) \(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM _sluice_runs") == ["1"])
    }

    @Test func timeIsReadWindowByWindow() throws {
        let server = try LoopbackServer { request in
            let month = (request.query ?? "").dropFirst("since=".count).prefix(7)
            return .text(#"[{"id":\#(month.filter(\.isNumber)),"title":"x","at":"\#(month)-15T00:00:00Z"}]"#)
        }
        defer { server.stop() }
        let scene = try Self.scene(
            server.url, "{cursor_field: at, initial_value: \"2024-01-01T00:00:00Z\", step: 31d, format: rfc3339}",
            "params: {since: \"{{ cursor.start | date }}\", until: \"{{ cursor.end | date }}\"}")
        let result = try Program.run("run", "books.yaml", "--to", "2024-03-20T00:00:00Z", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            Self.asked(server) == [
                "since=2024-01-01&until=2024-02-01", "since=2024-02-01&until=2024-03-03",
                "since=2024-03-03&until=2024-03-20",
            ])
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["202401", "202402", "202403"])
    }

    /// Of counted pages it leaves its place to what stood behind it, which moves to a page that was read.
    @Test(arguments: ["page", "run"])
    func theCursorStaysBeforeARecordThatChangesWhileItIsRead(commit: String) throws {
        let now = Date.now.formatted(.iso8601)
        let server = try LoopbackServer { request in
            if request.query?.contains("page=2") == true {
                return .text(
                    #"[{"id":5,"title":"x","at":"2024-02-05T00:00:00Z"},{"id":2,"title":"y","at":"\#(now)"}]"#)
            }
            let records = (1...3).map { #"{"id":\#($0),"title":"x","at":"2024-02-0\#($0)T00:00:00Z"}"# }
            return .text(
                "[\(records.joined(separator: ","))]", headers: [("Link", "</books?page=2>; rel=\"next\"")])
        }
        defer { server.stop() }
        let scene = try Self.scene(
            server.url, "{cursor_field: at, initial_value: \"2024-01-01T00:00:00Z\", order: asc}",
            "params: {since: \"{{ cursor.start }}\"}\n    paginator: {type: header_link}")
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text + "\ncommit: \(commit)\n")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect((result.output + result.errors).contains("which may have moved others"), "\(result.output)")
        #expect(try scene.query("SELECT title FROM books WHERE id = 2") == ["y"])
        #expect(
            try scene.query("SELECT value FROM _sluice_state WHERE name = 'cursor.at'") == ["2024-02-01T23:59:59Z"])
    }

    @Test func theNewestFirstAreReadUpToWhatIsKnown() throws {
        let server = try LoopbackServer { request in
            let page = Int((request.query ?? "").split(separator: "=").last ?? "") ?? 1
            let records = (0..<2).map { index -> String in
                let number = 100 - (page - 1) * 2 - index
                return #"{"id":\#(number),"title":"x","at":\#(1_700_000_000 + number)}"#
            }
            return .text(page > 50 ? "[]" : "[\(records.joined(separator: ","))]")
        }
        defer { server.stop() }
        let scene = try Self.scene(
            server.url, "{cursor_field: at, client_side: true, order: desc, lookback: 3s}",
            "paginator: {type: page_number}")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(server.requests.count == 51)
        let again = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(again.code == 0, "\(again.errors)")
        #expect(server.requests.count == 54, "the third page ends before the cursor")
        #expect(again.output.contains(#""filtered":2"#), "\(again.output)")
        // Nothing was asked of the source.
        let told = try Program.run("plan", "books.yaml", in: scene.path).output
        #expect(told.contains("books: took changes since ") && !told.contains("asked for changes"), "\(told)")
    }

    @Test(
        "What cannot be meant is refused",
        arguments: [
            ("{cursor_field: at}", "", "No request of the stream uses `{{ cursor.start }}`"),
            ("{cursor_field: at}", "params: {since: \"{{ cursor.start }}\"}", "needs the key `initial_value`"),
            ("{cursor_field: att, client_side: true}", "", "`Book` has no field `att`. Did you mean `at`?"),
            ("{cursor_field: title, client_side: true}", "", "`title` is `string`, which has no order in time"),
            (
                "{cursor_field: id, client_side: true, lookback: 1h}", "",
                "`lookback` is about time, but `id` is an `int`"
            ),
            (
                "{cursor_field: at, client_side: true, initial_value: soon}", "",
                "`initial_value` does not fit the field `at`"
            ),
            ("{cursor_field: at, client_side: true, step: 1d}", "", "no request uses `{{ cursor.end }}`"),
            (
                "{cursor_field: at, client_side: true}", "params: {x: \"{{ cursor.begin }}\"}",
                "This variable is not known here"
            ),
        ])
    func refusals(_ incremental: String, _ rest: String, _ words: String) throws {
        let scene = try Self.scene("http://127.0.0.1:1", incremental, rest)
        let result = try Program.run("validate", "books.yaml", in: scene.path)
        #expect(result.code == 78)
        #expect((result.output + result.errors).contains(words), "\(result.output)\(result.errors)")
    }
}
