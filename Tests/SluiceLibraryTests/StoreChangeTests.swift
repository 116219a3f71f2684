import Foundation
import Sluice
import TestSupport
import Testing

/// Which records commits change, of this program and of others.
@Suite(.timeLimit(.minutes(1))) struct StoreChangeTests {
    private let folder: TemporaryDirectory
    private let store: Store

    init() throws {
        folder = try TemporaryDirectory()
        store = try Store(folder.path + "/shop.db", models: Crew.self, Ship.self, Berth.self)
    }

    private func ship(_ id: Int) -> Ship { Ship(id: id, name: "S\(id)", crew: []) }

    /// What a transaction does, and the identifiers that are told; nil where they are not known.
    static let transactions: [(name: String, body: @Sendable (Transaction) throws -> Void, keys: Set<Int>?)] = [
        (
            "insert and update",
            { tx in
                var ship = Ship(id: 9, name: "new", crew: [])
                try tx.insert(&ship)
                try tx.update(Ship.self, 1) { $0.name = "other" }
            }, [1, 9]
        ),
        ("delete", { tx in _ = try tx.delete(Ship.self, 2) }, [2]),
        (
            "a part that is kept",
            { tx in try tx.part { try tx.update(Ship.self, 2) { $0.name = "x" } } }, [2]
        ),
        ("all of a query", { tx in try tx.update(Ship.all, Ship.path.name.set("x")) }, nil),
        ("SQL", { tx in try tx.execute("UPDATE ship SET name = 'x' WHERE id = 1") }, nil),
    ]

    @Test(arguments: transactions.indices) func tellsOfTransactions(_ index: Int) async throws {
        let row = Self.transactions[index]
        var ships = [ship(1), ship(2)]
        try await store.save(&ships)
        var changes = store.changes(Ship.self).makeAsyncIterator()
        try await store.write { tx in try row.body(tx) }
        let change = try #require(try await changes.next())
        #expect(change.keys(of: Ship.self) == row.keys, "\(row.name)")
        #expect(change.touches(Ship.self) && change.runs.isEmpty, "\(row.name)")
    }

    /// What does not concern the models, or writes nothing, is not told.
    @Test func leavesOutWhatIsOfOtherModels() async throws {
        var changes = store.changes(Ship.self).makeAsyncIterator()
        try await store.write { tx in
            var crew = Crew(id: 1, name: "Ann", ship: nil)
            try tx.save(&crew)
        }
        _ = try await store.write { try $0.fetch(Ship.all) }
        try? await store.write { tx in
            var ship = Ship(id: 3, name: "never", crew: [])
            try tx.save(&ship)
            throw CancellationError()
        }
        var ship = ship(4)
        try await store.save(&ship)
        let change = try #require(try await changes.next())
        #expect(change.keys(of: Ship.self) == [4] && change.keys(of: Crew.self) == [])
    }

    @Test func tellsOfWhatRecordsLeadTo() async throws {
        var ship = ship(1)
        try await store.save(&ship)
        try await store.write { tx in
            for id in 1...2 {
                var crew = Crew(id: id, name: "C\(id)", ship: nil)
                try tx.save(&crew)
            }
        }
        var changes = store.changes(Ship.self, Crew.self).makeAsyncIterator()
        try await store.update(Ship.self, 1) { $0.crew.insert(2) }
        #expect(try await changes.next()?.keys(of: Crew.self) == [2])
        _ = try await store.write { try $0.delete(Ship.self, 1) }
        let change = try #require(try await changes.next())
        #expect(change.keys(of: Ship.self) == [1])
        // Which lose their ship is for the database to know.
        #expect(change.touches(Crew.self) && change.keys(of: Crew.self) == nil)
    }

    private func json(_ names: [Int: String]) -> String {
        "["
            + names.sorted { $0.key < $1.key }.map { #"{"id": \#($0.key), "name": "\#($0.value)"}"# }.joined(
                separator: ",")
            + "]"
    }

    /// A run tells which records it inserted, changed and deleted, whoever had it run.
    @Test(arguments: [true, false]) func tellsOfRuns(ofThisProgram isOwn: Bool) async throws {
        let source = SyncOptions(
            source: "shop", missing: .hard(maximum: .percent(100)))
        let other = try Store(folder.path + "/shop.db", models: Crew.self, Ship.self, Berth.self)
        let runner = isOwn ? store : other
        try await runner.sync(Ship.self, from: json([1: "a", 2: "b", 3: "c"]), source)
        var changes = store.changes(Ship.self, Crew.self).makeAsyncIterator()
        let result = try await runner.sync(Ship.self, from: json([1: "a", 2: "other", 4: "new"]), source)
        let change = try #require(try await changes.next())
        let run = try #require(result.run)
        #expect(change.runs == [run])
        #expect(change.keys(of: Ship.self) == [2, 3, 4])
        // Of the run of another program only its deletes are known, and not which references led there.
        #expect(!isOwn || !change.touches(Crew.self))
        // A run that changes nothing is not told; its undo is a run as well.
        try await runner.sync(Ship.self, from: json([1: "a", 2: "other", 4: "new"]), source)
        try await runner.undo(run: run)
        #expect(try await changes.next()?.keys(of: Ship.self) == [2, 3, 4])
    }

    /// A run tells of what leads to records that it takes away or brings back, whoever fills that table.
    @Test func tellsOfWhatLosesItsRecord() async throws {
        let all = SyncOptions(source: "shop", missing: .hard(maximum: .percent(100)))
        try await store.sync(Ship.self, from: json([1: "a", 2: "b"]), all)
        try await store.sync(
            Crew.self, from: #"[{"id": 5, "name": "Ann", "ship": 2}, {"id": 6, "name": "Bo", "ship": 1}]"#,
            SyncOptions(source: "office"))
        for names in [[1: "a"], [1: "a", 2: "b"]] {
            var changes = store.changes(Ship.self, Crew.self).makeAsyncIterator()
            try await store.sync(Ship.self, from: json(names), all)
            let change = try #require(try await changes.next())
            #expect(change.keys(of: Ship.self) == [2] && change.keys(of: Crew.self) == [5])
        }
    }

    /// Of what no source fills it is told that it may have changed, where it did.
    @Test func tellsThatOwnRecordsLoseTheirRecord() async throws {
        let all = SyncOptions(source: "shop", missing: .hard(maximum: .percent(100)))
        try await store.sync(Ship.self, from: json([1: "a", 2: "b"]), all)
        try await store.write { tx in
            var crew = Crew(id: 5, name: "Ann", ship: Ref(2))
            try tx.save(&crew)
        }
        var changes = store.changes(Ship.self, Crew.self).makeAsyncIterator()
        try await store.sync(Ship.self, from: json([1: "other", 2: "b"]), all)
        #expect(try await changes.next()?.touches(Crew.self) == false)
        try await store.sync(Ship.self, from: json([1: "other"]), all)
        let change = try #require(try await changes.next())
        #expect(change.keys(of: Ship.self) == [2] && change.touches(Crew.self) && change.keys(of: Crew.self) == nil)
    }

    /// A decision on a value changes one record.
    @Test func tellsOfDecisions() async throws {
        let source = SyncOptions(source: "shop")
        try await store.sync(Ship.self, from: json([1: "a", 2: "b"]), source)
        try await store.update(Ship.self, 1) { $0.name = "mine" }
        try await store.sync(Ship.self, from: json([1: "theirs", 2: "b"]), source)
        let conflict = try #require(try await store.conflicts(of: Ship.self).first)
        var changes = store.changes(Ship.self, Crew.self).makeAsyncIterator()
        try await store.resolve(conflict, .remote)
        let change = try #require(try await changes.next())
        #expect(change.keys(of: Ship.self) == [1] && !change.touches(Crew.self))
    }

    /// What is written between the call and the loop is told, to whoever iterates first.
    @Test func beginsWithTheCall() async throws {
        let changes = store.changes(Ship.self)
        var ship = ship(1)
        try await store.save(&ship)
        var first = changes.makeAsyncIterator()
        var second = changes.makeAsyncIterator()
        #expect(try await first.next()?.keys(of: Ship.self) == [1])
        try await store.update(Ship.self, 1) { $0.name = "other" }
        #expect(try await second.next()?.keys(of: Ship.self) == [1])
        #expect(try await first.next()?.keys(of: Ship.self) == [1])
    }

    /// What others write by SQL is noticed, and nobody knows what it was.
    @Test func tellsThatOthersWrote() async throws {
        var changes = store.changes(Ship.self).makeAsyncIterator()
        let other = try Store(folder.path + "/shop.db", models: Ship.self)
        var ship = ship(1)
        try await other.save(&ship)
        let change = try #require(try await changes.next())
        #expect(change.keys(of: Ship.self) == nil && change.touches(Ship.self))
    }

    @Test func knowsIdentifiersOfSeveralProperties() async throws {
        var changes = store.changes(Berth.self).makeAsyncIterator()
        var berth = Berth(deck: "A", number: 7)
        try await store.save(&berth)
        #expect(try await changes.next()?.keys(of: Berth.self) == [Berth.Identifier(deck: "A", number: 7)])
    }

    @Test func endsWithItsTask() async throws {
        let store = store
        let task = Task {
            for try await _ in store.changes(Ship.self) {}
            return true
        }
        task.cancel()
        #expect(try await task.value)
    }
}

@PersistentModel private struct Ship: Codable {
    let id: Int
    var name: String
    @Relationship(inverse: "ship", deleteRule: .nullify) var crew: Refs<Crew>
}

@PersistentModel private struct Crew: Codable {
    let id: Int
    var name: String
    @Relationship(inverse: "crew", deleteRule: .nullify) var ship: Ref<Ship>?
}

@PersistentModel private struct Berth {
    @Attribute(.identifier) let deck: String
    @Attribute(.identifier) let number: Int
}
