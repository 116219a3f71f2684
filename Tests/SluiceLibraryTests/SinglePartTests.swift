import Sluice
import Testing

/// Records by value with `.cascade` that stand in a property by themselves: parts, as those of a list are.
struct SinglePartTests {
    private static func store() async throws -> Store {
        let store = try Store.temporary(PlannedTrip.self, PlanFolder.self)
        var trips = [
            PlannedTrip(id: 1, plan: TripPlan(id: 5, text: "one", slot: 1)),
            PlannedTrip(id: 2, plan: TripPlan(id: 6, text: "two", slot: 2)),
        ]
        try await store.save(&trips)
        return store
    }

    private func plans(_ store: Store) async throws -> [String] {
        try await store.fetch(TripPlan.order(by: \.id)).map { "\($0.id) \($0.text)" }
    }

    private static let writes: [(name: String, write: @Sendable (Transaction) throws -> Void, error: String?)] = [
        (
            "another one's, with other values",
            { tx in
                var trip = PlannedTrip(id: 3, plan: TripPlan(id: 5, text: "three", slot: 1))
                try tx.save(&trip)
            }, "PlannedTrip 3, property `plan`"
        ),
        (
            "another one's, by update",
            { tx in try tx.update(PlannedTrip.self, 2) { $0.plan = TripPlan(id: 5, text: "three", slot: 1) } },
            "PlannedTrip 2, property `plan`"
        ),
        (
            "another one's, by insert",
            { tx in
                var trip = PlannedTrip(id: 3, plan: TripPlan(id: 5, text: "three", slot: 1))
                try tx.insert(&trip)
            }, "PlannedTrip 3, property `plan`"
        ),
        (
            "one of another model, in a list",
            { tx in
                var folder = PlanFolder(id: 9, plans: [TripPlan(id: 5, text: "three", slot: 1)])
                try tx.save(&folder)
            }, "PlanFolder 9, property `plans`"
        ),
        (
            "another one's, with the values that are there",
            { tx in
                var trip = PlannedTrip(id: 3, plan: TripPlan(id: 5, text: "one", slot: 1))
                try tx.save(&trip)
            }, nil
        ),
        (
            "another one's that was read",
            { tx in
                let plan = try tx.find(TripPlan.self, 5)
                try tx.update(PlannedTrip.self, 2) { $0.plan = plan }
            }, nil
        ),
        (
            "its own",
            { tx in
                var trip = PlannedTrip(id: 1, plan: TripPlan(id: 5, text: "new", slot: 1))
                try tx.save(&trip)
            }, nil
        ),
        (
            "a new one",
            { tx in try tx.update(PlannedTrip.self, 2) { $0.plan = TripPlan(id: 7, text: "new", slot: 7) } }, nil
        ),
    ]

    /// One that the program made, under the identifier of another owner's, would change that owner's.
    @Test(arguments: writes.indices) func leavesThePartOfAnotherOwner(_ index: Int) async throws {
        let row = Self.writes[index]
        let store = try await Self.store()
        do {
            try await store.write { tx in try row.write(tx) }
            #expect(row.error == nil, "\(row.name)")
        } catch let error as SluiceError {
            let expected = row.error.map {
                "\($0): TripPlan 5 is there already, with other values, and belongs to PlannedTrip 1. Give the new one another identifier, or read that one and save it by itself."
            }
            #expect(error.code == .exists && error.message == expected, "\(row.name): \(error.message)")
            #expect(try await plans(store) == ["5 one", "6 two"], "\(row.name)")
        }
    }

    /// What is replaced, or is no more, is deleted where no record has it.
    @Test func goesWhereNoRecordHasIt() async throws {
        let store = try await Self.store()
        try await store.update(PlannedTrip.self, 1) { $0.plan = TripPlan(id: 7, text: "new", slot: 7) }
        #expect(try await plans(store) == ["6 two", "7 new"])
        try await store.update(PlannedTrip.self, 2) { $0.plan = nil }
        #expect(try await plans(store) == ["7 new"])
        // One of several that have it lets go of it.
        let plan = try await store.find(TripPlan.self, 7)
        var folder = PlanFolder(id: 9, plans: [plan])
        try await store.save(&folder)
        try await store.update(PlannedTrip.self, 1) { $0.plan = nil }
        #expect(try await plans(store) == ["7 new"])
        try await store.update(PlanFolder.self, 9) { $0.plans = [] }
        #expect(try await plans(store) == [])
    }

    /// One that moves within a transaction is the record that it was.
    @Test func movesToAnotherOwner() async throws {
        let store = try await Self.store()
        try await store.write { tx in
            var trips = try tx.fetch(PlannedTrip.order(by: \.id))
            (trips[0].plan, trips[1].plan) = (trips[1].plan, nil)
            try tx.save(&trips)
        }
        #expect(try await plans(store) == ["6 two"])
        #expect(try await store.fetch(PlannedTrip.order(by: \.id)).map { $0.plan?.id } == [6, nil])
    }

    /// What replaces a part may have its unique value.
    @Test func makesRoom() async throws {
        let store = try await Self.store()
        try await store.update(PlannedTrip.self, 1) { $0.plan = TripPlan(id: 7, text: "new", slot: 1) }
        let plan = try await store.find(PlannedTrip.self, 1).plan
        #expect(plan?.id == 7 && plan?.slot == 1)
        #expect(try await plans(store) == ["6 two", "7 new"])
    }
}

@PersistentModel private struct PlannedTrip {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var plan: TripPlan?
    var origin = Origin()
}

@PersistentModel private struct PlanFolder {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var plans: [TripPlan]
    var origin = Origin()
}

@PersistentModel private struct TripPlan {
    let id: Int
    var text: String
    @Attribute(.unique) var slot: Int?
    var origin = Origin()
}
