import Foundation
import Sluice
import TestSupport
import Testing

/// The same table, with a check more.
@PersistentModel(entity: "ShopBook", table: "shop_books", names: .snakeCase)
struct CheckedShopBook {
    let id: Int
    @Attribute(check: .length(1...4)) var title: String
    var price: Decimal?
    @Attribute(json: "author.name") var author: String?
}

/// The same table, whose titles are some words alone.
@PersistentModel(entity: "ShopBook", table: "shop_books", names: .snakeCase)
struct ShelvedShopBook {
    enum Title: String, StoredValue { case dune = "Dune" }
    let id: Int
    var title: Title
    var price: Decimal?
    @Attribute(json: "author.name") var author: String?
}

@Suite("Records that a sync knows by their texts")
struct SyncTextTests {
    private static let options = SyncOptions(source: "shop")

    /// How many bases there are, and how many of them are known by a text.
    private func texts(_ store: Store) async throws -> [String?] {
        try await store.rows("SELECT count(*), count(text_hash) FROM _sluice_base_shop_shop_books_ShopBook").first?
            .texts ?? []
    }

    struct Round: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let records: [String]
        let expected: SyncSummary
    }

    private static let dune = #"{"id":1,"title":"Dune"}"#
    private static let emma = #"{"id":2,"title":"Emma","price":"1.50"}"#
    private static let rounds = [
        Round(testDescription: "as before", records: [dune, emma], expected: SyncSummary(unchanged: 2)),
        Round(
            testDescription: "one has changed, and one is new",
            records: [#"{"id":1,"title":"Dune!"}"#, emma, #"{"id":3,"title":"Ilex"}"#],
            expected: SyncSummary(insert: 1, update: 1, unchanged: 1)),
        Round(
            testDescription: "another text with the same values", records: [#"{"title": "Dune", "id": 1}"#, emma],
            expected: SyncSummary(unchanged: 2)),
    ]

    @Test(arguments: rounds)
    func aSecondSyncSaysTheSameAsOneWithoutTexts(_ round: Round) async throws {
        let store = try Store.temporary(ShopBook.self)
        let first = "[" + [Self.dune, Self.emma].joined(separator: ",") + "]"
        try await store.sync(ShopBook.self, from: first, Self.options)
        #expect(try await texts(store) == ["2", "2"])
        let text = "[" + round.records.joined(separator: ",") + "]"
        #expect(try await store.sync(ShopBook.self, from: text, Self.options).summary == round.expected)
        // The same once more, now that these texts are known.
        let again = try await store.sync(ShopBook.self, from: text, Self.options).summary
        #expect(again == SyncSummary(unchanged: round.records.count))
        #expect(try await texts(store) == Array(repeating: "\(round.records.count)", count: 2))
    }

    @Test func manyRecordsOfSeveralPagesAreKnown() async throws {
        let store = try Store.temporary(ShopBook.self)
        func pages(_ title: (Int) -> String) -> AsyncStream<[UInt8]> {
            AsyncStream { stream in
                for page in 0..<3 {
                    let records = (page * 700..<page * 700 + 700).map { #"{"id":\#($0),"title":"\#(title($0))"}"# }
                    stream.yield(Array("[\(records.joined(separator: ","))]".utf8))
                }
                stream.finish()
            }
        }
        try await store.sync(ShopBook.self, pages: pages { "\($0)" }, Self.options)
        let few = try await store.sync(
            ShopBook.self, pages: pages { $0 % 300 == 0 ? "new" : "\($0)" }, Self.options)
        #expect(few.summary == SyncSummary(update: 7, unchanged: 2_093))
        // Where most have changed, the others are found as well.
        let most = try await store.sync(
            ShopBook.self, pages: pages { $0 % 3 == 0 ? "new" : "newer \($0)" }, Self.options)
        #expect(most.summary.update == 1_400 + 693 && most.summary.unchanged == 7)
        #expect(try await store.rows("SELECT count(*) FROM shop_books WHERE title = 'new'").first?.texts == ["700"])
    }

    private static let text = #"[{"id":1,"title":"Dune"},{"id":2,"title":"Solaris"}]"#

    private func filled(_ folder: TemporaryDirectory) async throws -> String {
        let path = folder.path + "/books.db"
        let store = try Store(path, models: ShopBook.self)
        try await store.sync(ShopBook.self, from: Self.text, Self.options)
        await store.close()
        return path
    }

    @Test func whatACheckMoreRefusesIsNotKnown() async throws {
        let folder = try TemporaryDirectory()
        let store = try Store(try await filled(folder), models: CheckedShopBook.self)
        let checked = try await store.sync(CheckedShopBook.self, from: Self.text, Self.options).summary
        #expect(checked.quarantined == 1 && checked.unchanged == 1)
    }

    @Test func whatAnotherTypeRefusesIsNotKnown() async throws {
        let folder = try TemporaryDirectory()
        let store = try Store(try await filled(folder), models: ShelvedShopBook.self)
        let typed = try await store.sync(ShelvedShopBook.self, from: Self.text, Self.options).summary
        #expect(typed.quarantined == 1 && typed.unchanged == 1)
    }

    @Test func aRecordThatIsNoLongerThereIsGone() async throws {
        let store = try Store.temporary(ShopBook.self)
        var options = Self.options
        options.missing = .hard(maximum: .count(1))
        try await store.sync(ShopBook.self, from: "[\(Self.dune),\(Self.emma)]", options)
        let left = try await store.sync(ShopBook.self, from: "[\(Self.emma)]", options).summary
        #expect(left == SyncSummary(delete: 1, unchanged: 1))
    }
}
