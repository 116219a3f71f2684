import FoundationEssentials
import SluiceHTTP
import SluiceJSON
import SluicePipeline
import TestSupport
import Testing

@testable import SluiceDecode
@testable import SluiceFetch
@testable import SluicePages

/// What each paginator requests: first, next, ahead, and where it ends.
@Suite struct PaginatorRequestTests {
    private typealias Stream = StreamDefinition

    /// An answer of the source.
    struct Answer: Sendable {
        var headers: [HTTPField] = []
        var body = "{}"

        /// A page of the records from one number to another.
        init(_ ids: Range<Int> = 0..<0, _ rest: String = #""a": 1"#, headers: [HTTPField] = []) {
            self.headers = headers
            let records = ids.map { "{\"id\": \($0)}" }.joined(separator: ", ")
            body = "{\(rest), \"data\": [\(records)]}"
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let paginator: StreamDefinition.Paginator
        var limits = StreamDefinition.PageLimits()
        let answers: [Answer]
        /// The requests, the first one included, without the base URL.
        let requests: [String]
        /// The pages that are known after the first one, besides the second.
        var ahead: [String] = []
        var end = "end"
        var testDescription: String { name }
    }

    private static func limits(_ size: Int? = nil, pages: Int? = nil) -> Stream.PageLimits {
        var limits = Stream.PageLimits()
        (limits.size, limits.sizeParameter, limits.maximumPages) = (size, "n", pages)
        return limits
    }

    private static func cursor(_ origin: Stream.Cursor.Origin, _ place: String, more: String? = nil) -> Stream.Paginator
    {
        var cursor = Stream.Cursor()
        (cursor.origin, cursor.parameter) = (origin, "after")
        if origin == .header { cursor.header = place } else { cursor.path = JSONPath(names: [place]) }
        cursor.hasMorePath = more.map { JSONPath(names: [$0]) }
        return .cursor(cursor)
    }

    private static func pages(from start: Int = 1, total: String? = nil) -> Stream.Paginator {
        var rule = Stream.PageNumber()
        (rule.start, rule.totalPath) = (start, total.map { JSONPath(names: [$0]) })
        return .pageNumber(rule)
    }

    private static func offset(total: String? = nil) -> Stream.Paginator {
        var rule = Stream.Offset()
        rule.totalPath = total.map { JSONPath(names: [$0]) }
        return .offset(rule)
    }

