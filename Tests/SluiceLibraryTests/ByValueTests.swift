import Foundation
import Sluice
import TestSupport
import Testing

/// Records that are properties of others: they are read and saved with these.
struct ByValueTests {
    private func line(_ id: Int, _ text: String = "x") -> OrderLine { OrderLine(id: id, text: text) }

    private func order(_ id: Int = 1, _ lines: [OrderLine], _ customer: Customer? = nil) -> PlacedOrder {
        PlacedOrder(id: id, note: "n", lines: lines, customer: customer)
    }

    @Test func comesBackAsItWent() async throws {
        let store = try Store.temporary(PlacedOrder.self)
        var value = order(1, [line(2), line(1)], Customer(id: 7, name: "Ann", home: nil))
        try await store.save(&value)
        let read = try await store.find(PlacedOrder.self, 1)
        #expect(read.lines.map(\.id) == [2, 1] && read.customer?.name == "Ann")
        #expect(try await store.count(OrderLine.all) == 2)
        var none = order(2, [], nil)
        try await store.save(&none)
        let other = try await store.find(PlacedOrder.self, 2)
        #expect(other.lines.isEmpty && other.customer == nil)
        #expect(try await store.fetch(PlacedOrder.order(by: \.id)).map(\.lines.count) == [2, 0])
    }

    /// What is done to the lines, and which there are then, in the order and in the table.
    private static let changes:
        [(name: String, change: @Sendable (inout [OrderLine]) -> Void, lines: [Int], all: [Int])] = [
            ("nothing", { _ in }, [1, 2, 3], [1, 2, 3]),
            ("another order", { $0.swapAt(0, 2) }, [3, 2, 1], [1, 2, 3]),
            ("one more", { $0.insert(OrderLine(id: 9, text: "new"), at: 1) }, [1, 9, 2, 3], [1, 2, 3, 9]),
            ("what is a part goes with its place", { $0.remove(at: 1) }, [1, 3], [1, 3]),
            ("none", { $0 = [] }, [], []),
            ("one text", { $0[0].text = "other" }, [1, 2, 3], [1, 2, 3]),
        ]

    @Test(arguments: changes.indices) func savesWhatChanged(_ index: Int) async throws {
        let row = Self.changes[index]
        let store = try Store.temporary(PlacedOrder.self)
        var value = order(1, [line(1), line(2), line(3)])
        try await store.save(&value)
        var mine = try await store.find(PlacedOrder.self, 1)
        row.change(&mine.lines)
        let texts = mine.lines.map(\.text)
        try await store.save(&mine)
        let read = try await store.find(PlacedOrder.self, 1)
        #expect(read.lines.map(\.id) == row.lines && read.lines.map(\.text) == texts, "\(row.name)")
        #expect(try await store.fetch(OrderLine.order(by: \.id)).map(\.id) == row.all, "\(row.name)")
    }

    /// A record within two owners is one: the identifier decides, and what was changed stands.
    @Test func aValueOfTwoOwnersIsOneRecord() async throws {
        let store = try Store.temporary(PlacedOrder.self)
        let ann = Customer(id: 7, name: "Ann", home: nil)
        var both = [order(1, [], ann), order(2, [], ann)]
        try await store.save(&both)
        #expect(try await store.count(Customer.all) == 1)
        both[1].customer?.name = "Anna"
        try await store.save(&both)
        #expect(try await store.fetch(PlacedOrder.order(by: \.id)).map { $0.customer?.name } == ["Anna", "Anna"])
    }

    /// A value that was read before others changed the list does not take their changes back.
    @Test func leavesListsAloneThatWereNotTouched() async throws {
        let store = try Store.temporary(PlacedOrder.self)
        var value = order(1, [line(1), line(2)])
        try await store.save(&value)
        var mine = try await store.find(PlacedOrder.self, 1)
        try await store.update(PlacedOrder.self, 1) { $0.lines.append(OrderLine(id: 3, text: "theirs")) }
        mine.note = "mine"
        try await store.save(&mine)
        let read = try await store.find(PlacedOrder.self, 1)
        #expect(read.note == "mine" && read.lines.map(\.id) == [1, 2, 3])
    }

    /// Records that the store gives identifiers have them once they are saved with their owner.
    @Test func givesIdentifiers() async throws {
        let store = try Store.temporary(Album0.self)
        var album = Album0(id: 1, tracks: [Track0(title: "a"), Track0(title: "b")])
        try await store.save(&album)
        #expect(album.tracks.map(\.id) == [1, 2])
        album.tracks.insert(Track0(title: "c"), at: 0)
        try await store.save(&album)
        #expect(try await store.find(Album0.self, 1).tracks.map(\.title) == ["c", "a", "b"])
        #expect(try await store.count(Track0.all) == 3)
        // Deleting the owner deletes what is a part of it.
        try await store.write { _ = try $0.delete(Album0.self, 1) }
        #expect(try await store.count(Track0.all) == 0)
    }

