import Foundation
import Sluice
import TestSupport
import Testing

@PersistentModel private struct Sale {
    let id: Int
    var article: String
    var price: Decimal?
    var at: Date
    @Relationship(inverse: .none, deleteRule: .nullify) var shop: Ref<SaleShop>?
}

@PersistentModel private struct SaleShop {
    @Attribute(.identifier) let code: String
    var town: String
}

/// Groups by several things that records have in common, and their order.
struct GroupTests {
    private func store() async throws -> Store {
        let store = try Store.temporary(Sale.self, SaleShop.self)
        var shops = [SaleShop(code: "a", town: "Rome"), SaleShop(code: "b", town: "Oslo")]
        try await store.save(&shops)
        // The seconds of 2024-01-01, 2024-02-01 and 2025-01-01.
        let (january, february, next) = (1_704_067_200.0, 1_706_745_600.0, 1_735_689_600.0)
        let rows: [(String, String?, Double, String?)] = [
            ("tea", "0.10", january, "a"), ("tea", "0.2", january, "b"), ("rug", "20", february, "a"),
            ("tea", "0.1", next, "a"), ("rug", nil, next, nil), ("tea", "0.100", january, "a"),
        ]
        var sales = rows.enumerated().map { index, row in
            Sale(
                id: index + 1, article: row.0, price: row.1.flatMap { Decimal(string: $0) },
                at: Date(timeIntervalSince1970: row.2), shop: row.3.map { Ref($0) })
        }
        try await store.save(&sales)
        return store
    }

    @Test func haveSeveralThingsInCommon() async throws {
        let store = try await store()
        let months = Sale.group(by: { ($0.at.year, $0.at.month) }) {
            ($0.at.year, $0.at.month, $0.count(), $0.price.sum())
        }
        let rows = try await store.fetch(months)
        #expect(rows.map(\.0) == [2024, 2024, 2025] && rows.map(\.1) == [1, 2, 1] && rows.map(\.2) == [3, 1, 2])
        #expect(rows.map(\.3) == ["0.4", "20", "0.1"].map { Decimal(string: $0) })
        let large = try await store.fetch(months.having { $0.count() > 1 })
        #expect(large.map(\.0) == [2024, 2025])
        // Of a narrower query, and of three things, one of which is led to.
        let towns = try await store.fetch(
            Sale.where { $0.article == "tea" }.group(by: { ($0.shop.town, $0.at.year, $0.at.month) }) {
                ($0.shop.town, $0.at.year, $0.count())
            })
        #expect(towns.map(\.0) == ["Oslo", "Rome", "Rome"] && towns.map(\.1) == [2024, 2024, 2025])
        #expect(towns.map(\.2) == [1, 2, 1])
    }

    @Test func takePropertiesAsTheyAre() async throws {
        let store = try await store()
        let rows = try await store.fetch(
            Sale.group(by: \.article, \.shop.town) { ($0.article, $0.shop.town, $0.count()) })
        #expect(rows.map(\.0) == ["rug", "rug", "tea", "tea"] && rows.map(\.1) == [nil, "Rome", "Oslo", "Rome"])
        #expect(rows.map(\.2) == [1, 1, 1, 3])
        // Values are one group where they mean the same.
        let prices = try await store.fetch(
            Sale.all.group(by: \.price, \.article, \.shop.code) { ($0.price, $0.count()) }.having { $0.count() > 1 })
        #expect(prices.map(\.0) == [Decimal(string: "0.1")] && prices.map(\.1) == [3])
    }

    @Test func haveAnOrder() async throws {
        let store = try await store()
        func articles(
            _ order: (Selection<Sale, String, String?>) -> Selection<Sale, String, String?>
        ) async throws -> [String] {
            let groups = Sale.group(by: \.article, \.shop.town) { ($0.article, $0.shop.town) }
            return try await store.fetch(order(groups)).map { "\($0.0) \($0.1 ?? "-")" }
        }
        #expect(
            try await articles { $0.order(by: { $0.count() }, .descending) }
                == ["tea Rome", "rug -", "rug Rome", "tea Oslo"])
        #expect(
            try await articles { $0.order(by: { $0.price.sum() }).order(by: \.article) }
                == ["rug -", "tea Oslo", "tea Rome", "rug Rome"])
        // Sums of decimals are ordered as numbers, and not as texts.
        #expect(
            try await articles { $0.order(by: { $0.price.max() }, .descending) }
                == ["rug Rome", "tea Oslo", "tea Rome", "rug -"])
        // What is selected without groups has an order too, behind that of the query.
        let rows = try await store.fetch(
            Sale.order(by: \.article).select { ($0.article, $0.id) }.order(by: { $0.shop.town }, .descending))
        #expect(rows.map(\.1) == [3, 5, 1, 4, 6, 2])
        #expect(
            try await store.fetch(Sale.select { $0.article }.distinct().order(by: \.article, .descending))
                == ["tea", "rug"])
    }

    /// Groups have the records that they have in Swift, whatever the records are.
    @Test(arguments: Seeds.first(4)) func areThoseOfSwift(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try Store.temporary(Sale.self, SaleShop.self)
        var shops = ["a", "b"].map { SaleShop(code: $0, town: $0.uppercased()) }
        try await store.save(&shops)
        var sales = (0..<200).map { id in
            Sale(
                id: id, article: ["tea", "Tea", "rug"].randomElement(using: &random) ?? "",
                price: Int.random(in: 0...3, using: &random) == 0
                    ? nil : Decimal(Int.random(in: -300...300, using: &random)) / 10,
                at: Date(timeIntervalSince1970: .random(in: 0...80_000_000, using: &random)),
                shop: ["a", "b", nil].randomElement(using: &random)?.map { Ref($0) })
        }
        try await store.save(&sales)
        let groups = try await store.fetch(
            Sale.group(by: { ($0.article, $0.shop.town, $0.at.year) }) {
                ($0.article, $0.shop.town, $0.at.year, $0.count(), $0.price.sum(), $0.price.max())
            })
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        func key(_ article: String, _ town: String?, _ year: Int?) -> String {
            "\(article) \(town ?? "-") \(year ?? 0)"
        }
        let expected = Dictionary(grouping: sales) {
            key($0.article, $0.shop?.key.uppercased(), calendar.component(.year, from: $0.at))
        }
        #expect(groups.count == expected.count && groups.count > 6)
        for group in groups {
            let prices = expected[key(group.0, group.1, group.2)]?.map(\.price) ?? []
            #expect(group.3 == prices.count)
            #expect(group.4 == (prices.compactMap { $0 }.isEmpty ? nil : prices.compactMap { $0 }.reduce(0, +)))
            #expect(group.5 == prices.compactMap { $0 }.max())
        }
        // They come in the order of what they have in common, without a value first.
        let order = groups.map { ($0.0, $0.1 ?? "", $0.2 ?? 0) }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// What gives no path is refused where it runs; the compiler has warned of it.
    @Test func refuseNothing() async throws {
        let store = try await store()
        let nothing = Sale.select { _ in }
        let error = await #expect(throws: SluiceError.self) { try await store.read { _ = try $0.fetch(nothing) } }
        #expect(error?.code == .invalidSQL && error?.entity == "Sale")
        #expect(error?.message.contains("`$0.author.id`") == true)
    }
}
