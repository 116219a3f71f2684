import Sluice
import Testing

/// Unique values that records which are saved together pass on to each other.
struct SavedTogetherTests {
    private static func store() async throws -> Store {
        let store = try Store.temporary(Ride.self, Booking.self)
        var ride = Ride(
            id: 1,
            halts: [
                Halt(id: 1, code: "a", slot: 1), Halt(id: 2, code: "b", slot: 2), Halt(id: 3, code: "c", slot: 3),
            ])
        try await store.save(&ride)
        return store
    }

    private static func text(_ halt: Halt) -> String {
        "\(halt.id) \(halt.code) \(halt.slot.map { String($0) } ?? "-")"
    }

    /// What is done to the halts of a ride, and what they are then.
    private static let changes: [(name: String, change: @Sendable (inout [Halt]) -> Void, halts: [String])] = [
        (
            "a new one has what one that goes had",
            {
                $0.removeFirst()
                $0.append(Halt(id: 9, code: "a", slot: 1))
            }, ["2 b 2", "3 c 3", "9 a 1"]
        ),
        (
            "a new one stands before the one that gives up",
            {
                $0[1].code = "z"
                $0[1].slot = nil
                $0.insert(Halt(id: 9, code: "b", slot: 2), at: 0)
            }, ["9 b 2", "1 a 1", "2 z -", "3 c 3"]
        ),
        (
            "one takes what one that goes had",
            {
                $0.removeLast()
                $0[0].code = "c"
                $0[0].slot = 3
            }, ["1 c 3", "2 b 2"]
        ),
        (
            "passed on",
            {
                $0[0].code = "b"
                $0[1].code = "c"
                $0[2].code = "z"
            }, ["1 b 1", "2 c 2", "3 z 3"]
        ),
        (
            "one value is passed on, and another one given up",
            {
                $0[0].slot = 2
                $0[1].slot = 9
                $0[1].code = "y"
            }, ["1 a 2", "2 y 9", "3 c 3"]
        ),
        (
            "an exchange",
            {
                ($0[0].code, $0[1].code) = ($0[1].code, $0[0].code)
                ($0[0].slot, $0[1].slot) = ($0[1].slot, $0[0].slot)
            }, ["1 b 2", "2 a 1", "3 c 3"]
        ),
        (
            "a circle",
            {
                let codes = $0.map(\.code)
                for index in $0.indices { $0[index].code = codes[(index + 1) % 3] }
            }, ["1 b 1", "2 c 2", "3 a 3"]
        ),
    ]

    @Test(arguments: changes.indices) func arePassedOnWithinAList(_ index: Int) async throws {
        let row = Self.changes[index]
        let store = try await Self.store()
        try await store.update(Ride.self, 1) { row.change(&$0.halts) }
        #expect(try await store.find(Ride.self, 1).halts.map(Self.text) == row.halts, "\(row.name)")
        #expect(try await store.fetch(Halt.order(by: \.id)).map(Self.text) == row.halts.sorted(), "\(row.name)")
    }

    /// A value that was saved so is what it says, and is saved again.
    @Test func arePassedOnAmongValues() async throws {
        let store = try await Self.store()
        var halts = try await store.fetch(Halt.order(by: \.id))
        for _ in 0..<2 {
            (halts[0].code, halts[2].code) = (halts[2].code, halts[0].code)
            try await store.save(&halts)
            #expect(try await store.fetch(Halt.order(by: \.id)).map(Self.text) == halts.map(Self.text))
        }
        // Values that are unique together.
        var bookings = [Booking(id: 1, row: 1, seat: 1), Booking(id: 2, row: 1, seat: 2)]
        try await store.save(&bookings)
        (bookings[0].seat, bookings[1].seat) = (2, 1)
        try await store.save(&bookings)
        #expect(try await store.fetch(Booking.order(by: \.id)).map(\.seat) == [2, 1])
    }

    /// A value that another record keeps is refused, and nothing of the records that wait is left.
    @Test func areNotTakenFromOthers() async throws {
        let store = try await Self.store()
        let before = try await store.fetch(Halt.order(by: \.id)).map(Self.text)
        try await store.write { tx in
            let error = #expect(throws: SluiceError.self) {
                var halts = Array(try tx.fetch(Halt.order(by: \.id)).prefix(2))
                halts[0].code = "b"
                halts[1].code = "c"
                try tx.save(&halts)
            }
            #expect(error?.code == .unique && error?.identifier == "2" && error?.field == "code")
            let nested = #expect(throws: SluiceError.self) {
                try tx.update(Ride.self, 1) { $0.halts.append(Halt(id: 9, code: "c", slot: 9)) }
            }
            #expect(nested?.code == .unique && nested?.entity == "Halt" && nested?.identifier == "9")
        }
        #expect(try await store.fetch(Halt.order(by: \.id)).map(Self.text) == before)
        #expect(try await store.find(Ride.self, 1).halts.map(\.id) == [1, 2, 3])
    }

    /// A part that a list let go of before stays to be moved where saving others fails.
    @Test func leaveWhatWasTakenOutBefore() async throws {
        let store = try await Self.store()
        try await store.write { tx in
            let halt = try tx.find(Halt.self, 1)
            try tx.update(Ride.self, 1) { $0.halts.removeFirst() }
            #expect(throws: SluiceError.self) {
                var halts = [Halt(id: 8, code: "x", slot: 1), Halt(id: 9, code: "c", slot: nil)]
                try tx.save(&halts)
            }
            try tx.update(Ride.self, 1) { $0.halts.append(halt) }
        }
        #expect(try await store.find(Ride.self, 1).halts.map(Self.text) == ["2 b 2", "3 c 3", "1 a 1"])
    }
}

@PersistentModel private struct Ride {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var halts: [Halt]
    var origin = Origin()
}

@PersistentModel private struct Halt {
    let id: Int
    @Attribute(.unique) var code: String
    @Attribute(.unique) var slot: Int?
    var origin = Origin()
}

@PersistentModel(unique: [["row", "seat"]]) private struct Booking {
    let id: Int
    var row: Int
    var seat: Int
    var origin = Origin()
}
