import Foundation
import Synchronization
import TestSupport
import Testing

/// A page without a record that leads on to others may have failed: what it had counts as gone once another scan lacks it too.
@Suite struct EmptyPageTests {
    /// Three pages of two things each; of one of them the records are left out.
    private final class Source: Sendable {
        let empty = Mutex<Int?>(nil)

        func answer(_ request: ServerRequest) -> ServerResponse {
            // Cursors that count would be waited for in any case.
            let cursors = ["kdxw", "zqmb"]
            let page = (cursors.firstIndex { request.query?.contains($0) == true } ?? -1) + 2
            let isEmpty = empty.withLock { $0 == page }
            let things = isEmpty ? [] : (0..<2).map { #"{"id":\#(page * 10 + $0)}"# }
            let next = page < 3 ? #","next":"\#(cursors[page - 1])""# : ""
            return .text(#"{"data":[\#(things.joined(separator: ","))]\#(next)}"#)
        }
    }

    private func scene(_ url: String, confirm: String) throws -> Scene {
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(url)"}
            entities: {Thing: {table: things, primary_key: id, fields: {id: int}}}
            streams:
              - name: books
                entity: Thing
                path: /things
                records: data[*]
                paginator: {type: cursor, cursor_path: next, cursor_param: at}
                delete_missing: {mode: hard, max_delete: 100%\(confirm)}
            """)
        return scene
    }

    @Test(arguments: [1, 2])
    func whatAnEmptyPageHadGoesWithTheSecondScan(_ page: Int) throws {
        let source = Source()
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try scene(server.url, confirm: "")
        func count() throws -> [String] { try scene.query("SELECT count(*) FROM things") }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        source.empty.withLock { $0 = page }
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first)")
        #expect(try count() == ["6"])
        // It was a failure, and nothing came of it.
        source.empty.withLock { $0 = nil }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        source.empty.withLock { $0 = page }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try count() == ["6"])
        // Nor this time, or they are gone.
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try count() == ["4"])
    }

    @Test func anEmptyLastPageIsTheEnd() throws {
        let source = Source()
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try scene(server.url, confirm: "")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        source.empty.withLock { $0 = 3 }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*) FROM things") == ["4"])
    }

    @Test func whoSaysSoWaitsForNoScan() throws {
        let source = Source()
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try scene(server.url, confirm: ", confirm: 0")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        source.empty.withLock { $0 = 2 }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*) FROM things") == ["4"])
    }
}
