import Foundation
import Synchronization
import TestSupport
import Testing

/// Every paginator reads all pages, once each, and stops where the source says so.
@Suite struct PaginatorTests {
    /// What a source is asked: query, body and headers by name.
    struct Question: Sendable {
        let query: [String: String]
        let body: String
        let headers: [String: String]

        init(_ request: ServerRequest) {
            let items = (request.query ?? "").split(separator: "&").map { $0.split(separator: "=").map(String.init) }
            query = Dictionary(items.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
            body = String(decoding: request.body, as: UTF8.self)
            headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
        }

        /// Whether it was put as a source with a body expects it.
        func isSent(as type: String) -> Bool { headers["content-type"] == type }
    }

    /// A source that is asked with more than a query.
    struct Partner: Sendable, CustomTestStringConvertible {
        let name: String
        let yaml: String
        let requests: Int
        let respond: @Sendable (Question) -> ServerResponse
        var testDescription: String { name }
    }

    private static func page(_ page: Int, rest: String) -> String {
        #"{\#(rest), "data": \#(records((page - 1) * 10 + 1..<page * 10 + 1))}"#
    }

    static let partners = [
        Partner(
            name: "a cursor of the body in the query",
            yaml: """
                records: "data[*]"
                paginator: {type: cursor, cursor_path: meta.next, cursor_param: after, page_size: 10, page_size_param: n}
                """, requests: 3
        ) { question in
            guard question.query["n"] == "10" else { return .text("[]", status: 400) }
            let number = question.query["after"].flatMap { Int($0.dropFirst()) } ?? 1
            let next = number < 3 ? "c\(number + 1)" : ""
            return .text(page(number, rest: #""meta": {"next": "\#(next)"}"#))
        },
        Partner(
            name: "a cursor beside the records of a page that is an array",
            yaml: """
                records: "$[0][*]"
                paginator: {type: cursor, cursor_path: "[1].next", cursor_param: after}
                """, requests: 3
        ) { question in
            let number = question.query["after"].flatMap { Int($0.dropFirst()) } ?? 1
            let next = number < 3 ? #"{"next":"c\#(number + 1)"}"# : "{}"
            return .text("[\(records((number - 1) * 10 + 1..<number * 10 + 1)),\(next)]")
        },
        Partner(
            name: "a cursor that stays, and a flag that says no",
            yaml: """
                records: "data[*]"
                paginator: {type: cursor, cursor_path: "data[-1].id", cursor_param: starting_after, has_more_path: has_more}
                """, requests: 3
        ) { question in
            let last = question.query["starting_after"].flatMap { Int($0) } ?? 0
            return .text(#"{"has_more": \#(last < 20), "data": \#(records(last + 1..<last + 11))}"#)
        },
        Partner(
            name: "a cursor of the last record",
            yaml: """
                paginator: {type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: since}
                """, requests: 4
        ) { question in
            let last = question.query["since"].flatMap { Int($0) } ?? 0
            return .text(records(last + 1..<last + 11))
        },
        Partner(
            name: "a cursor from header to header",
            yaml: """
                paginator: {type: cursor, cursor_from: header, cursor_path: X-Next, cursor_param: X-Cursor, in: header}
                """, requests: 3
        ) { question in
            let number = question.headers["x-cursor"].flatMap { Int($0) } ?? 1
            return .text(
                records((number - 1) * 10 + 1..<number * 10 + 1),
                headers: number < 3 ? [("X-Next", "\(number + 1)")] : [])
        },
        Partner(
            name: "an object that goes back as it came, in a JSON body",
            yaml: """
                body: {json: {query: {state: open, "näme": "quoted"}, size: 10}}
                records: "data[*]"
                paginator: {type: cursor, cursor_path: next, cursor_param: query.cursor, in: body}
                """, requests: 3
        ) { question in
            let start = #"{"query":{"state":"open","näme":"quoted""#
            guard question.isSent(as: "application/json"), question.body.hasPrefix(start) else {
                return .text(question.body, status: 400)
            }
            let number = (1...3).last { number in
                question.body.contains(#","cursor":{"page":\#(number),"key":["k",null]}},"size":10}"#)
            }
            let current = number ?? 1
            let next = current < 3 ? #"{"page": \#(current + 1), "key": ["k", null]}"# : "null"
            return .text(page(current, rest: #""next": \#(next)"#))
        },
        Partner(
            name: "offsets in a form",
            yaml: """
                method: POST
                body: {form: {q: "a b&c"}}
                records: "data[*]"
                paginator: {type: offset, total_path: total, page_size: 10, in: body}
                """, requests: 3
        ) { question in
            guard question.isSent(as: "application/x-www-form-urlencoded"),
                question.body.hasPrefix("q=a+b%26c&limit=10&offset=")
            else { return .text(question.body, status: 400) }
            let offset = Int(question.body.split(separator: "=").last ?? "") ?? 99
            return .text(#"{"total": 25, "data": \#(records(offset + 1..<offset + 11))}"#)
        },
    ]

    /// Sources whose records are found in another way than by a path.
    static let forms = [
        Partner(
            name: "pages of a program up to one without records",
            yaml: """
                records: {jq: '.groups[][]'}
                paginator: {type: page_number}
                """, requests: 4
        ) { question in
            let page = question.query["page"].flatMap { Int($0) } ?? 0
            return .text(#"{"groups": [\#(records((page - 1) * 10 + 1..<page * 10 + 1))]}"#)
        },
        Partner(
            name: "lines, led on by the last one",
            yaml: """
                format: jsonl
                paginator: {type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: since}
                """, requests: 4
        ) { question in
            let last = question.query["since"].flatMap { Int($0) } ?? 0
            return .text(lines(last + 1..<last + 11))
        },
        Partner(
            name: "packed pages with the size that was asked for",
            yaml: """
                records: "data[*]"
                paginator: {type: json_link, path: next, page_size: 10, page_size_param: n}
                """, requests: 3
        ) { question in
            let number = question.query["page"].flatMap { Int($0) } ?? 1
            let next = number < 3 ? "\"/books?page=\(number + 1)\"" : "null"
            let text = page(number, rest: #""next": \#(next)"#)
            return ServerResponse(body: .bytes(Gzip.stored(Array(text.utf8))))
        },
    ]

    @Test(arguments: partners + forms)
    func allPagesAreRead(partner: Partner) throws {
        let server = try LoopbackServer { partner.respond(Question($0)) }
        defer { server.stop() }
        let indented = partner.yaml.split(separator: "\n").joined(separator: "\n    ")
        let scene = try Scene(url: server.url, extra: indented)
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT count(*), min(id), max(id) FROM books") == ["25|1|25"])
        #expect(server.requests.count == partner.requests)
    }

    @Test func aCursorThatStaysTheSameIsACircle() throws {
        let server = try LoopbackServer { _ in .text(Self.page(1, rest: #""next": "same""#)) }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url,
            extra: "records: \"data[*]\"\n    paginator: {type: cursor, cursor_path: next, cursor_param: after}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 1)
        #expect(result.errors.contains("repeat themselves") || result.errors.contains("circle"), "\(result.errors)")
        #expect(server.requests.count == 2)
    }

    @Test func aProgramStopsTheReading() throws {
        let server = try LoopbackServer { request in
            let number = Question(request).query["page"].flatMap { Int($0) } ?? 1
            return .text(Self.page(number, rest: #""page": \#(number)"#), headers: [("X-Kind", "books")])
        }
        defer { server.stop() }
        let program =
            #".status == 200 and .headers["x-kind"] == "books" and .body.page == 2 and (.records | length) == 10"#
        let scene = try Scene(
            url: server.url,
            extra: "records: \"data[*]\"\n    paginator: {type: page_number, stop_when: '\(program)'}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["20"])
        #expect(result.output.contains("`stop_when` was true after 2 pages"), "\(result.output)")
    }

    @Test(
        "A program that is true of a page that leads nowhere proves nothing gone",
        arguments: [
            "type: json_link, path: next", "type: header_link", "type: cursor, cursor_path: next, cursor_param: c",
            "type: page_number, total_pages_path: pages", "type: offset, total_path: total", "type: page_number",
        ])
    func aProgramCountsAtTheEnd(paginator: String) throws {
        let isFirst = Mutex(true)
        let server = try LoopbackServer { request in
            if paginator == "type: page_number", request.query != "page=1" { return ServerResponse(status: 204) }
            let count = isFirst.withLock { $0 } ? 3 : 1
            let records = (1...count).map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ",")
            return .text(#"{"data":[\#(records)],"pages":1,"total":\#(count),"is_broken":\#(count == 1)}"#)
        }
        defer { server.stop() }
        // Of a page without content the program knows no body, and fails.
        let program = "if .body then .body.is_broken else error end"
        let scene = try Scene(
            url: server.url, extra: "records: \"data[*]\"\n    paginator: {\(paginator), stop_when: '\(program)'}")
        let first = try Program.run("run", "books.yaml", "--strict", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        isFirst.withLock { $0 = false }
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.output.contains("`stop_when` was true after 1 page"), "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["3"])
    }

    @Test(
        "A full page on which the paginator finds nothing proves nothing gone",
        arguments: [
            "{type: json_link, path: next, page_size: 10, page_size_param: n}",
            "{type: header_link, page_size: 10, page_size_param: n}",
            "{type: cursor, cursor_path: next, cursor_param: c, page_size: 10, page_size_param: n}",
            "{type: header_link}\n    params: {per_page: 10}",
        ])
    func aFullOnlyPageWithoutALinkIsNotTheEnd(paginator: String) throws {
        let number = Mutex(1)
        let server = try LoopbackServer { _ in
            .text(Self.page(number.withLock { $0 }, rest: #""other": null"#))
        }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url,
            extra: """
                records: "data[*]"
                    paginator: \(paginator)
                """)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        number.withLock { $0 = 2 }
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect((result.output + result.errors).contains("has exactly the 10 records"), "\(result.output)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["20"])
        #expect(try Program.run("run", "books.yaml", "--strict", in: scene.path).code == 3)
    }

    @Test func aFullLastPageBehindLinksIsANote() throws {
        let server = try LoopbackServer { request in
            let number = Question(request).query["p"].flatMap { Int($0) } ?? 1
            let next = number < 2 ? #""next": "/books?p=2""# : #""other": null"#
            return .text(Self.page(number, rest: next))
        }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url,
            extra: """
                records: "data[*]"
                    paginator: {type: json_link, path: next, page_size: 10, page_size_param: n}
                """)
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect((result.output + result.errors).contains("is full and names no next page"), "\(result.output)")
    }

    @Test(arguments: [
        (#""next": null"#, "{type: json_link, path: next"), (#""meta": null"#, "{type: json_link, path: meta.next"),
        (#""next": """#, "{type: cursor, cursor_path: next, cursor_param: c"),
        (
            #""more": false"#,
            "{type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: c, has_more_path: more"
        ),
    ])
    func aFullLastPageThatSaysThatItIsTheLastIsNone(rest: String, paginator: String) throws {
        let server = try LoopbackServer { _ in .text(Self.page(1, rest: rest)) }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url,
            extra: "records: \"data[*]\"\n    paginator: \(paginator), page_size: 10, page_size_param: n}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0 && server.requests.count == 1, "\(result.errors)")
        #expect(!(result.output + result.errors).contains("warning"), "\(result.output)\(result.errors)")
    }

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

    private static func lines(_ range: Range<Int>) -> String {
        range.clamped(to: 1..<26).map { #"{"id": \#($0), "title": "t\#($0)", "price": \#($0)}"# + "\n" }.joined()
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
        #expect(!result.output.contains("counts as gone"), "\(result.output)")
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
