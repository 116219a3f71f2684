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
            let segments = request.path.split(separator: "/").map(String.init)
            let page = query["page"].flatMap { Int($0) } ?? segments.last.flatMap { Int($0) }
            var start = query["offset"].flatMap { Int($0) } ?? ((page ?? 1) - 1) * 2
            if let after = query["after"].flatMap({ Int($0) }) {
                start = ids.withLock { ids in ids.firstIndex { $0 > after } ?? ids.count }
            }
            if start > 0, let gone = leaving.withLock({ $0.take() }) { ids.withLock { $0.removeAll { $0 == gone } } }
            let all = ids.withLock { $0 }
            let records = all.dropFirst(start).prefix(2).map { #"{"id":\#($0),"title":"t\#($0)"}"# }
            let data = #""total":\#(all.count),"data":[\#(records.joined(separator: ","))]"#
            guard start + 2 < all.count else { return .text("{\(data)}") }
            // What leads on, as the path says.
            let (number, last) = (start / 2 + 2, all[start + 1])
            switch segments.first {
            case "header-link": return .text("{\(data)}", headers: [("Link", "<?page=\(number)&sort=id>; rel=next")])
            case "json-link": return .text(#"{\#(data),"next":"?limit=2&offset=\#(start + 2)"}"#)
            case "path-link": return .text(#"{\#(data),"next":"/path-link/page/\#(number)"}"#)
            case "key-link": return .text(#"{\#(data),"next":"?after=\#(last)"}"#)
            case "cursor": return .text(#"{\#(data),"next_page":\#(number)}"#)
            case "header-cursor": return .text("{\(data)}", headers: [("X-Next-Page", "\(number)")])
            default: return .text("{\(data)}")
            }
        }
    }

    struct Convention: Sendable, CustomTestStringConvertible {
        let name: String
        let paginator: String
        var path = "/books"
        var testDescription: String { name }
    }

    static let conventions = [
        Convention(name: "page numbers", paginator: "{type: page_number}"),
        Convention(name: "offsets", paginator: "{type: offset, page_size: 2}"),
        Convention(name: "offsets with a total", paginator: "{type: offset, page_size: 2, total_path: total}"),
        Convention(name: "page numbers in the Link header", paginator: "{type: header_link}", path: "/header-link"),
        Convention(name: "offsets in links", paginator: "{type: json_link, path: next}", path: "/json-link"),
        Convention(name: "page numbers in paths", paginator: "{type: json_link, path: next}", path: "/path-link"),
        Convention(
            name: "page numbers as cursors", paginator: "{type: cursor, cursor_path: next_page, cursor_param: page}",
            path: "/cursor"),
        Convention(
            name: "page numbers in a header",
            paginator: "{type: cursor, cursor_from: header, cursor_path: X-Next-Page, cursor_param: page}",
            path: "/header-cursor"),
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
                path: \(convention.path)
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

    @Test(
        "Nothing slips past where each page begins behind a record",
        arguments: [
            Convention(
                name: "links with keys", paginator: "{type: json_link, path: next}", path: "/key-link"),
            Convention(
                name: "the last record's key",
                paginator: "{type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: after}"),
        ])
    func keyed(convention: Convention) throws {
        let list = List([1, 2, 3, 4, 5, 6])
        let server = try LoopbackServer { list.answer($0) }
        defer { server.stop() }
        let scene = try scene(server, convention, confirm: "")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        list.ids.withLock { $0.removeAll { $0 == 4 } }
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0 && run.output.contains("1 deleted"), "\(run.output)\(run.errors)")
        #expect(try ids(scene) == "1 2 3 5 6")
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
