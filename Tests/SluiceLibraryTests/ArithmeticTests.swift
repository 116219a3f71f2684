import Foundation
import Sluice
import TestSupport
import Testing

/// What is computed of values in queries.
struct ArithmeticTests {
    private func store() async throws -> Store {
        let store = try Store.temporary(OrderLine.self)
        var lines = [
            OrderLine(
                id: 1, article: "Tea", price: Decimal(string: "0.10"), quantity: 3, weight: 0.5, day: Day("2024-02-29")),
            OrderLine(id: 2, article: "Ägypten", price: Decimal(string: "19.99"), quantity: 2, weight: nil, day: nil),
            OrderLine(id: 3, article: "tea", price: nil, quantity: 7, weight: 2, day: Day("2025-02-01")),
            OrderLine(
                id: 4, article: "Rug", price: Decimal(string: "-1.5"), quantity: 4, bonus: 1, weight: 0, day: nil),
        ]
        try await store.save(&lines)
        return store
    }

    private func ids(_ store: Store, _ condition: (OrderLine.Paths) -> Condition<OrderLine>) async throws -> [Int] {
        try await store.fetch(OrderLine.where(condition)).map(\.id)
    }

    private func decimals(_ texts: [String?]) -> [Decimal?] { texts.map { $0.flatMap { Decimal(string: $0) } } }

    @Test func sumsProductsExactly() async throws {
        let store = try await store()
        let revenue = try await store.value(OrderLine.select { ($0.price * $0.quantity).sum() })
        #expect(revenue == Decimal(string: "34.28"))
        let rate = try #require(Decimal(string: "1.19"))
        let gross = try await store.value(OrderLine.where { $0.id == 1 }.select { ($0.price * rate).sum() })
        #expect(gross == Decimal(string: "0.119"))
        let products = try await store.fetch(OrderLine.select { ($0.id, $0.quantity * $0.price) }).map(\.1)
        #expect(products == decimals(["0.3", "39.98", nil, "-6"]))
        let groups = try await store.fetch(
            OrderLine.group(by: \.bonus) { ($0.bonus, ($0.price * $0.quantity).sum()) })
        #expect(groups.map(\.1) == decimals(["40.28", "-6"]))
        #expect(try await store.value(OrderLine.where { $0.id > 9 }.select { ($0.price * 2).sum() }) == nil)
        // What is computed of sums is computed like what is computed of values.
        #expect(try await store.value(OrderLine.select { $0.price.sum() * 2 }) == Decimal(string: "37.18"))
    }

