import FoundationEssentials
import SluiceHTTP
import TestSupport
import Testing

@Suite struct LinkHeaderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let values: [String]
        let next: String?
    }

    static let cases = [
        Case(testDescription: "plain", values: ["<https://x.example/2>; rel=\"next\""], next: "https://x.example/2"),
        Case(
            testDescription: "without quotes", values: ["<https://x.example/2>;rel=next"], next: "https://x.example/2"),
        Case(testDescription: "in single quotes", values: ["</2>;rel='next'"], next: "https://x.example/2"),
        Case(testDescription: "names in any case", values: ["</2>; REL=Next"], next: "https://x.example/2"),
        Case(testDescription: "several relations", values: ["</2>; rel=\"last NEXT\""], next: "https://x.example/2"),
        Case(testDescription: "second link", values: ["</0>; rel=prev, </2>; rel=next"], next: "https://x.example/2"),
        Case(
            testDescription: "second field", values: ["</0>; rel=prev", "</2>; rel=next"], next: "https://x.example/2"),
        Case(
            testDescription: "comma, semicolon and quote within quotes",
            values: ["</0>; title=\"a, \\\"b; </9>; rel=next\"; rel=prev, </2>; rel=next"], next: "https://x.example/2"),
        Case(
            testDescription: "comma in the target", values: ["</2?a=1,2;3>; rel=next"],
            next: "https://x.example/2?a=1,2;3"),
        Case(testDescription: "query only", values: ["<?page=2>; rel=next"], next: "https://x.example/items?page=2"),
        Case(testDescription: "only the first rel counts", values: ["</2>; rel=prev; rel=next"], next: nil),
        Case(testDescription: "about another document", values: ["</2>; rel=next; anchor=\"/other\""], next: nil),
        Case(testDescription: "about a part", values: ["</2>; rel=next; anchor=\"#part\""], next: nil),
        Case(
            testDescription: "about this document",
            values: ["</2>; rel=next; anchor=\"https://x.example/items?page=1\""], next: "https://x.example/2"),
        Case(
            testDescription: "about this document, by an empty anchor", values: ["</2>; anchor=\"\"; rel=next"],
            next: "https://x.example/2"),
        Case(testDescription: "no relation", values: ["</2>"], next: nil),
        Case(testDescription: "a longer word", values: ["</2>; rel=nextish"], next: nil),
        Case(testDescription: "unclosed", values: ["</2; rel=next"], next: nil),
        Case(testDescription: "unclosed quotes", values: ["</2>; rel=\"next"], next: "https://x.example/2"),
        Case(
            testDescription: "rubbish before", values: ["rubbish; a=\"</1>; rel=next\", </2>; rel=next"],
            next: "https://x.example/2"),
        Case(testDescription: "empty elements", values: [", ,</2>;;rel=next;,"], next: "https://x.example/2"),
        Case(testDescription: "empty", values: [""], next: nil),
    ]

    @Test(arguments: cases)
    func theNextPageIsFound(_ item: Case) throws {
        let url = try HTTPURL("https://x.example/items?page=1")
        #expect(try LinkHeader(item.values).target(of: "next", from: url)?.text == item.next)
    }

    @Test func aTargetThatIsNoWebAddressIsAnError() throws {
        let url = try HTTPURL("https://x.example/")
        let error = #expect(throws: HTTPError.self) {
            try LinkHeader(["<ftp://x.example/2>; rel=next"]).target(of: "next", from: url)
        }
        #expect(error?.code == .invalidURL)
    }

    /// A row of a suite: a link per relation type, its other members parameters.
    private struct Row: Decodable {
        enum Header: Decodable {
            case one(String)
            case many([String])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let one = try? container.decode(String.self) {
                    self = .one(one)
                } else {
                    self = .many(try container.decode([String].self))
                }
            }
        }

        enum Value: Decodable {
            case text(String)
            case other

            init(from decoder: any Decoder) throws {
                self = (try? decoder.singleValueContainer().decode(String.self)).map(Value.text) ?? .other
            }
        }

        let name: String
        let header: Header
        let links: [[String: Value]]
    }

    @Test(.enabled(if: Conformance.isAvailable), arguments: ["cases", "quirks", "github-recorded"])
    func theSuiteAgrees(_ file: String) throws {
        let bytes = try Conformance.bytes("link-header/\(file).json")
        for row in try JSONDecoder().decode([Row].self, from: Data(bytes)) {
            // What has no relation is no link here, while the suites' parsers differ about it.
            let expected = row.links.filter { $0["rel"] != nil }
            let values =
                switch row.header {
                case .one(let value): [value]
                case .many(let values): values
                }
            // The suites list a link once for each of its relations.
            let found = LinkHeader(values).links.flatMap { link in link.relations.map { (link, $0) } }
            #expect(found.map(\.0.target) == expected.map { text($0["uri"]) }, "\(row.name)")
            #expect(found.map(\.1) == expected.map { text($0["rel"]) }, "\(row.name)")
            for ((link, _), row) in zip(found, expected) {
                for (name, value) in row where name != "uri" && name != "rel" {
                    guard case .text(let value) = value else { continue }
                    #expect(link.parameter(name) == value, "\(link.target): \(name)")
                }
            }
        }
    }

    private func text(_ value: Row.Value?) -> String {
        if case .text(let text) = value { text } else { "" }
    }
}