    @Test func isAskedForByPaths() async throws {
        let store = try Store.temporary(PlacedOrder.self)
        var orders = [
            order(1, [line(1, "tea")], Customer(id: 1, name: "Ann", home: nil)),
            order(2, [line(2, "salt")], Customer(id: 2, name: "Bob", home: Town(name: "Rome"))),
        ]
        try await store.save(&orders)
        #expect(try await store.fetch(PlacedOrder.where { $0.customer.name == "Bob" }).map(\.id) == [2])
        #expect(try await store.fetch(PlacedOrder.where { $0.lines.any { $0.text == "tea" } }).map(\.id) == [1])
        #expect(try await store.find(PlacedOrder.self, 2).customer?.home?.name == "Rome")
        #expect(try await store.fetch(PlacedOrder.order(by: \.customer.name, .descending)).map(\.id) == [2, 1])
    }

    /// Many records are read with theirs in a few statements: they are those that each has by itself, also where a record is
    /// shared, gone or cannot be read.
    @Test(arguments: Seeds.first(4)) func readsManyAsOneByOne(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let towns = ["Rome", "Oslo", nil].map { $0.map { Town(name: $0) } }
        var orders = (1...40).map { id in
            let customer = Int.random(in: 0...6, using: &random)
            let lines = (0..<Int.random(in: 0...3, using: &random)).map { line(id * 10 + $0, "text \(id)") }
            return order(
                id, lines.shuffled(using: &random),
                customer == 0 ? nil : Customer(id: customer, name: "\(customer)", home: towns[customer % 3]))
        }
        let store = try Store.temporary(PlacedOrder.self)
        try await store.save(&orders)
        try await store.write { tx in
            try tx.execute("PRAGMA defer_foreign_keys = ON")
            try tx.execute("UPDATE order_line SET kind = 'none' WHERE id % 10 = 2")
        }
        let queries = [
            PlacedOrder.all, PlacedOrder.order(by: \.note, .descending).limit(20, offset: 5), PlacedOrder.all.limit(1),
            PlacedOrder.where { $0.customer.home.name == "Rome" }, PlacedOrder.where { $0.id > 100 },
        ]
        for query in queries {
            try await store.read { reader in
                func text(_ order: PlacedOrder) -> String {
                    "\(order.id) \(order.lines.map { "\($0.id) \($0.text)" }) \(String(describing: order.customer))"
                }
                let readable = query.skippingUnreadable()
                var single: [String] = []
                try reader.each(readable) { single.append(text($0)) }
                #expect(try reader.fetch(readable).map(text) == single, "\(query.sql)")
            }
        }
        // What cannot be read is told as it is of one record.
        let error = await #expect(throws: SluiceError.self) { try await store.fetch(PlacedOrder.all) }
        #expect(error?.code == .unbox && error?.field == "lines" && error?.entity == "PlacedOrder")
    }

    /// A record that is gone is nil, and one that has to be there is an error with the property.
    @Test func saysWhatLeadsNowhere() async throws {
        let store = try Store.temporary(PlacedOrder.self, Parcel0.self)
        var value = order(1, [], Customer(id: 1, name: "Ann", home: nil))
        try await store.save(&value)
        var parcel = Parcel0(id: 1, town: Town(name: "Rome"))
        try await store.save(&parcel)
        try await store.write { tx in
            try tx.execute("PRAGMA defer_foreign_keys = ON")
            try tx.execute("UPDATE placed_order SET customer_id = NULL")
            try tx.execute("UPDATE parcel0 SET town_name = NULL")
        }
        #expect(try await store.find(PlacedOrder.self, 1).customer == nil)
        let error = await #expect(throws: SluiceError.self) { try await store.find(Parcel0.self, 1) }
        #expect(error?.code == .unbox && error?.field == "town", "\(error?.message ?? "")")
    }

