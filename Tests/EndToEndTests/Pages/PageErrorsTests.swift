import Foundation
import Synchronization
import TestSupport
import Testing

/// Pages that have errors in the place of some of their records, as GraphQL answers with status 200.
@Suite struct PageErrorsTests {
    @Test(arguments: [
        ("incremental: {cursor_field: at, initial_value: 0}", "since={{ cursor.start }}", "since=1"),
        ("incremental: {token: sync, token_param: since}", "all=yes", "all=yes&since=1"),
    ])
    func whatWasLeftOutIsAskedForAgain(_ incremental: String, _ parameters: String, _ asked: String) throws {
        let queries = Mutex<[String]>([])
        let isBroken = Atomic(false)
        let server = try LoopbackServer { request in
            let query = request.query ?? ""
            queries.withLock { $0.append(query) }
            func records(_ ids: Int...) -> String { ids.map { #"{"id":\#($0),"at":\#($0)}"# }.joined(separator: ",") }
            if query != asked { return .text(#"{"data":[\#(records(1))],"sync":"1"}"#) }
            return isBroken.load(ordering: .sequentiallyConsistent)
                ? .text(#"{"data":[\#(records(3))],"errors":[{"message":"no 2"}],"sync":"3"}"#)
                : .text(#"{"data":[\#(records(2, 3))],"sync":"3"}"#)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, at: int}}}
            streams:
              - name: books
                entity: Book
                path: "/books?\(parameters)"
                records: data[*]
                \(incremental)
            """)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        isBroken.store(true, ordering: .sequentiallyConsistent)
        let broken = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(broken.code == 3 && broken.output.contains("has `errors` beside its `data`"), "\(broken.output)")
        #expect(!broken.output.contains("has no token"), "\(broken.output)")
        isBroken.store(false, ordering: .sequentiallyConsistent)
        let mended = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(mended.code == 0, "\(mended.output)\(mended.errors)")
        #expect(queries.withLock { $0.suffix(2) } == [asked, asked])
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "2", "3"])
    }
}
