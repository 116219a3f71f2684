import Foundation
import Sluice
import SluiceDecoding
import TestSupport
import Testing

/// Values of a program that hold other records: a sync takes these as it takes those of JSON.
struct HeldRecordTests {
    private let options = SyncOptions(source: "shop")

    private func cart(_ id: Int = 1, _ items: [CartItem], _ buyer: CartBuyer? = nil, tags: Refs<CartTag> = [])
        -> HeldCart
    {
        HeldCart(id: id, note: "n", items: items, buyer: buyer, tags: tags)
    }

    fileprivate func item(_ nr: Int, _ text: String, _ amount: Int? = nil) -> CartItem {
        CartItem(cart: 1, nr: nr, text: text, amount: amount, parts: [])
    }

    private func texts(_ store: Store) async throws -> [String] {
        try await store.fetch(HeldCart.order(by: \.id)).flatMap { cart in
            cart.items.map { item in
                let parts = item.parts.map(\.name).joined(separator: "+")
                return "\(cart.id) \(item.nr) \(item.text) \(item.amount.map { "\($0)" } ?? "-") \(parts)"
            } + [cart.buyer.map { "\(cart.id) \($0.name)" } ?? "\(cart.id) nobody"]
        }
    }

    @Test func goAlongWithTheValues() async throws {
        let store = try Store.temporary(HeldCart.self)
        var first = item(2, "b", 5)
        first.parts = [CartPart(name: "lid"), CartPart(name: "cup")]
        let values = [cart(1, [first, item(1, "a")], CartBuyer(id: 7, name: "Ann")), cart(2, [], nil)]
        let plan = try await store.plan(values, options)
        #expect(plan.summary.insert == 2 && plan.nested["CartItem"]?.insert == 2, "\(plan.problems)")
        let result = try await store.sync(values, options)
        #expect(result.problems.isEmpty && result.quarantined.isEmpty, "\(result.problems) \(result.quarantined)")
        #expect(
            result.nested["CartPart"] == SyncSummary(insert: 2) && result.nested["CartBuyer"] == SyncSummary(insert: 1))
        let expected = ["1 2 b 5 lid+cup", "1 1 a - ", "1 Ann", "2 nobody"]
        #expect(try await texts(store) == expected)
        // The same again is no news.
        let again = try await store.sync(values, options)
        #expect(again.summary == SyncSummary(unchanged: 2) && again.nested["CartItem"] == SyncSummary(unchanged: 2))
        // What people changed stays, and what the source changed comes.
        try await store.update(CartItem.self, CartItem.Identifier(cart: 1, nr: 1)) { $0.text = "ours" }
        var changed = values
        changed[0].items[0].text = "c"
        changed[0].items[1].text = "theirs"
        changed[0].buyer?.name = "Anna"
        let second = try await store.sync(changed, options)
        #expect(second.nested["CartItem"]?.conflict == 1)
        #expect(try await store.conflicts(of: CartItem.self).map(\.kind) == [.editEdit])
        #expect(try await texts(store) == ["1 2 c 5 lid+cup", "1 1 ours - ", "1 Anna", "2 nobody"])
        changed[0].items.remove(at: 1)
        changed[0].buyer = nil
        let third = try await store.sync(changed, options)
        #expect(try await texts(store) == ["1 2 c 5 lid+cup", "1 nobody", "2 nobody"])
        try await store.undo(run: try #require(third.run))
        #expect(try await texts(store) == ["1 2 c 5 lid+cup", "1 1 ours - ", "1 Anna", "2 nobody"])
    }