    /// Two that lead to each other by value would be read for ever.
    @Test func refusesCircles() {
        let error = #expect(throws: SluiceError.self) { try Schema(Hen.self) }
        #expect(
            error?.problems == [
                "Hen.egg → Egg.hen → Hen never ends by value; use Ref or Refs for one of them"
            ])
    }

    // MARK: JSON

    private let options = SyncOptions(source: "shop")

    private func json(_ lines: String, customer: String = #"{"id": 3, "name": "Cy"}"#) -> String {
        #"[{"id": 1, "note": "n", "customer": \#(customer), "lines": \#(lines)}]"#
    }

    /// Records by value come along with the JSON of their owner, through a look at each as well.
    @Test(arguments: [false, true]) func comesAlongFromJSON(_ looks: Bool) async throws {
        let store = try Store.temporary(PlacedOrder.self)
        func sync(_ json: String) async throws -> SyncResult<PlacedOrder> {
            if !looks { return try await store.sync(PlacedOrder.self, from: json, options) }
            return try await store.sync(PlacedOrder.self, from: json, options) { _ in .keep }
        }
        let first = try await sync(json(#"[{"id": 5, "text": "a"}, {"id": 6, "text": "b"}]"#))
        #expect(first.summary == SyncSummary(insert: 1) && first.problems.isEmpty, "\(first.problems)")
        #expect(first.nested["OrderLine"] == SyncSummary(insert: 2) && first.nested["Customer"]?.insert == 1)
        let order = try await store.find(PlacedOrder.self, 1)
        #expect(order.lines.map(\.text) == ["a", "b"] && order.customer == Customer(id: 3, name: "Cy", home: nil))
        // What people changed stays, and what the source changed comes.
        try await store.update(OrderLine.self, 5) { $0.text = "ours" }
        let second = try await sync(json(#"[{"id": 5, "text": "a"}, {"id": 7, "text": "c"}]"#))
        #expect(try await store.find(PlacedOrder.self, 1).lines.map(\.text) == ["ours", "c"])
        try await store.undo(run: try #require(second.run))
        #expect(try await store.find(PlacedOrder.self, 1).lines.map(\.text) == ["ours", "b"])
        #expect(try await sync(json(#"[{"id": 5, "text": "a"}, {"id": 6, "text": "b"}]"#)).run != nil)
    }

    /// A key alone leads to the record.
    @Test func fillsTheReferenceFromAKey() async throws {
        let store = try Store.temporary(PlacedOrder.self)
        var customer = Customer(id: 3, name: "Cy", home: nil)
        try await store.save(&customer)
        try await store.sync(PlacedOrder.self, from: json("[]", customer: "3"), options)
        #expect(try await store.find(PlacedOrder.self, 1).customer?.name == "Cy")
    }

    /// A record is taken with all that stands within it, or not at all.
    @Test func keepsARecordAsideWithWhatStandsWithin() async throws {
        let store = try Store.temporary(PlacedOrder.self)
        let result = try await store.sync(
            PlacedOrder.self, from: json(#"[{"id": 5, "text": "a", "kind": "odd"}]"#), options)
        #expect(result.summary == SyncSummary(quarantined: 1))
        #expect(result.quarantined.map(\.message) == ["The value of `kind` is no `Kind`."])
        #expect(try await store.count(OrderLine.all) == 0)
        #expect(try await store.count(Customer.all) == 0)
    }

    /// A record that has nothing but lists gets its identifier all the same.
    @Test func ofNothingElse() async throws {
        let store = try Store.temporary(Basket0.self)
        var basket = Basket0(apples: [Apple0(id: 1), Apple0(id: 2)])
        try await store.insert(&basket)
        #expect(try await store.find(Basket0.self, try #require(basket.id)).apples.map(\.id) == [1, 2])
        var other = Basket0(apples: [])
        try await store.save(&other)
        #expect(try await store.fetch(Basket0.all).count == 2)
    }

}

@PersistentModel private struct PlacedOrder {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade, json: "lines") var lines: [OrderLine]
    @Relationship(inverse: .none, deleteRule: .nullify) var customer: Customer?
    var origin = Origin()
}

@PersistentModel private struct OrderLine {
    enum Kind: String, StoredValue { case part, whole }
    let id: Int
    var text: String
    var kind: Kind?
    var origin = Origin()
}

@PersistentModel private struct Customer: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: .none, deleteRule: .nullify) var home: Town?
}

@PersistentModel private struct Town: Equatable {
    @Attribute(.identifier) let name: String
}

@PersistentModel private struct Parcel0 {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var town: Town
}

@PersistentModel private struct Album0 {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var tracks: [Track0]
}

@PersistentModel private struct Track0 {
    @Attribute(.identifier, .generated) var id: Int?
    var title: String
}

@PersistentModel private struct Hen {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var egg: [Egg]
}

@PersistentModel private struct Egg {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var hen: Hen?
}

@PersistentModel private struct Basket0 {
    @Attribute(.identifier, .generated) var id: Int?
    @Relationship(inverse: .none, deleteRule: .cascade) var apples: [Apple0]
    var origin = Origin()
}

@PersistentModel private struct Apple0 {
    let id: Int
    var origin = Origin()
}
