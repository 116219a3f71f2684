import Sluice
import Testing

/// An owner that remembers what it was, with records by value whose models do not: what the owner had of them counts.
struct KnownWithinTests {
    private let store: Store

    init() async throws {
        store = try Store.temporary(KnownOrder.self)
        var order = KnownOrder(
            id: 1, note: nil, lines: [KnownLine(id: 1, quantity: 1), KnownLine(id: 2, quantity: 1)],
            label: KnownLabel(id: 7, text: "fragile"))
        try await store.insert(&order)
    }

    /// A row of the table: the name, what others do after the order was read, what the program does to it then, and what comes of it:
    /// the quantities of the lines in the order and in the table, and the label, or the error.
    typealias Case = (
        name: String, others: @Sendable (Store) async throws -> Void, mine: @Sendable (inout KnownOrder) -> Void,
        lines: [Int: Int], table: [Int: Int], label: String?, error: SluiceError.Code?
    )

    private static func change(_ store: Store, _ body: @Sendable (inout KnownOrder) -> Void) async throws {
        try await store.update(KnownOrder.self, 1, body)
    }

    static let cases: [Case] = [
        (
            "a line that is left as it is", { try await $0.update(KnownLine.self, 1) { $0.quantity = 5 } }, { _ in },
            [1: 5, 2: 1], [1: 5, 2: 1], "fragile", nil
        ),
        (
            "another property of the order", { try await change($0) { $0.lines[0].quantity = 6 } },
            { $0.note = "ring" },
            [1: 6, 2: 1], [1: 6, 2: 1], "fragile", nil
        ),
        (
            "another line", { try await $0.update(KnownLine.self, 1) { $0.quantity = 5 } },
            { $0.lines[1].quantity = 3 }, [1: 5, 2: 3], [1: 5, 2: 3], "fragile", nil
        ),
        (
            "the same line", { try await $0.update(KnownLine.self, 1) { $0.quantity = 5 } },
            { $0.lines[0].quantity = 3 }, [1: 5, 2: 1], [1: 5, 2: 1], "fragile", .stale
        ),
        (
            "a line that others delete", { _ = try await $0.delete(KnownLine.self, 2) }, { _ in }, [1: 1], [1: 1],
            "fragile", nil
        ),
        (
            "a line that others take out", { try await change($0) { $0.lines.removeAll { $0.id == 2 } } },
            { $0.note = "ring" }, [1: 1], [1: 1], "fragile", nil
        ),
        (
            "a change of a line that others take out", { try await change($0) { $0.lines.removeAll { $0.id == 2 } } },
            { $0.lines[1].quantity = 9 }, [1: 1], [1: 1], "fragile", .notFound
        ),
        (
            "a line that others bring", { try await change($0) { $0.lines.append(KnownLine(id: 3, quantity: 4)) } },
            { $0.lines[0].quantity = 2 }, [1: 2, 2: 1, 3: 4], [1: 2, 2: 1, 3: 4], "fragile", nil
        ),
        (
            "a line of the same key, made anew as it was",
            { try await $0.update(KnownLine.self, 1) { $0.quantity = 5 } },
            { $0.lines[0] = KnownLine(id: 1, quantity: 1) }, [1: 5, 2: 1], [1: 5, 2: 1], "fragile", nil
        ),
        (
            "a new line of a key that others take",
            { store in
                try await change(store) { $0.lines.append(KnownLine(id: 3, quantity: 4)) }
            }, { $0.lines.append(KnownLine(id: 3, quantity: 8)) }, [1: 1, 2: 1, 3: 8], [1: 1, 2: 1, 3: 8], "fragile",
            nil
        ),
        (
            "a record by value that is left as it is",
            { try await $0.update(KnownLabel.self, 7) { $0.text = "glass" } }, { $0.note = "ring" }, [1: 1, 2: 1],
            [1: 1, 2: 1], "glass", nil
        ),
    ]

    @Test(arguments: cases.indices) func keepsWhatOthersChanged(_ index: Int) async throws {
        let row = Self.cases[index]
        var order = try await store.find(KnownOrder.self, 1)
        try await row.others(store)
        row.mine(&order)
        var code: SluiceError.Code?
        do { try await store.save(&order) } catch let error as SluiceError { code = error.code }
        #expect(code == row.error, "\(row.name)")
        let found = try await store.find(KnownOrder.self, 1)
        let table = try await store.fetch(KnownLine.all)
        func quantities(_ lines: [KnownLine]) -> [Int: Int] {
            Dictionary(lines.map { ($0.id, $0.quantity) }) { $1 }
        }
        #expect(quantities(found.lines) == row.lines, "\(row.name)")
        #expect(quantities(table) == row.table && found.label?.text == row.label, "\(row.name)")
    }

    /// Of several copies in one owner the last one counts, and what the call itself wrote is nobody else's change.
    @Test(arguments: [([5, 7], 7), ([5, 1], 1), ([5, 5], 5)])
    func theLastCopyCounts(_ quantities: [Int], _ wanted: Int) async throws {
        var order = try await store.find(KnownOrder.self, 1)
        order.lines = quantities.map { KnownLine(id: 1, quantity: $0) }
        try await store.save(&order)
        #expect(try await store.find(KnownLine.self, 1).quantity == wanted)
    }

