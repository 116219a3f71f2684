import Foundation
import Synchronization
import TestSupport
import Testing

/// Streams that ask for changes alone, whose counted pages shift between a run that breaks off and the next one.
@Suite struct ShiftedResumeTests {
    /// Records in the order of their changes, in pages of two.
    private final class Source: Sendable {
        let changes = Mutex<[(id: Int, at: Int)]>((1...7).map { ($0, $0) })
        let isBroken = Mutex(true)

        func answer(_ request: ServerRequest) -> ServerResponse {
            let items = (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
            let query = Dictionary(items.filter { $0.count == 2 }.map { ($0[0], Int($0[1]) ?? 0) }) { $1 }
            let start = query["offset"] ?? ((query["page"] ?? 1) - 1) * 2
            if start == 4, isBroken.withLock({ $0 }) { return .text("no", status: 500) }
            let since = query["since"] ?? 0
            let all = changes.withLock { $0 }.filter { $0.at >= since }.sorted { $0.at < $1.at }
            let page = all.dropFirst(start).prefix(2).map { #"{"id":\#($0.id),"at":\#($0.at)}"# }
            let isLast = start + 2 >= all.count
            let token = isLast ? #","token":\#((all.last?.at ?? since) + 1)"# : ""
            let link = isLast ? "null" : #""/r?since=\#(since)&page=\#(start / 2 + 2)""#
            return .text(
                #"{"items":[\#(page.joined(separator: ","))],"total":\#(all.count),"link":\#(link)\#(token)}"#)
        }
    }

    @Test(
        arguments: [
            "{type: offset, page_size: 2, total_path: total}", "{type: json_link, path: link}",
        ],
        ["cursor_field: at, initial_value: 0", "token: token, token_param: since"])
    func nothingIsPassedOver(paginator: String, incremental: String) throws {
        let source = Source()
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let parameters = incremental.contains("cursor") ? "params: {since: \"{{ cursor.start }}\"}, " : ""
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            commit: page
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, at: int}}
            streams:
              - {name: books, entity: Book, path: /r, records: "items[*]", \(parameters)paginator: \(paginator),
                 incremental: {\(incremental)}}
            """)
        let broken = try Program.run("run", "books.yaml", in: scene.path)
        #expect(broken.code != 0 && !broken.output.contains("continues at page"), "\(broken.output)\(broken.errors)")
        // Record 1 moves to the end, and record 5 to a page that was read.
        source.changes.withLock { $0[0].at = 20 }
        source.isBroken.withLock { $0 = false }
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(
            try scene.query("SELECT group_concat(id, ' ') FROM (SELECT id FROM books ORDER BY id)") == ["1 2 3 4 5 6 7"]
        )
    }
}