    @Test func computesNumbers() async throws {
        let store = try await store()
        let rows = try await store.fetch(
            OrderLine.select {
                (
                    $0.quantity + $0.bonus, $0.quantity - 1, 10 - $0.quantity, $0.quantity / 2, $0.weight / 2,
                    $0.price + 1
                )
            })
        #expect(
            rows.map(\.0) == [nil, nil, nil, 5] && rows.map(\.1) == [2, 1, 6, 3] && rows.map(\.2) == [7, 8, 3, 6])
        #expect(rows.map(\.3) == [1, 1, 3, 2] && rows.map(\.4) == [0.25, nil, 1, 0])
        #expect(rows.map(\.5) == decimals(["1.1", "20.99", nil, "-0.5"]))
        let quotients = try await store.fetch(
            OrderLine.select { ($0.quantity / ($0.quantity - 3), $0.weight / $0.weight) })
        #expect(quotients.map(\.0) == [nil, -2, 1, 4] && quotients.map(\.1) == [1, nil, 1, nil])
        let nothing = try await store.value(OrderLine.where { $0.id == 1 }.select { $0.price - $0.price })
        #expect(nothing == 0)
    }

    @Test func comparesAndOrdersWhatIsComputed() async throws {
        let store = try await store()
        #expect(try await ids(store) { $0.price * $0.quantity > 0 } == [1, 2])
        #expect(try await ids(store) { $0.price * $0.quantity < Decimal(string: "0.31")! } == [1, 4])
        #expect(try await ids(store) { $0.quantity > $0.id } == [1, 3])
        #expect(try await ids(store) { $0.bonus < $0.quantity } == [4])
        #expect(try await ids(store) { $0.quantity >= $0.bonus } == [4])
        #expect(try await ids(store) { $0.bonus.coalesced(to: 5) > $0.quantity } == [1, 2])
        let ordered = OrderLine.order(by: { $0.price * $0.quantity }, .descending)
        #expect(try await store.fetch(ordered).map(\.id) == [2, 1, 4, 3])
        #expect(
            try await store.fetch(OrderLine.order(by: \.quantity).order(by: { $0.id * 2 })).map(\.id) == [2, 1, 4, 3])
        let groups = try await store.fetch(OrderLine.group(by: { $0.quantity / 4 }) { ($0.quantity / 4, $0.count()) })
        #expect(groups.map(\.0) == [0, 1] && groups.map(\.1) == [2, 2])
    }

    @Test func knowsTextsAndDays() async throws {
        let store = try await store()
        #expect(try await ids(store) { $0.article.lowercased == "ägypten" } == [2])
        #expect(try await ids(store) { $0.day.year == 2024 && $0.day.month == 2 && $0.day.day == 29 } == [1])
        let years = try await store.fetch(OrderLine.group(by: { $0.day.year }) { ($0.day.year, $0.count()) })
        #expect(years.map(\.0) == [nil, 2024, 2025] && years.map(\.1) == [2, 1, 1])
        let moments = try Store.temporary(Moment.self)
        var moment = Moment(id: 1, at: Date(timeIntervalSince1970: 0))
        try await moments.save(&moment)
        #expect(try await moments.value(Moment.select { $0.at.year }) == 1970)
    }

    @Test func givesRowsThatAreAlikeOnce() async throws {
        let store = try await store()
        try await store.write { try $0.execute("UPDATE \(OrderLine.self) SET price = '0.100' WHERE id = 4") }
        #expect(try await store.fetch(OrderLine.select { $0.price }.distinct()) == decimals([nil, "0.1", "19.99"]))
        let articles = OrderLine.order(by: \.article, .descending).select { $0.article.lowercased }.distinct()
        let names: [String] = try await store.fetch(articles)
        #expect(names.sorted() == ["rug", "tea", "ägypten"])
        let first = OrderLine.order(by: \.price, .descending).limit(2).select { $0.price }.distinct()
        #expect(try await store.fetch(first) == decimals(["19.99", "0.1"]))
        let pairs = OrderLine.select { ($0.bonus, $0.day.year) }.distinct()
        #expect(try await store.fetch(pairs).count == 4)
        #expect(pairs.sql.contains("SELECT DISTINCT"))
    }

    /// Products, sums and differences are what integers of many digits say, whatever the places of their points.
    @Test func computesDecimalsAsIntegersDo() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("ArithmeticTests.computesDecimalsAsIntegersDo: seed \(seed)")
        var chance = SeededGenerator(seed: seed)
        let store = try Store.temporary(OrderLine.self)
        for id in 1...200 {
            let left = Int.random(in: -1_000_000_000...1_000_000_000, using: &chance)
            let right = Int.random(in: -1_000_000_000...1_000_000_000, using: &chance)
            let places = Int.random(in: 0...12, using: &chance)
            let scale = (0..<places).reduce(Decimal(1)) { scale, _ in scale * 10 }
            var line = OrderLine(
                id: id, article: "", price: Decimal(left) / scale, quantity: right, weight: nil, day: nil)
            try await store.save(&line)
            let (product, sum, difference) = try #require(
                try await store.fetch(
                    OrderLine.where { $0.id == id }.select {
                        ($0.price * $0.quantity, $0.price + Decimal(right), $0.price - Decimal(right))
                    }
                ).first)
            #expect(product == Decimal(left) * Decimal(right) / scale)
            #expect(sum == Decimal(left) / scale + Decimal(right))
            #expect(difference == Decimal(left) / scale - Decimal(right))
        }
    }

    /// What is no number is not passed over as if it were nothing.
    @Test func saysWhatIsNoNumber() async throws {
        let store = try await store()
        for text in ["x", "1e9999"] {
            try await store.write { try $0.execute("UPDATE \(OrderLine.self) SET price = \(text) WHERE id = 1") }
            let error = await #expect(throws: SluiceError.self) {
                try await store.fetch(OrderLine.select { $0.price * $0.quantity })
            }
            #expect(error?.code == .unbox)
        }
    }
}

@PersistentModel private struct OrderLine {
    let id: Int
    var article: String
    var price: Decimal?
    var quantity: Int
    var bonus: Int?
    var weight: Double?
    var day: Day?
    var origin = Origin()
}

@PersistentModel private struct Moment {
    let id: Int
    var at: Date
}