    /// Copies that differ once they are saved are what the owner knows, and no change of somebody.
    @Test func copiesThatDifferAreKnown() async throws {
        var order = try await store.find(KnownOrder.self, 1)
        order.lines = [KnownLine(id: 1, quantity: 5), KnownLine(id: 1, quantity: 7)]
        try await store.save(&order)
        for _ in 0..<2 {
            order.note = (order.note ?? "") + "!"
            try await store.save(&order)
            #expect(try await store.find(KnownLine.self, 1).quantity == 7)
        }
        try await store.update(KnownLine.self, 1) { $0.quantity = 50 }
        order.note = "mine"
        try await store.save(&order)
        #expect(try await store.find(KnownLine.self, 1).quantity == 50)
    }

    /// A record of two owners that are saved together, changed in both or in one of them.
    @Test(arguments: [[5, 5], [5, 1], [1, 5]]) func aSharedRecordIsWrittenOnce(_ quantities: [Int]) async throws {
        var other = KnownOrder(id: 2, note: nil, lines: [], label: KnownLabel(id: 8, text: "x"))
        try await store.insert(&other)
        try await store.update(KnownOrder.self, 2) { $0.lines = [KnownLine(id: 1, quantity: 1)] }
        var all = try await store.fetch(KnownOrder.order(by: \.id))
        for index in all.indices { all[index].lines[0].quantity = quantities[index] }
        try await store.save(&all)
        #expect(try await store.find(KnownLine.self, 1).quantity == 5)
    }

    /// A line that others gave to another order and changed is that one's, and one that the program moves stays as others made it.
    @Test(arguments: [false, true]) func aLineThatMovedStaysAsItIs(byProgram: Bool) async throws {
        var other = KnownOrder(id: 2, note: nil, lines: [], label: nil)
        try await store.insert(&other)
        var all = try await store.fetch(KnownOrder.order(by: \.id))
        if byProgram {
            all[1].lines.append(all[0].lines.removeFirst())
            try await store.update(KnownLine.self, 1) { $0.quantity = 50 }
            all.reverse()
        } else {
            try await store.write { tx in
                var both = try tx.fetch(KnownOrder.order(by: \.id))
                both[1].lines.append(both[0].lines.removeFirst())
                both[1].lines[0].quantity = 50
                try tx.save(&both)
            }
            all[0].note = "mine"
        }
        try await store.save(&all)
        let found = try await store.fetch(KnownOrder.order(by: \.id)).map { $0.lines.map { "\($0.id):\($0.quantity)" } }
        #expect(found == [["2:1"], ["1:50"]])
    }

    /// An owner that was read in what was taken back knows no more of its lines than of itself.
    @Test func whatWasReadInVainIsStale() async throws {
        struct Stop: Error {}
        var order = try await store.write { tx -> KnownOrder in
            var found: KnownOrder?
            do {
                try tx.part {
                    try tx.update(KnownOrder.self, 1) { $0.note = "x" }
                    found = try tx.find(KnownOrder.self, 1)
                    throw Stop()
                }
            } catch is Stop {}
            guard var order = found else { throw Stop() }
            order.note = nil
            return order
        }
        try await store.update(KnownLine.self, 1) { $0.quantity = 50 }
        var code: SluiceError.Code?
        do { try await store.save(&order) } catch let error as SluiceError { code = error.code }
        #expect(code == .stale)
        try await store.save(&order, overwriting: true)
        #expect(try await store.find(KnownLine.self, 1).quantity == 1)
    }

    /// What went with a deleted owner comes back with it, and what did not go stays as others made it.
    @Test(arguments: [false, true]) func aDeletedOwnerComesBack(byInsert: Bool) async throws {
        var other = KnownOrder(id: 2, note: nil, lines: [], label: nil)
        try await store.insert(&other)
        try await store.update(KnownOrder.self, 2) { $0.lines = [KnownLine(id: 1, quantity: 1)] }
        var order = try await store.find(KnownOrder.self, 1)
        try await store.update(KnownLine.self, 1) { $0.quantity = 50 }
        try await store.delete(&order)
        #expect(try await store.count(KnownLine.all) == 1)
        if byInsert { try await store.insert(&order) } else { try await store.save(&order) }
        let lines = try await store.find(KnownOrder.self, 1).lines.map { "\($0.id):\($0.quantity)" }
        #expect(lines == ["1:50", "2:1"])
    }

    /// A line that both changed is the program's where it says so of the order.
    @Test func overwritingGoesForTheRecordsWithin() async throws {
        var order = try await store.find(KnownOrder.self, 1)
        try await store.update(KnownLine.self, 1) { $0.quantity = 5 }
        order.lines[0].quantity = 3
        try await store.save(&order, overwriting: true)
        #expect(try await store.find(KnownLine.self, 1).quantity == 3)
        // What it was saved as is what it knows by now.
        try await store.update(KnownLine.self, 1) { $0.quantity = 4 }
        order.note = "ring"
        try await store.save(&order)
        #expect(try await store.find(KnownLine.self, 1).quantity == 4)
        // Saved by itself, nobody knows what it was.
        try await store.save(&order.lines[0])
        #expect(try await store.find(KnownLine.self, 1).quantity == 3)
    }
}

@PersistentModel struct KnownOrder {
    let id: Int
    var note: String?
    @Relationship(inverse: .none, deleteRule: .cascade) var lines: [KnownLine]
    @Relationship(inverse: .none, deleteRule: .cascade) var label: KnownLabel?
    var origin = Origin()
}

@PersistentModel struct KnownLine {
    let id: Int
    var quantity: Int
}

@PersistentModel struct KnownLabel {
    let id: Int
    var text: String
}
