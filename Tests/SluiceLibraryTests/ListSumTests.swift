import Foundation
import Sluice
import TestSupport
import Testing

@PersistentModel private struct Cart {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var lines: [CartLine]
    @Relationship(inverse: "carts", deleteRule: .nullify) var owner: Ref<CartOwner>?
}

@PersistentModel private struct CartLine {
    let id: Int
    var price: Decimal?
    var quantity: Int
    var weight: Double?
    @Relationship(inverse: .none, deleteRule: .nullify) var good: Ref<CartGood>?
}

@PersistentModel private struct CartGood {
    @Attribute(.identifier) let code: String
    var points: Int
}

@PersistentModel private struct CartOwner {
    let id: Int
    @Relationship(inverse: "owner", deleteRule: .nullify) var carts: Refs<Cart>
}

/// What the records of a list come to, for each record that has the list.
struct ListSumTests {
    private func store() async throws -> Store {
        let store = try Store.temporary(Cart.self, CartLine.self, CartGood.self, CartOwner.self)
        var goods = [CartGood(code: "tea", points: 3), CartGood(code: "rug", points: 10)]
        try await store.save(&goods)
        var owners = [CartOwner(id: 1, carts: []), CartOwner(id: 2, carts: [])]
        try await store.save(&owners)
        func line(_ id: Int, _ price: String?, _ quantity: Int, _ weight: Double?, _ good: String?) -> CartLine {
            CartLine(
                id: id, price: price.flatMap { Decimal(string: $0) }, quantity: quantity, weight: weight,
                good: good.map { Ref($0) })
        }
        var carts = [
            Cart(id: 1, lines: [line(1, "0.10", 3, 0.5, "tea"), line(2, "19.99", 2, nil, "rug")], owner: Ref(1)),
            Cart(id: 2, lines: [line(3, nil, 7, 2, nil), line(4, "9", 1, 1, "tea")], owner: Ref(1)),
            Cart(id: 3, lines: [], owner: nil),
        ]
        try await store.save(&carts)
        // A line that no cart has.
        var left = line(5, "1000", 1, 1, "rug")
        try await store.save(&left)
        return store
    }

    private func decimals(_ texts: [String?]) -> [Decimal?] { texts.map { $0.flatMap { Decimal(string: $0) } } }

    @Test func sumsWhatAListHolds() async throws {
        let store = try await store()
        let rows = try await store.fetch(
            Cart.select { ($0.id, $0.lines.sum { $0.price * $0.quantity }, $0.lines.sum { $0.quantity }) })
        #expect(rows.map(\.0) == [1, 2, 3] && rows.map(\.1) == decimals(["40.28", "9", nil]))
        #expect(rows.map(\.2) == [5, 8, nil])
        // All carts together have what none of them has not.
        let all = try await store.value(Cart.select { $0.lines.sum { $0.price * $0.quantity }.sum() })
        #expect(all == Decimal(string: "49.28"))
        #expect(try await store.value(CartLine.select { ($0.price * $0.quantity).sum() }) == Decimal(string: "1049.28"))
        // Through the reference of a line, and several lists in one expression.
        let points = try await store.fetch(
            Cart.select { $0.lines.sum { $0.good.points * $0.quantity } + $0.lines.count })
        #expect(points == [31, 5, nil])
    }

    /// Lists come to what they come to in Swift.
    @Test(arguments: Seeds.first(4)) func comeToWhatTheyDoInSwift(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try Store.temporary(Cart.self, CartLine.self, CartGood.self, CartOwner.self)
        var carts = (1...40).map { id in
            Cart(
                id: id,
                lines: (0..<Int.random(in: 0...4, using: &random)).map { place in
                    CartLine(
                        id: 10 * id + place,
                        price: Bool.random(using: &random)
                            ? nil : Decimal(Int.random(in: -9_999...9_999, using: &random)) / 100,
                        quantity: .random(in: -3...9, using: &random), weight: nil, good: nil)
                }, owner: nil)
        }
        try await store.save(&carts)
        let rows = try await store.fetch(
            Cart.select {
                (
                    $0.lines.sum { $0.price * $0.quantity }, $0.lines.min { $0.price }, $0.lines.max { $0.quantity },
                    $0.lines.sum { $0.quantity }
                )
            })
        for (cart, row) in zip(carts, rows) {
            let products = cart.lines.compactMap { line in line.price.map { $0 * Decimal(line.quantity) } }
            #expect(row.0 == (products.isEmpty ? nil : products.reduce(0, +)), "cart \(cart.id)")
            #expect(row.1 == cart.lines.compactMap(\.price).min() && row.2 == cart.lines.map(\.quantity).max())
            #expect(row.3 == (cart.lines.isEmpty ? nil : cart.lines.map(\.quantity).reduce(0, +)))
        }
        #expect(rows.count == carts.count)
    }

    @Test func knowsAveragesAndEnds() async throws {
        let store = try await store()
        let averages = try await store.fetch(
            Cart.select {
                ($0.lines.average { $0.price }, $0.lines.average { $0.quantity }, $0.lines.average { $0.weight })
            })
        #expect(averages.map(\.0) == decimals(["10.045", "9", nil]))
        #expect(averages.map(\.1) == [2.5, 4, nil] && averages.map(\.2) == [0.5, 1.5, nil])
        let ends = try await store.fetch(
            Cart.select { ($0.lines.min { $0.price }, $0.lines.max { $0.price }, $0.lines.max { $0.quantity }) })
        #expect(ends.map(\.0) == decimals(["0.1", "9", nil]) && ends.map(\.1) == decimals(["19.99", "9", nil]))
        #expect(ends.map(\.2) == [3, 7, nil])
    }

    @Test func comparesOrdersAndGroups() async throws {
        let store = try await store()
        func carts(_ condition: (Cart.Paths) -> Condition<Cart>) async throws -> [Int] {
            try await store.fetch(Cart.where(condition)).map(\.id)
        }
        // As numbers: as texts 9 would be more than 40.28.
        #expect(try await carts { $0.lines.sum { $0.price * $0.quantity } > 9 } == [1])
        #expect(try await carts { $0.lines.max { $0.price } == 9 } == [2])
        #expect(try await carts { $0.lines.sum { $0.quantity }.coalesced(to: 0) < 6 } == [1, 3])
        #expect(try await carts { $0.lines.sum { $0.quantity }.isNil } == [3])
        let ordered = Cart.order(by: { $0.lines.sum { $0.price * $0.quantity } }, .descending)
        #expect(try await store.fetch(ordered).map(\.id) == [1, 2, 3])
        let owners = try await store.fetch(
            Cart.group(by: { ($0.owner.id, $0.lines.count) }) {
                ($0.owner.id, $0.lines.count, $0.lines.sum { $0.price * $0.quantity }.sum())
            })
        #expect(owners.map(\.0) == [nil, 1] && owners.map(\.1) == [0, 2])
        #expect(owners.map(\.2) == decimals([nil, "49.28"]))
        // A list within a list, and one behind a reference.
        let nested = try await store.fetch(
            CartOwner.select { ($0.id, $0.carts.sum { $0.lines.sum { $0.price * $0.quantity } }) })
        #expect(nested.map(\.1) == decimals(["49.28", nil]))
        #expect(try await carts { $0.owner.carts.sum { $0.lines.count } == 4 } == [1, 2])
    }
}