    static let cases = [
        Case(name: "none", paginator: .none, answers: [Answer(0..<2)], requests: [""]),
        Case(
            name: "header_link", paginator: .headerLink(relation: "next"), limits: limits(2),
            answers: [
                Answer(0..<2, headers: [HTTPField("Link", "</items?p=2>; rel=\"next\"")]),
                Answer(2..<3, headers: [HTTPField("Link", "</items?p=1>; rel=\"prev\"")]),
            ], requests: ["?n=2", "?p=2"]),
        Case(
            name: "json_link", paginator: .jsonLink(path: JSONPath(names: ["next"])),
            answers: [Answer(0..<1, #""next": "?c=b""#), Answer(1..<2, #""next": null"#)], requests: ["", "?c=b"]),
        Case(
            name: "cursor of the body", paginator: cursor(.body, "next"), limits: limits(1),
            answers: [Answer(0..<1, #""next": "b""#), Answer(1..<2, #""next": 7"#), Answer(2..<3, #""next": """#)],
            requests: ["?n=1", "?n=1&after=b", "?n=1&after=7"]),
        Case(
            name: "cursor of a header", paginator: cursor(.header, "X-Next"),
            answers: [Answer(0..<1, headers: [HTTPField("X-Next", "b")]), Answer(1..<2)], requests: ["", "?after=b"]),
        Case(
            name: "cursor of the last record", paginator: cursor(.lastRecord, "id"),
            answers: [Answer(1..<3), Answer(3..<4), Answer()], requests: ["", "?after=2", "?after=3"]),
        Case(
            name: "a cursor that stays, and a flag", paginator: cursor(.body, "next", more: "more"),
            answers: [Answer(0..<1, #""next": "b", "more": true"#), Answer(1..<2, #""next": "b", "more": false"#)],
            requests: ["", "?after=b"]),
        Case(
            name: "page_number", paginator: pages(from: 0), answers: [Answer(0..<2), Answer(2..<3), Answer()],
            requests: ["?page=0", "?page=1", "?page=2"]),
        Case(
            name: "page_number with the number of pages", paginator: pages(total: "total"), limits: limits(2),
            answers: [Answer(0..<2, #""total": 4"#), Answer(2..<4, #""total": "2""#)],
            requests: ["?n=2&page=1", "?n=2&page=2"], ahead: ["?n=2&page=3", "?n=2&page=4"]),
        Case(
            name: "page_number without the number of pages that it should have", paginator: pages(total: "total"),
            answers: [Answer(0..<2), Answer()], requests: ["?page=1", "?page=2"]),
        Case(
            name: "page_number behind the last number", paginator: pages(from: .max), answers: [Answer(0..<2)],
            requests: ["?page=\(Int.max)"]),
        Case(
            name: "offset", paginator: offset(), limits: limits(2), answers: [Answer(0..<2), Answer(2..<3), Answer()],
            requests: ["?limit=2&offset=0", "?limit=2&offset=2", "?limit=2&offset=3"]),
        Case(
            name: "offset with the number of records", paginator: offset(total: "total"),
            answers: [Answer(0..<2, #""total": 7"#), Answer(2..<4, #""total": 4"#)],
            requests: ["?offset=0", "?offset=2"], ahead: ["?offset=4", "?offset=6"]),
        Case(
            name: "offset with an empty page before the end", paginator: offset(total: "total"),
            answers: [Answer(0..<2, #""total": 5"#), Answer(0..<0, #""total": 5"#)],
            requests: ["?offset=0", "?offset=2"], ahead: ["?offset=4"],
            end: "a page was empty before the total was reached"),
        Case(
            name: "max_pages", paginator: offset(total: "total"), limits: limits(pages: 2),
            answers: [Answer(0..<2, #""total": 9"#), Answer(2..<4, #""total": 9"#)],
            requests: ["?offset=0", "?offset=2"], end: "only 2 pages were read, as `max_pages` says"),
    ]

    @Test(arguments: cases) func pagesFollowEachOther(_ example: Case) throws {
        var stream = Stream(name: "items", entity: "Item")
        stream.records = try JSONPath(parsing: "data[*]")
        (stream.paginator, stream.pageLimits) = (example.paginator, example.limits)
        let base = "https://api.test/items"
        var pagination = try Pagination(stream: stream, first: HTTPURL(base), showsValues: true)
        let reading = try RecordsReading(stream: stream, maximumRecordBytes: 1 << 20, showsValues: true)
        var request = pagination.start
        var requests = [String(request.url.text.dropFirst(base.count))]
        var ahead: [String] = []
        var end = "no end"
        try withTemporaryDirectory { folder in
            for (index, answer) in example.answers.enumerated() {
                let file = folder.file("\(index).json")
                try answer.body.write(toFile: file, atomically: true, encoding: .utf8)
                let page = Page(content: .file(path: file), name: file, fileStem: "")
                let view = try pagination.view(of: page, reading: reading, showsValues: true)
                let head = HTTPResponseHead(
                    status: 200, httpVersion: "1.1", headers: HTTPHeaders(answer.headers), url: request.url)
                switch try pagination.step(after: head, view, name: file) {
                case .next(let next):
                    request = next
                    requests.append(String(next.url.text.dropFirst(base.count)))
                    if index == 0 { ahead = pagination.ahead(9).map { String($0.url.text.dropFirst(base.count)) } }
                    // Whoever goes on at the token requests the same.
                    var resumed = try Pagination(stream: stream, first: HTTPURL(base), showsValues: true)
                    #expect(try resumed.resume(at: pagination.token) == next)
                    #expect(resumed.token == pagination.token)
                case .end: end = "end"
                case .known: end = "known"
                case .stop(let reason, _): end = reason
                }
            }
        }
        #expect(requests == example.requests)
        #expect(ahead == example.ahead)
        #expect(end == example.end)
    }

    struct ListCase: Sendable, CustomTestStringConvertible {
        let name: String
        let paginator: StreamDefinition.Paginator
        let lead: PageToken.Lead?
        var pageSize: Int?
        var start: String?
        var testDescription: String { name }
    }

    static let lists = [
        ListCase(name: "none", paginator: .none, lead: nil),
        ListCase(name: "header_link", paginator: .headerLink(relation: "next"), lead: nil),
        ListCase(name: "json_link", paginator: .jsonLink(path: JSONPath(names: ["next"])), lead: .link("/rest")),
        ListCase(name: "cursor of the body", paginator: cursor(.body, "next"), lead: .value(.text("/rest"))),
        ListCase(name: "cursor of a header", paginator: cursor(.header, "X-Next"), lead: nil),
        ListCase(
            name: "cursor of a header with a path", paginator: cursor(.header, "X-Next"),
            lead: .value(.text("other")), start: "from"),
        ListCase(name: "cursor of the last record", paginator: cursor(.lastRecord, "id"), lead: .value(PageValue(4))),
        ListCase(name: "page_number", paginator: pages(), lead: nil),
        ListCase(name: "page_number and full pages", paginator: pages(), lead: .value(PageValue(3)), pageSize: 2),
        ListCase(name: "page_number and a page that is cut", paginator: pages(), lead: nil, pageSize: 3),
        ListCase(name: "page_number behind the last number", paginator: pages(from: .max), lead: nil, pageSize: 2),
        ListCase(name: "offset", paginator: offset(), lead: .value(PageValue(4))),
    ]

    @Test(arguments: lists) func listsContinue(_ example: ListCase) throws {
        let text = #"{"next": "/rest", "from": "other", "data": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]}"#
        let parser = JSONParser()
        let envelope = try unsafe parser.parse(Array(text.utf8))
        let container = try #require(JSONPath(names: ["data"]).first(in: envelope))
        let beginning = ListBeginning(
            envelope: envelope, container: container, count: container.count,
            start: example.start.map { JSONPath(names: [$0]) }, pageSize: example.pageSize)
        #expect(example.paginator.requester.beginning(of: beginning)?.lead == example.lead)
    }

    /// What the rest of Sluice asks of a paginator, and that both tables of types name the same one.
    @Test func whatFollowsFromThem() throws {
        struct Facts: Equatable {
            let type: String
            let isCounted: Bool
            let readsNextPlace: Bool
            let continuesLists: Bool
        }
        let all: [Stream.Paginator] = [
            .none, .headerLink(relation: "next"), .jsonLink(path: JSONPath(names: ["a"])), Self.cursor(.body, "a"),
            Self.cursor(.header, "a"), Self.cursor(.lastRecord, "a"), Self.pages(), Self.offset(),
        ]
        let facts = all.map(\.rule).map {
            Facts(
                type: $0.type, isCounted: $0.isCounted, readsNextPlace: $0.readsNextPlace,
                continuesLists: $0.continuesLists)
        }
        #expect(
            facts == [
                Facts(type: "none", isCounted: false, readsNextPlace: false, continuesLists: false),
                Facts(type: "header_link", isCounted: false, readsNextPlace: false, continuesLists: false),
                Facts(type: "json_link", isCounted: false, readsNextPlace: true, continuesLists: true),
                Facts(type: "cursor", isCounted: false, readsNextPlace: true, continuesLists: true),
                Facts(type: "cursor", isCounted: false, readsNextPlace: false, continuesLists: false),
                Facts(type: "cursor", isCounted: false, readsNextPlace: true, continuesLists: true),
                Facts(type: "page_number", isCounted: true, readsNextPlace: false, continuesLists: false),
                Facts(type: "offset", isCounted: true, readsNextPlace: false, continuesLists: true),
            ])
        for paginator in all { #expect(paginator.requester.type == paginator.rule.type) }
    }
}
