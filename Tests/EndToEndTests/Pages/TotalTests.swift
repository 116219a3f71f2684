import Foundation
import Synchronization
import TestSupport
import Testing

/// A total that a page tells holds for all pages, wherever it stands and whichever page tells it.
@Suite struct TotalTests {
    /// A source of two pages; its second edition leaves records out and says so on one of them.
    struct Case: Sendable, CustomTestStringConvertible {
        enum Place: String, CaseIterable {
            case first, last, beside, header
            /// The page that tells: 1, 2.
            var page: Int { self == .first ? 1 : 2 }
        }
        let place: Place
        let paginator: String
        var records = "$.data[*]"
        var extra = ""
        var isPaged = false
        var testDescription: String { "\(place) \(paginator) \(records) \(extra) \(isPaged ? "page by page" : "")" }
    }

    private static let link = "{type: json_link, path: next}"
    static let cases: [Case] = Case.Place.allCases.flatMap { place in
        [
            Case(place: place, paginator: link), Case(place: place, paginator: "{type: header_link}"),
            Case(place: place, paginator: "{type: cursor, cursor_path: token, cursor_param: page}"),
            Case(
                place: place, paginator: "{type: cursor, cursor_from: header, cursor_path: X-Token, cursor_param: page}"
            ),
            Case(place: place, paginator: link, isPaged: true),
            Case(place: place, paginator: "{type: header_link}", isPaged: true),
            Case(place: place, paginator: link, records: "$.data[?@.id < 9]"),
            Case(place: place, paginator: "{type: header_link}", records: "$.data[?@.id < 9]"),
            Case(place: place, paginator: link, records: "{jq: '.data[]'}"),
            Case(place: place, paginator: "{type: header_link}", records: "{jq: '.data[] | select(.id < 9)'}"),
            Case(place: place, paginator: link, records: "{jq: '.data[]'}", isPaged: true),
            Case(place: place, paginator: link, records: "$.entries", extra: "entries: id"),
            Case(place: place, paginator: "{type: header_link}", records: "$.entries", extra: "entries: id"),
        ]
    }

    private static func page(of request: ServerRequest) -> Int {
        (request.query ?? "").split(separator: "&").compactMap { $0.hasPrefix("page=") ? Int($0.dropFirst(5)) : nil }
            .first ?? 1
    }

    /// A page of records with these numbers.
    private static func answer(_ ids: [Int], next: Int?, _ members: String = "", header: (String, String)? = nil)
        -> ServerResponse
    {
        let records = ids.map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ",")
        let entries = ids.map { #""\#($0)":{"title":"t"}"# }.joined(separator: ",")
        let link = next.map { #""/books?page=\#($0)""# } ?? "null"
        let body =
            #"{"data":[\#(records)],"entries":{\#(entries)},"next":\#(link),"token":\#(next.map { #""\#($0)""# } ?? "null")\#(members)}"#
        let headers = next.map { [("Link", #"</books?page=\#($0)>; rel="next""#), ("X-Token", "\($0)")] } ?? []
        return .text(body, headers: headers + [header].compactMap { $0 })
    }

    private static func scene(_ test: Case, _ url: String) throws -> Scene {
        let scene = try Scene(url: url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(url)", retry: {max_attempts: 1}}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - name: books
                entity: Book
                path: /books
                records: \(test.records.hasPrefix("{") ? test.records : "'\(test.records)'")
                paginator: \(test.paginator)
                delete_missing: {mode: hard, max_delete: 100%, confirm: 0}
                \(test.extra)
            \(test.isPaged ? "commit: page" : "")
            """)
        return scene
    }

    @Test(arguments: Seeds.some(of: cases, oneOf: 2))
    func holdsForAllPages(test: Case) throws {
        let edition = Atomic(1)
        let server = try LoopbackServer { request in
            let (page, edition) = (Self.page(of: request), edition.load(ordering: .sequentiallyConsistent))
            let ids = page == 1 ? [1, 2] : edition == 1 ? [3, 4] : [3]
            let count = edition == 3 ? 3 : 4
            let tells = edition > 1 && page == test.place.page
            let members =
                switch test.place {
                case .first, .last: #","total":\#(count)"#
                case .beside: #","meta":{"total":\#(count)}"#
                case .header: ""
                }
            return Self.answer(
                ids, next: page == 1 ? 2 : nil, tells ? members : "",
                header: tells && test.place == .header ? ("X-Total-Count", "\(count)") : nil)
        }
        defer { server.stop() }
        let scene = try Self.scene(test, server.url)
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.errors)")
        edition.store(2, ordering: .sequentiallyConsistent)
        let run = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(run.code == 3 && run.errors.contains("there are 4 records"), "\(run.errors)")
        #expect(run.errors.contains("and 3 were read"), "\(run.errors)")
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "2", "3", "4"])
        // A total that was reached proves what is gone.
        edition.store(3, ordering: .sequentiallyConsistent)
        let whole = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(whole.code == 0, "\(whole.errors)")
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "2", "3"])
    }

    @Test("A list that shrinks while it is read is as long as its last page says")
    func lastWord() throws {
        let isFirst = Atomic(true)
        let server = try LoopbackServer { request in
            let page = Self.page(of: request)
            let first = isFirst.load(ordering: .sequentiallyConsistent)
            let total = page == 1 ? 4 : first ? 4 : 3
            return Self.answer(
                page == 1 ? [1, 2] : first ? [3, 4] : [3], next: page == 1 ? 2 : nil, #","total":\#(total)"#)
        }
        defer { server.stop() }
        let scene = try Self.scene(Case(place: .first, paginator: Self.link), server.url)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        isFirst.store(false, ordering: .sequentiallyConsistent)
        let run = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(run.code == 0, "\(run.errors)")
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "2", "3"])
    }

    /// The total of the pages before the place where a run was broken off, and their records.
    @Test(
        "A reading that goes on knows what the pages before told", arguments: [false, true],
        [link, "{type: header_link}"])
    func resumed(isShort: Bool, paginator: String) throws {
        let edition = Atomic(1)
        let server = try LoopbackServer { request in
            let (page, edition) = (Self.page(of: request), edition.load(ordering: .sequentiallyConsistent))
            if edition == 2, page == 3 { return .text("no", status: 404) }
            let ids = page < 3 ? [page * 2 - 1, page * 2] : edition == 1 ? [5, 6] : [5]
            let total = page == 1 && edition > 1 ? #","total":\#(isShort ? 6 : 5)"# : ""
            return Self.answer(ids, next: page < 3 ? page + 1 : nil, total)
        }
        defer { server.stop() }
        let scene = try Self.scene(Case(place: .first, paginator: paginator, isPaged: true), server.url)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        edition.store(2, ordering: .sequentiallyConsistent)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 1)
        edition.store(3, ordering: .sequentiallyConsistent)
        let before = server.requests.count
        let run = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(server.requests.count == before + 1, "the pages before are not asked for again")
        #expect(run.code == (isShort ? 3 : 0), "\(run.output)\(run.errors)")
        #expect(run.errors.contains("there are 6 records (`total`), and 5 were read") == isShort, "\(run.errors)")
        let rows = try scene.query("SELECT id FROM books ORDER BY id")
        #expect(rows == (1...(isShort ? 6 : 5)).map(String.init))
    }
}
