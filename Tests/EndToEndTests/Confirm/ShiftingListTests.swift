import Foundation
import Synchronization
import TestSupport
import Testing

/// A list from which a record goes while it is read, so that another one slips past the reader.
@Suite struct ShiftingListTests {
    /// Serves a list in pages of two by one convention, and drops a record behind the reader.
    private final class List: Sendable {
        let ids: Mutex<[Int]>
        /// Goes once the first page was read.
        let leaving = Mutex<Int?>(nil)

        init(_ ids: [Int]) { self.ids = Mutex(ids) }

        func answer(_ request: ServerRequest) -> ServerResponse {
            let items = (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
            let query = Dictionary(items.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
            let page = query["page"].flatMap { Int($0) }
            let start = query["offset"].flatMap { Int($0) } ?? ((page ?? 1) - 1) * 2
            if start > 0, let gone = leaving.withLock({ $0.take() }) { ids.withLock { $0.removeAll { $0 == gone } } }
            let all = ids.withLock { $0 }
            let records = all.dropFirst(start).prefix(2).map { #"{"id":\#($0),"title":"t\#($0)"}"# }
            return .text(#"{"total":\#(all.count),"data":[\#(records.joined(separator: ","))]}"#)
        }
    }

    struct Convention: Sendable, CustomTestStringConvertible {
        let name: String
        let paginator: String
        var testDescription: String { name }
    }

    static let conventions = [
        Convention(name: "page numbers", paginator: "{type: page_number}"),
        Convention(name: "offsets", paginator: "{type: offset, page_size: 2}"),
        Convention(name: "offsets with a total", paginator: "{type: offset, page_size: 2, total_path: total}"),
    ]

    private func scene(_ server: LoopbackServer, _ convention: Convention, confirm: String) throws -> Scene {
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - name: books
                entity: Book
                path: /books
                records: "data[*]"
                paginator: \(convention.paginator)
                delete_missing: {mode: hard, max_delete: 100%\(confirm)}
            """)
        return scene
    }

    private func ids(_ scene: Scene) throws -> String {
        try scene.query("SELECT group_concat(id, ' ') FROM (SELECT id FROM books ORDER BY id)").joined()
    }

    @Test("What slips past is not lost", arguments: conventions)
    func confirmed(convention: Convention) throws {
        let list = List([1, 2, 3, 4, 5, 6])
        let server = try LoopbackServer { list.answer($0) }
        defer { server.stop() }
        let scene = try scene(server, convention, confirm: "")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        // 1 goes while 3 moves to the page that was read already.
        list.leaving.withLock { $0 = 1 }
        let shifted = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(shifted.code == 0, "\(shifted.errors)")
        #expect(try ids(scene) == "1 2 3 4 5 6")
        for word in [
            #""complete":true"#, #""missing":1"#, #""delete":0"#, #""key":{"id":3},"action":"delete","kind":"delete""#,
            #""deletion":"suspected","missed_scans":1,"scans_left":1"#,
        ] {
            #expect(shifted.output.contains(word), "\(word) in \(shifted.output)")
        }
        // Now 3 is seen again, and 1 is missing for the first time.
        let plan = try Program.run("plan", "books.yaml", in: scene.path)
        for word in [
            "1 missing from the source: the rows in books stay until further scans have not seen them either",
            "missing for the first time; counts as gone after 1 further scan without it",
        ] {
            #expect(plan.output.contains(word), "\(word) in \(plan.output)")
        }
        #expect(try Program.run("plan", "books.yaml", "--detailed-exitcode", in: scene.path).code == 0)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try ids(scene) == "1 2 3 4 5 6")
        #expect(try Program.run("plan", "books.yaml", "--detailed-exitcode", in: scene.path).code == 2)
        let last = try Program.run("run", "books.yaml", in: scene.path)
        #expect(last.code == 0 && last.output.contains("1 deleted"), "\(last.output)\(last.errors)")
        #expect(try ids(scene) == "2 3 4 5 6")
        let before = try StoreDump(scene.store)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try StoreDump(scene.store).differences(from: before) == [])
    }

    @Test("Whoever does without a confirmation loses what slips past, and is told so before")
    func unconfirmed() throws {
        let list = List([1, 2, 3, 4, 5, 6])
        let server = try LoopbackServer { list.answer($0) }
        defer { server.stop() }
        let scene = try scene(server, Self.conventions[0], confirm: ", confirm: 0")
        let check = try Program.run("validate", "books.yaml", in: scene.path)
        #expect(
            (check.output + check.errors).contains("shifts another one to a page that was read already"),
            "\(check.output)")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        list.leaving.withLock { $0 = 1 }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try ids(scene) == "1 2 4 5 6")
    }
}
