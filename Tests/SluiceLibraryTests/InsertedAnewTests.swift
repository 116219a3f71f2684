import Sluice
import Testing

/// A record that was deleted and is inserted once more, by the value that it was: with the parts that went with it.
struct InsertedAnewTests {
    private static func store() async throws -> Store {
        let store = try Store.temporary(AnewOrder.self)
        var orders = [
            AnewOrder(
                id: 1, lines: [AnewLine(id: 1, text: "a", notes: [AnewNote(id: 1)]), AnewLine(id: 2, text: "b")],
                seal: AnewSeal(id: 1, word: "w"), guest: AnewGuest(id: 1)),
            AnewOrder(id: 2, lines: [AnewLine(id: 3, text: "c")]),
        ]
        try await store.save(&orders)
        return store
    }

    private static func rows(_ store: Store) async throws -> [String] {
        let orders = try await store.fetch(AnewOrder.order(by: \.id)).map { order in
            let lines = order.lines.map { "\($0.id)\($0.text)\($0.notes.map { "\($0.id)" }.joined())" }
            return "\(order.id): \(lines.joined(separator: " ")) \(order.seal?.word ?? "-") \(order.guest?.id ?? 0)"
        }
        let counts = [
            try await store.count(AnewLine.all), try await store.count(AnewNote.all),
            try await store.count(AnewSeal.all), try await store.count(AnewGuest.all),
        ]
        return orders + [counts.map { "\($0)" }.joined(separator: " ")]
    }

    private static let whole = ["1: 1a1 2b w 1", "2: 3c - 0", "3 1 1 1"]

    private static let cases: [(name: String, write: @Sendable (Store) async throws -> Void, rows: [String])] = [
        (
            "by insert, in one transaction",
            { store in
                try await store.write { tx in
                    var one = try tx.find(AnewOrder.self, 1)
                    try tx.delete(&one)
                    try tx.insert(&one)
                }
            }, whole
        ),
        (
            "by save, in one transaction",
            { store in
                try await store.write { tx in
                    var one = try tx.find(AnewOrder.self, 1)
                    try tx.delete(&one)
                    try tx.save(&one)
                }
            }, whole
        ),
        (
            "in two transactions",
            { store in
                var one = try await store.find(AnewOrder.self, 1)
                try await store.delete(&one)
                try await store.insert(&one)
            }, whole
        ),
        (
            "after it was deleted by its identifier",
            { store in
                var one = try await store.find(AnewOrder.self, 1)
                try await store.delete(AnewOrder.self, 1)
                one.lines[0].text = "z"
                try await store.insert(&one)
            }, ["1: 1z1 2b w 1", "2: 3c - 0", "3 1 1 1"]
        ),
        (
            "after it and its guest were deleted by their identifiers",
            { store in
                var one = try await store.find(AnewOrder.self, 1)
                try await store.write { tx in
                    try tx.delete(AnewOrder.self, 1)
                    try tx.delete(AnewGuest.self, 1)
                }
                try await store.insert(&one)
            }, whole
        ),
        (
            "with a part that was changed, one that is new and one that is no more",
            { store in
                var one = try await store.find(AnewOrder.self, 1)
                try await store.delete(&one)
                one.lines[0].text = "z"
                one.lines[1] = AnewLine(id: 9, text: "n")
                one.seal = nil
                try await store.insert(&one)
            }, ["1: 1z1 9n - 1", "2: 3c - 0", "3 1 0 1"]
        ),
        (
            "with a part that another record has",
            { store in
                let line = try await store.find(AnewOrder.self, 1).lines[0]
                try await store.update(AnewOrder.self, 2) { $0.lines.append(line) }
                try await store.write { tx in
                    var one = try tx.find(AnewOrder.self, 1)
                    try tx.delete(&one)
                    try tx.insert(&one)
                }
            }, ["1: 1a1 2b w 1", "2: 3c 1a1 - 0", "3 1 1 1"]
        ),
        (
            "after the deletion was taken back",
            { store in
                struct Stop: Error {}
                try await store.write { tx in
                    var one = try tx.find(AnewOrder.self, 1)
                    do {
                        try tx.part {
                            try tx.delete(&one)
                            throw Stop()
                        }
                    } catch is Stop {}
                    one.lines[0].text = "z"
                    try tx.save(&one)
                }
            }, ["1: 1z1 2b w 1", "2: 3c - 0", "3 1 1 1"]
        ),
        (
            "in another record",
            { store in
                try await store.write { tx in
                    var one = try tx.find(AnewOrder.self, 1)
                    try tx.delete(&one)
                    try tx.update(AnewOrder.self, 2) { $0.lines += one.lines }
                }
            }, ["2: 3c 1a1 2b - 0", "3 1 0 1"]
        ),
    ]

    @Test(arguments: cases.indices) func hasItsParts(_ index: Int) async throws {
        let row = Self.cases[index]
        let store = try await Self.store()
        try await row.write(store)
        #expect(try await Self.rows(store) == row.rows, "\(row.name)")
    }

    /// What was marked is there with its parts, and is not inserted.
    @Test func whatIsMarkedIsThere() async throws {
        let store = try await Self.store()
        try await store.write { tx in
            try tx.execute("ALTER TABLE anew_order ADD COLUMN _deleted_at TEXT")
            try tx.execute("ALTER TABLE anew_line ADD COLUMN _deleted_at TEXT")
        }
        var one = try await store.find(AnewOrder.self, 1)
        try await store.delete(&one, .soft)
        let error = await #expect(throws: SluiceError.self) { try await store.insert(&one) }
        #expect(error?.code == .exists && error?.entity == "AnewOrder")
    }
}

@PersistentModel private struct AnewOrder {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var lines: [AnewLine]
    @Relationship(inverse: .none, deleteRule: .cascade) var seal: AnewSeal?
    @Relationship(inverse: .none, deleteRule: .nullify) var guest: AnewGuest?
    var origin = Origin()
}

@PersistentModel private struct AnewLine {
    let id: Int
    var text: String
    @Relationship(inverse: .none, deleteRule: .cascade) var notes: [AnewNote] = []
    var origin = Origin()
}

@PersistentModel private struct AnewNote {
    let id: Int
    var origin = Origin()
}

@PersistentModel private struct AnewSeal {
    let id: Int
    var word: String
    var origin = Origin()
}

@PersistentModel private struct AnewGuest {
    let id: Int
    var origin = Origin()
}