    /// JSON and the values that are made of it are one source: neither finds news in what the other one said.
    @Test(arguments: [false, true]) func saysWhatJSONSays(_ valuesFirst: Bool) async throws {
        let store = try Store.temporary(HeldCart.self)
        let json = #"""
            [{"id": 1, "note": "n", "who": {"buyer": {"nr": 7, "full": {"name": "Ann"}}},
              "items": [{"cart": 1, "nr": 2, "label": {"text": "b"}, "amount": 5, "parts": [{"name": "lid"}]},
                        {"cart": 1, "nr": 1, "label": {"text": "a"}, "amount": null, "parts": []}]}]
            """#
        var first = item(2, "b", 5)
        first.parts = [CartPart(name: "lid")]
        let values = [cart(1, [first, item(1, "a")], CartBuyer(id: 7, name: "Ann"))]
        func sync(_ isOfValues: Bool) async throws -> SyncResult<HeldCart> {
            isOfValues
                ? try await store.sync(values, options) : try await store.sync(HeldCart.self, from: json, options)
        }
        let one = try await sync(valuesFirst)
        #expect(one.summary == SyncSummary(insert: 1) && one.problems.isEmpty, "\(one.problems) \(one.quarantined)")
        #expect(try await texts(store) == ["1 2 b 5 lid", "1 1 a - ", "1 Ann"])
        let two = try await sync(!valuesFirst)
        #expect(two.summary == SyncSummary(unchanged: 1), "\(two.summary)")
        #expect(two.nested.values.allSatisfy { $0.insert + $0.update + $0.conflict == 0 }, "\(two.nested)")
    }

    /// Links are those of a value where it is said that it speaks of them.
    @Test func sayWhichLinksThereAre() async throws {
        let store = try Store.temporary(HeldCart.self)
        try await store.sync(CartTag.self, from: #"[{"id": 3}, {"id": 4}]"#, options)
        func tags() async throws -> [Int] {
            try await store.read { try $0.find(HeldCart.self, 1).tags.load(in: $0).map(\.id) }
        }
        let first = try await store.sync([cart(1, [], tags: [3])], options)
        #expect(first.problems.map(\.code) == ["list_passed_over"])
        #expect(first.problems.first?.message.contains(#"present: .all(with: \.tags)"#) == true, "\(first.problems)")
        #expect(try await tags() == [])
        let said = try await store.sync(Upsert(cart(1, [], tags: [3]), present: [\.tags]), options)
        #expect(said.problems.isEmpty)
        #expect(try await tags() == [3])
        let page = #"[{"id": 1, "note": "m", "items": [], "tags": [4, 3]}, {"id": 1, "note": "m", "items": []}]"#
        for (index, expected) in [[3, 4], [3, 4]].enumerated() {
            let upserts = try JSONDecoder().decode(Upserts<HeldCart>.self, from: Data(page.utf8))
            #expect(try await store.sync(upserts.values[index], options).problems.isEmpty)
            #expect(try await tags() == expected)
        }
        try await store.sync(Upsert(cart(1, []), present: [\.tags]), options)
        #expect(try await tags() == [])
    }

    /// Keys that the JSON of a record within another one does not have say nothing, however the value is decoded.
    @Test func keepsWhatIsNotSaid() async throws {
        let store = try Store.temporary(HeldCart.self)
        var start = item(1, "a", 5)
        start.parts = [CartPart(name: "lid")]
        try await store.sync([cart(1, [start], CartBuyer(id: 7, name: "Ann"))], options)
        let page = #"[{"id": 1, "note": "m", "items": [{"cart": 1, "nr": 1, "label": {"text": "b"}}]}]"#
        let upserts = try TapeDecoder().decode(Upserts<HeldCart>.self, from: Array(page.utf8))
        #expect(upserts.failures.isEmpty, "\(upserts.failures)")
        try await store.sync(upserts, options)
        #expect(try await texts(store) == ["1 1 b 5 lid", "1 Ann"])
        #expect(try await store.find(HeldCart.self, 1).note == "m")
        // So says a program of its own values.
        let other = cart(1, [item(2, "c")], nil)
        try await store.sync(Upsert(other, present: [\.note]), options)
        #expect(try await texts(store) == ["1 1 b 5 lid", "1 Ann"])
        try await store.sync(Upsert(other, present: [\.buyer]), options)
        #expect(try await texts(store) == ["1 1 b 5 lid", "1 nobody"])
        try await store.sync(Upsert(other, present: [\.items]), options)
        #expect(try await texts(store) == ["1 2 c - ", "1 nobody"])
    }

    struct Look: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let look: @Sendable (inout HeldCart) -> Void
        let texts: [String]
    }

    static let looks = [
        Look(testDescription: "nothing", look: { _ in }, texts: ["1 2 b 9 lid", "1 1 a 4 ", "1 Ann"]),
        Look(
            testDescription: "a text within", look: { $0.items[0].text = $0.items[0].text.uppercased() },
            texts: ["1 2 B 9 lid", "1 1 a 4 ", "1 Ann"]),
        Look(
            testDescription: "what was not said", look: { $0.items[1].amount = 8 },
            texts: ["1 2 b 9 lid", "1 1 a 8 ", "1 Ann"]),
        Look(
            testDescription: "one less", look: { $0.items.remove(at: 0) }, texts: ["1 1 a 4 ", "1 Ann"]),
        Look(
            testDescription: "one more",
            look: { $0.items.append(CartItem(cart: 1, nr: 3, text: "new", amount: 1, parts: [CartPart(name: "cup")])) },
            texts: ["1 2 b 9 lid", "1 1 a 4 ", "1 3 new 1 cup", "1 Ann"]),
        Look(
            testDescription: "deeper", look: { $0.items[0].parts.append(CartPart(name: "cup")) },
            texts: ["1 2 b 9 lid+cup", "1 1 a 4 ", "1 Ann"]),
        Look(
            testDescription: "the only one", look: { $0.buyer?.name = "Bob" },
            texts: ["1 2 b 9 lid", "1 1 a 4 ", "1 Bob"]),
        Look(
            testDescription: "none", look: { $0.buyer = nil },
            texts: ["1 2 b 9 lid", "1 1 a 4 ", "1 nobody"]),
        Look(
            testDescription: "another one", look: { $0.buyer = CartBuyer(id: 8, name: "Cy") },
            texts: ["1 2 b 9 lid", "1 1 a 4 ", "1 Cy"]),
    ]

    /// A closure sees the records within, and what it changes of them is merged.
    @Test(arguments: looks) func areSeenByClosures(_ item: Look) async throws {
        let store = try Store.temporary(HeldCart.self)
        try await store.sync([cart(1, [self.item(2, "x", 9), self.item(1, "a", 4)], nil)], options)
        let json = #"""
            [{"id": 1, "note": "n", "who": {"buyer": {"nr": 7, "full": {"name": "Ann"}}},
              "items": [{"cart": 1, "nr": 2, "label": {"text": "b"}, "parts": [{"name": "lid"}]},
                        {"cart": 1, "nr": 1, "label": {"text": "a"}}]},
             {"id": 2, "note": "n", "who": {"buyer": {"nr": 7, "full": {"name": "Ann"}}}}]
            """#
        let result = try await store.sync(HeldCart.self, from: json, options) { cart in
            if cart.id == 2 {
                // A record that stood within an earlier one is there as well.
                return cart.buyer?.name == "Ann" ? .skip : .quarantine("nobody")
            }
            guard cart.items.map(\.text) == ["b", "a"], cart.items[0].parts.map(\.name) == ["lid"] else {
                return .quarantine("\(cart)")
            }
            item.look(&cart)
            return .keep
        }
        #expect(result.quarantined.isEmpty && result.problems.isEmpty, "\(result.quarantined) \(result.problems)")
        #expect(result.skipped == 1)
        #expect(try await texts(store) == item.texts)
    }

    /// Keys alone lead to records that are there already, and no closure takes them for none.
    @Test func keysAloneStay() async throws {
        let store = try Store.temporary(HeldCart.self)
        try await store.sync([cart(1, [item(1, "a"), item(2, "b")], CartBuyer(id: 7, name: "Ann"))], options)
        let json = #"""
            [{"id": 1, "note": "m", "who": {"buyer": 7}, "items": [{"cart": 1, "nr": 2, "label": {"text": "c"}}]}]
            """#
        try await store.sync(HeldCart.self, from: json, options) { cart in
            cart.note += "!"
            return cart.buyer == nil ? .keep : .quarantine("a buyer")
        }
        #expect(try await texts(store) == ["1 2 c - ", "1 Ann"])
        #expect(try await store.find(HeldCart.self, 1).note == "m!")
    }

    /// What must be there is, where the source sends it.
    @Test func needsItsRecord() async throws {
        let store = try Store.temporary(HeldParcel.self)
        let json = #"[{"id": 1, "to": {"name": "Ulm"}}, {"id": 2, "to": "Bonn"}]"#
        let result = try await store.sync(HeldParcel.self, from: json, options) { parcel in
            parcel.to.zip = 89
            return .keep
        }
        #expect(result.quarantined.count == 1 && result.quarantined[0].message.contains("leads to no record"))
        #expect(try await store.find(HeldParcel.self, 1).to == HeldPlace(name: "Ulm", zip: 89))
    }
}

@PersistentModel struct HeldCart: Decodable {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade, json: "items") var items: [CartItem]
    @Relationship(inverse: .none, deleteRule: .nullify, json: "who.buyer") var buyer: CartBuyer?
    @Relationship(inverse: .none, deleteRule: .nullify, json: "tags") var tags: Refs<CartTag>
}

@PersistentModel struct CartItem: Decodable {
    @Attribute(.identifier) let cart: Int
    @Attribute(.identifier) let nr: Int
    @Attribute(json: "label.text") var text: String
    var amount: Int?
    @Relationship(inverse: .none, deleteRule: .cascade, json: "parts") var parts: [CartPart]
}

@PersistentModel struct CartPart: Decodable {
    @Attribute(.identifier) let name: String
}

@PersistentModel struct CartBuyer: Decodable, Equatable {
    @Attribute(json: "nr") let id: Int
    @Attribute(json: "full.name") var name: String
}

@PersistentModel struct CartTag {
    let id: Int
}

@PersistentModel struct HeldParcel {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var to: HeldPlace
}

@PersistentModel struct HeldPlace: Equatable {
    @Attribute(.identifier) let name: String
    var zip: Int?
}
