import Foundation
import Testing

/// `validate --explain` says which features a stream has, and what of the pipeline stands against the others.
@Suite("Features of streams")
struct FeatureTests {
    /// A stream over HTTP with something besides, and a feature with what its reasons begin with; none where it is on.
    struct Case: CustomTestStringConvertible, Sendable {
        var stream = ""
        var entity = ""
        var source = ""
        var root = ""
        let feature: String
        var reasons: [String] = []
        var testDescription: String { "\(feature): \(root) \(source) \(entity) \(stream)" }
    }

    static let cases = [
        Case(feature: "fingerprints"),
        Case(feature: "conditional_requests"),
        Case(feature: "page_commit", reasons: ["The run is kept as a whole (`commit: run`)."]),
        Case(feature: "waiting_pages", reasons: ["The run is kept as a whole (`commit: run`)."]),
        Case(root: "commit: page", feature: "page_commit"),
        Case(root: "commit: page", feature: "waiting_pages"),
        Case(root: "commit: page", feature: "fingerprints", reasons: ["`commit: page` keeps pages one by one."]),
        Case(
            entity: "note: {type: string, redact: hash}", root: "commit: page", feature: "waiting_pages",
            reasons: ["Fields have `redact`, and a page has their values in clear."]),
        Case(entity: "note: {type: string, redact: hash}", feature: "fingerprints", reasons: ["Fields have `redact`."]),
        Case(
            entity: "note: {type: string, owner: remote}", feature: "fingerprints",
            reasons: ["Fields have `owner: remote`, so every run puts edits of them back."]),
        Case(
            entity: "note: {type: string, owner: remote}", feature: "conditional_requests",
            reasons: ["Fields have `owner: remote`, so every run puts edits of them back."]),
        Case(
            source: "conditional: none", feature: "conditional_requests",
            reasons: ["`source` has `conditional: none`."]),
        Case(
            stream: "write_mode: replace", feature: "conditional_requests",
            reasons: ["`write_mode: replace` needs every record to put edits back."]),
        Case(stream: "write_mode: append", feature: "fingerprints", reasons: ["Its `write_mode` is `append`."]),
        Case(
            stream: "method: POST", feature: "conditional_requests", reasons: ["Its `method` is not GET."]),
        Case(
            stream: "for_each: [eu, us], params: {region: \"{{ item }}\"}", feature: "conditional_requests",
            reasons: ["It asks once for each item of `for_each`."]),
        Case(
            stream: "for_each: [eu, us], params: {region: \"{{ item }}\"}", root: "commit: page",
            feature: "page_commit", reasons: ["It asks once for each item of `for_each`."]),
        Case(
            stream:
                "incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z}, params: {since: \"{{ cursor.start }}\"}",
            entity: "at: datetime",
            feature: "fingerprints",
            reasons: ["`commit: page` keeps pages one by one.", "`incremental` asks for what changed."]),
        Case(
            stream: "paginator: {type: page_number}", feature: "conditional_requests",
            reasons: [
                "`paginator` counts pages: a record may move from one to another unseen, whatever their versions say."
            ]),
        Case(
            stream: "paginator: {type: offset}", feature: "conditional_requests",
            reasons: [
                "`paginator` counts pages: a record may move from one to another unseen, whatever their versions say."
            ]),
        Case(stream: "paginator: {type: header_link}", feature: "conditional_requests"),
        Case(feature: "parallel_pages", reasons: ["It has one page: its `paginator` is `none`."]),
        Case(
            stream: "paginator: {type: header_link}", feature: "parallel_pages",
            reasons: ["Each page says where the next one is."]),
        Case(
            stream: "paginator: {type: page_number}", feature: "parallel_pages",
            reasons: ["`paginator` has no `total_pages_path` that says how many pages there are."]),
        Case(
            stream: "paginator: {type: page_number, total_pages_path: pages}, records: \"$.books[*]\"",
            feature: "parallel_pages"),
        Case(
            stream: "paginator: {type: page_number, total_pages_path: pages}, records: \"$.books[*]\"",
            source: "rate_limit: {concurrency: 1}", feature: "parallel_pages",
            reasons: ["`rate_limit` has `concurrency: 1`."]),
    ]

    @Test("What stands against a feature", arguments: cases)
    func reasons(_ one: Case) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            \(one.root)
            source: {base_url: "http://localhost:1"\(one.source.isEmpty ? "" : ", " + one.source)}
            entities:
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, title: string\(one.entity.isEmpty ? "" : ", " + one.entity)}
            streams:
              - {name: books, entity: Book, path: /books\(one.stream.isEmpty ? "" : ", " + one.stream)}
            """, to: "shop.yaml")
        let outcome = shop.sluice("validate", shop.pipeline, "--explain", "--format", "json")
        #expect(outcome.code == 0, "\(outcome.output)")
        let found = try features(outcome.output)
        #expect(found[one.feature]?.reasons == one.reasons)
        #expect(found[one.feature]?.isOn == one.reasons.isEmpty)
    }

    @Test("Another stream of the table stands against what one source alone can have; files against requests")
    func tables() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            merge: {precedence: [books, more]}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - {name: books, entity: Book, path: books.json}
              - {name: more, entity: Book, path: more.json}
            """, to: "shop.yaml")
        let text = shop.sluice("validate", shop.pipeline, "--explain").output
        #expect(text.contains("shop/books\n  fingerprints          off  `more` fills a table of it too.\n"), "\(text)")
        #expect(
            text.contains("  conditional_requests  off  The source is files. `more` fills a table of it too.\n"),
            "\(text)")
        #expect(text.contains("shop/more\n") && text.hasSuffix("1 pipeline file is valid.\n"), "\(text)")
        #expect(!shop.sluice("validate", shop.pipeline).output.contains("fingerprints"))
        #expect(!shop.sluice("validate", shop.pipeline, "--format", "json").output.contains("streams"))
    }

    private struct Document: Decodable {
        struct Stream: Decodable { let features: [Feature] }
        struct Feature: Decodable {
            let feature: String
            let on: Bool
            let reasons: [String]
        }
        let streams: [Stream]
    }

    private func features(_ json: String) throws -> [String: (isOn: Bool, reasons: [String])] {
        let document = try JSONDecoder().decode(Document.self, from: Data(json.utf8))
        let features = try #require(document.streams.first).features
        return Dictionary(features.map { ($0.feature, ($0.on, $0.reasons)) }) { first, _ in first }
    }
}
