import Foundation
import Synchronization
import TestSupport
import Testing

/// Links to a host that the pipeline does not allow: they are refused where they are met, and nothing of them is kept.
@Suite struct ForeignLinkTests {
    private static let foreign = "https://elsewhere.example/rest"

    /// A source whose link can be changed.
    private final class Source: Sendable {
        let link = Mutex("")
        /// What it was asked for.
        let asked = Mutex<[String]>([])

        func set(_ link: String) { self.link.withLock { $0 = link } }

        func paths() -> [String] {
            asked.withLock { paths in
                defer { paths = [] }
                return paths
            }
        }

        func answer(_ request: ServerRequest) -> ServerResponse {
            let path = request.path + (request.query.map { "?" + $0 } ?? "")
            asked.withLock { $0.append(path) }
            let link = link.withLock { $0 }
            if path == "/books?page=2" { return .text(#"[{"id":2,"title":"b"}]"#) }
            if request.path == "/pages" {
                return .text(#"[{"id":1,"title":"a"}]"#, headers: [("Link", "<\(link)>; rel=\"next\"")])
            }
            return .text(#"{"books":[{"id":1,"title":"a"}],"delta":"\#(link)"}"#)
        }
    }

    private static func scene(_ url: String, _ keys: String, top: String = "") throws -> Scene {
        let scene = try Scene(records: 1)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            \(top)
            source: {base_url: "\(url)", retry: {max_attempts: 1}}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string}}}
            streams: [{name: books, entity: Book, \(keys)}]
            """)
        return scene
    }

    @Test("A sync token that leads to another host is told and not kept", arguments: [foreign, "ftp://127.0.0.1/rest"])
    func token(link: String) throws {
        let source = Source()
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(
            server.url, "path: /books, records: \"books[*]\", incremental: {token: delta}, deleted_when: 'false'")
        func run() throws -> String {
            let run = try Program.run("run", "books.yaml", in: scene.path)
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            return run.output + run.errors
        }
        source.set(link)
        let first = try run()
        #expect(
            first.contains("The new token of `books` is not stored: ")
                && first.contains("The next run reads everything."))
        if link == Self.foreign { #expect(first.contains("add elsewhere.example to `allow_hosts`"), "\(first)") }
        // Each run asks the source, which may mend it.
        _ = try run()
        #expect(source.paths() == ["/books", "/books"])
        source.set("/books?since=1")
        _ = try run()
        source.set(link)
        #expect(try run().contains("The next run reads the same changes again."))
        source.set("/books?since=2")
        _ = try run()
        _ = try run()
        #expect(source.paths() == ["/books", "/books?since=1", "/books?since=1", "/books?since=2"])
    }

    @Test("A next link to another host is not where the next run continues", arguments: ["page", "run"])
    func page(commit: String) throws {
        let source = Source()
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Self.scene(
            server.url, "path: /pages, paginator: {type: header_link}", top: "commit: \(commit)")
        source.set(Self.foreign)
        for _ in 1...2 {
            let run = try Program.run("run", "books.yaml", in: scene.path)
            #expect(run.code == 1 && run.errors.contains("add elsewhere.example to `allow_hosts`"), "\(run.errors)")
            #expect(!run.errors.contains("continues at page 2"), "\(run.errors)")
        }
        source.set("/books?page=2")
        let mended = try Program.run("run", "books.yaml", in: scene.path)
        #expect(mended.code == 0, "\(mended.errors)")
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "2"])
    }
}
