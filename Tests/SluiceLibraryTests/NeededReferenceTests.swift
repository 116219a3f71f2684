import Foundation
import Sluice
import Testing

/// References of models to records that a source does not have, or has no longer.
struct NeededReferenceTests {
    private let all = SyncOptions(source: "s", missing: .hard(maximum: .percent(100)))
    private static let hampers = #"[{"id":1,"weight":9},{"id":2,"weight":3}]"#

    private func store() async throws -> Store {
        let store = try Store.temporary(Hamper.self, Seal.self, Slip.self)
        try await store.sync(Hamper.self, from: Self.hampers, all)
        return store
    }

    private func hampers(_ store: Store) async throws -> [Int] {
        try await store.fetch(Hamper.all.order(by: \.id)).map(\.id)
    }

    /// A reference that is not optional keeps what it leads to, whoever wrote it.
    @Test(arguments: [true, false]) func keepsWhatARecordNeeds(_ isOfSource: Bool) async throws {
        let store = try await store()
        if isOfSource {
            try await store.sync(Seal.self, from: #"[{"id":7,"hamper":1}]"#, .init(source: "t"))
        } else {
            try await store.write { tx in
                var seal = Seal(id: 7, hamper: Ref(1))
                try tx.insert(&seal)
            }
        }
        for _ in 0..<2 {
            let result = try await store.sync(Hamper.self, from: #"[{"id":3}]"#, all)
            #expect(result.summary.deleteRefused == 1 && result.problems.map(\.code) == ["delete_needed"])
            #expect(
                result.problems.first?.message
                    == "1 record of `hampers` is gone from the source and stays, since others need it: {\"id\":1} is what `hamper` of 7 of `seals` leads to, which must not be empty. Change or delete what leads there; every run tries again."
            )
            #expect(try await hampers(store) == [1, 3])
            #expect(try await store.fetch(Seal.all).map(\.hamper) == [Ref(1)])
        }
        // What needs it goes, and the record with it.
        try await store.write { tx in _ = try tx.deleteAll(Seal.all) }
        let result = try await store.sync(Hamper.self, from: #"[{"id":3}]"#, all)
        #expect(result.summary == SyncSummary(delete: 1, unchanged: 1) && result.problems.isEmpty)
        #expect(try await hampers(store) == [3])
    }

    /// A record whose needed record is not there waits in quarantine, new or changed.
    @Test func keepsARecordAsideUntilWhatItNeedsArrives() async throws {
        let store = try await store()
        let options = SyncOptions(source: "t")
        let seals = #"[{"id":1,"hamper":1},{"id":2,"hamper":77}]"#
        let result = try await store.sync(Seal.self, from: seals, options)
        #expect(result.summary == SyncSummary(insert: 1, quarantined: 1) && result.problems.isEmpty)
        #expect(result.quarantined.map(\.reason) == ["unmet_reference"] && result.quarantined.map(\.identifier) == [2])
        #expect(
            result.quarantined.first?.message
                == "`hamper` leads to 77 of `hampers`, which is not there, and must not be empty. The record can be taken once that is there; each run that reads it tries again."
        )
        #expect(try await store.fetch(Seal.all).map(\.id) == [1])
        // A change is not taken either, and leaves the row as it is.
        let changed = try await store.sync(Seal.self, from: #"[{"id":1,"hamper":78}]"#, options)
        #expect(changed.summary.quarantined == 1)
        #expect(try await store.fetch(Seal.all).map(\.hamper) == [Ref(1)])
        try await store.sync(Hamper.self, from: #"[{"id":77,"weight":1}]"#, SyncOptions(source: "s"))
        #expect(try await store.sync(Seal.self, from: seals, options).summary == SyncSummary(insert: 1, unchanged: 1))
        #expect(try await store.fetch(Seal.all.order(by: \.id)).map(\.hamper) == [Ref(1), Ref(77)])
        #expect(try await store.quarantine(of: Seal.self).isEmpty)
    }

    /// A plan says what a sync would do.
    @Test func plansWhatIsNeeded() async throws {
        let store = try await store()
        let plan = try await store.plan(Seal.self, from: #"[{"id":2,"hamper":77}]"#, SyncOptions(source: "t"))
        #expect(plan.summary == SyncSummary(quarantined: 1))
        #expect(try await store.quarantine(of: Seal.self).isEmpty)
    }

    /// An optional reference of a record that no source ever filled becomes nil, and leads there again.
    @Test func letsGoOfWhatIsOptional() async throws {
        let store = try await store()
        try await store.write { tx in
            var slip = Slip(id: 5, hamper: Ref(1))
            try tx.insert(&slip)
        }
        let result = try await store.sync(Hamper.self, from: #"[{"id":2,"weight":3}]"#, all)
        #expect(result.summary == SyncSummary(delete: 1, unchanged: 1))
        #expect(result.problems.count == 1 && result.problems[0].message.contains("`slips.hamper`"))
        #expect(try await store.fetch(Slip.all).map(\.hamper) == [nil])
        let run = try #require(result.run)
        try await store.undo(run: run)
        #expect(try await hampers(store) == [1, 2])
        #expect(try await store.fetch(Slip.all).map(\.hamper) == [Ref(1)])
        try await store.sync(Hamper.self, from: #"[{"id":2,"weight":3}]"#, all)
        try await store.sync(Hamper.self, from: Self.hampers, all)
        #expect(try await store.fetch(Slip.all).map(\.hamper) == [Ref(1)])
    }

    /// Where a rule of the table does not let go of a reference, what it leads to stays.
    @Test func keepsWhatATableDoesNotLetGoOf() async throws {
        let store = try await store()
        try await store.write { tx in
            var slip = Slip(id: 5, hamper: Ref(1))
            try tx.insert(&slip)
            try tx.execute(
                "CREATE TRIGGER rule BEFORE UPDATE ON slips BEGIN SELECT RAISE(ABORT, 'keep it'); END")
        }
        let result = try await store.sync(Hamper.self, from: #"[{"id":3}]"#, all)
        #expect(result.summary.deleteRefused == 1 && result.problems.map(\.code) == ["delete_rejected"])
        #expect(result.problems.first?.message.contains("keep it") == true)
        #expect(try await hampers(store) == [1, 3])
        #expect(try await store.fetch(Slip.all).map(\.hamper) == [Ref(1)])
    }
}

@PersistentModel(table: "hampers")
private struct Hamper {
    let id: Int
    var weight: Int = 1
    @Relationship(inverse: "hamper", deleteRule: .deny) var seals: Refs<Seal>
    @Relationship(inverse: "hamper", deleteRule: .nullify) var slips: Refs<Slip>
    var origin = Origin()
}

@PersistentModel(table: "seals")
private struct Seal {
    let id: Int
    @Relationship(inverse: "seals", deleteRule: .nullify) var hamper: Ref<Hamper>
}

@PersistentModel(table: "slips")
private struct Slip {
    let id: Int
    @Relationship(inverse: "slips", deleteRule: .nullify) var hamper: Ref<Hamper>?
}
