import Foundation
import TestSupport
import Testing

/// Every paginator reads all pages, once each, and stops where the source says so.
@Suite struct PaginatorTests {
    /// A source of 25 records in pages of ten, which answers by one convention.
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        let yaml: String
        /// How many requests it takes.
        let requests: Int
        let respond: @Sendable ([String: String]) -> String
        var testDescription: String { name }
    }

    private static func records(_ range: Range<Int>) -> String {
        let list = range.clamped(to: 1..<26).map { #"{"id": \#($0), "title": "t\#($0)", "price": \#($0)}"# }
        return "[" + list.joined(separator: ",") + "]"
    }

    private static func number(_ query: [String: String], _ name: String, _ fallback: Int) -> Int {
        query[name].flatMap { Int($0) } ?? fallback
    }

    static let sources = [
        Source(
            name: "page numbers up to an empty page", yaml: "paginator: {type: page_number}", requests: 4
        ) { query in
            let page = number(query, "page", 0)
            return records((page - 1) * 10 + 1..<page * 10 + 1)
        },
        Source(
            name: "page numbers from 0 with a total",
            yaml: """
                records: "data[*]"
                paginator:
                  {type: page_number, page_param: p, start: 0, total_pages_path: meta.pages, page_size: 10, page_size_param: n}
                """, requests: 3
        ) { query in
            let page = number(query, "p", 99)
            return
                #"{"meta": {"pages": 3}, "data": \#(records(page * 10 + 1..<page * 10 + 1 + number(query, "n", 0)))}"#
        },
        Source(
            name: "offsets with a total",
            yaml: """
                records: "data[*]"
                paginator: {type: offset, total_path: total, page_size: 10}
                """, requests: 3
        ) { query in
            let offset = number(query, "offset", 99)
            return #"{"total": 25, "data": \#(records(offset + 1..<offset + 1 + number(query, "limit", 0)))}"#
        },
        Source(
            name: "links in the body",
            yaml: """
                records: "data[*]"
                paginator: {type: json_link, path: links.next}
                """, requests: 3
        ) { query in
            let page = number(query, "page", 1)
            let next = page < 3 ? "\"/books?page=\(page + 1)\"" : "null"
            return #"{"links": {"next": \#(next)}, "data": \#(records((page - 1) * 10 + 1..<page * 10 + 1))}"#
        },
    ]

    @Test(arguments: sources)
    func allPagesAreRead(source: Source) throws {
        let server = try LoopbackServer { request in
            let items = (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
            let query = Dictionary(items.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
            return .text(source.respond(query))
        }
        defer { server.stop() }
        let indented = source.yaml.split(separator: "\n").joined(separator: "\n    ")
        let scene = try Scene(url: server.url, extra: indented)
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT count(*), min(id), max(id) FROM books") == ["25|1|25"])
        #expect(server.requests.count == source.requests)
        // Counted pages can shift under the reader, so what they do not show is not taken for gone.
        let canShift = !source.yaml.contains("json_link")
        #expect(result.output.contains("Nothing of `books` counts as gone") == canShift, "\(result.output)")
    }

    @Test func aLimitOfPagesLeavesTheRestUnread() throws {
        let server = try LoopbackServer { request in
            let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
            return .text(Self.records((page - 1) * 10 + 1..<page * 10 + 1))
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url, extra: "paginator: {type: page_number, max_pages: 2}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["20"])
        #expect(result.output.contains("max_pages"))
    }
}
