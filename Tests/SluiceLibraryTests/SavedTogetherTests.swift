import Foundation
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

    private typealias Exchange = @Sendable () async throws -> SluiceError?

    /// Exchanges the values of two records that are saved together.
    ///
    /// - Returns: Why that was refused; nil where both have the value of the other one.
    private static func exchange<M: PersistentModel, Value: StoredValue & Equatable>(
        _ path: any WritableKeyPath<M, Value> & Sendable, _ first: M, _ second: M
    ) -> Exchange {
        {
            let store = try Store.temporary(M.self)
            var both = [first, second]
            try await store.save(&both)
            (both[0][keyPath: path], both[1][keyPath: path]) = (both[1][keyPath: path], both[0][keyPath: path])
            do { try await store.save(&both) } catch let error as SluiceError { return error }
            let values = try await store.fetch(M.all).map { $0[keyPath: path] }
            #expect(values == [second[keyPath: path], first[keyPath: path]])
            return nil
        }
    }

    private static let types: [(name: String, waits: Bool, exchange: Exchange)] = [
        ("Int", true, exchange(\.value, OfInt(id: 1, value: .min), OfInt(id: 2, value: .max))),
        ("Int8", true, exchange(\.value, OfInt8(id: 1, value: .min), OfInt8(id: 2, value: .min + 1))),
        ("UInt8", true, exchange(\.value, OfUInt8(id: 1, value: .max), OfUInt8(id: 2, value: .max - 1))),
        ("Int16", true, exchange(\.value, OfInt16(id: 1, value: 1), OfInt16(id: 2, value: 2))),
        ("UInt64", true, exchange(\.value, OfUInt64(id: 1, value: 1), OfUInt64(id: 2, value: 2))),
        ("Double", true, exchange(\.value, OfDouble(id: 1, value: -.infinity), OfDouble(id: 2, value: 0.1))),
        (
            "Float", true,
            exchange(\.value, OfFloat(id: 1, value: -.greatestFiniteMagnitude), OfFloat(id: 2, value: 0.1))
        ),
        (
            "Decimal", true,
            exchange(\.value, OfDecimal(id: 1, value: Decimal(-1)), OfDecimal(id: 2, value: Decimal(12) / 10))
        ),
        ("String", true, exchange(\.value, OfString(id: 1, value: ""), OfString(id: 2, value: "b"))),
        (
            "Day?", true,
            exchange(\.value, OfNoDay(id: 1, value: Day("2026-01-01")), OfNoDay(id: 2, value: Day("2026-01-02")))
        ),
        ("Date", false, exchange(\.value, OfDate(id: 1, value: .distantPast), OfDate(id: 2, value: .distantFuture))),
        ("Bool", false, exchange(\.value, OfBool(id: 1, value: true), OfBool(id: 2, value: false))),
    ]

    /// Numbers and texts wait, and so does what may be nil; of others the error says that they do not.
    @Test(arguments: types.indices) func areExchangedByType(_ index: Int) async throws {
        let row = Self.types[index]
        let error = try await row.exchange()
        #expect((error == nil) == row.waits, "\(row.name): \(error?.message ?? "")")
        guard let error else { return }
        let entity = error.entity ?? ""
        #expect(
            error.message
                == "Another record has the same unique values (\(entity) 1, `value`). Where that one gives it up, save it in a call before: `value` cannot wait for that.",
            "\(row.name)")
    }

    /// Of a type with few numbers the last one that is left stands in for the others.
    @Test func areExchangedWhereFewNumbersAreLeft() async throws {
        let store = try Store.temporary(OfInt8.self)
        var all = (0..<255).map { OfInt8(id: $0, value: Int8($0 - 128)) }
        try await store.save(&all)
        (all[0].value, all[1].value) = (all[1].value, all[0].value)
        try await store.save(&all)
        #expect(try await store.find(OfInt8.self, 0).value == -127)
        var last = OfInt8(id: 255, value: 127)
        try await store.save(&last)
        (all[0].value, all[1].value) = (all[1].value, all[0].value)
        let error = await #expect(throws: SluiceError.self) { try await store.save(&all) }
        #expect(error?.code == .unique)
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

@PersistentModel private struct OfInt {
    let id: Int
    @Attribute(.unique) var value: Int
    var origin = Origin()
}

@PersistentModel private struct OfInt8 {
    let id: Int
    @Attribute(.unique) var value: Int8
    var origin = Origin()
}

@PersistentModel private struct OfUInt8 {
    let id: Int
    @Attribute(.unique) var value: UInt8
    var origin = Origin()
}

@PersistentModel private struct OfInt16 {
    let id: Int
    @Attribute(.unique) var value: Int16
    var origin = Origin()
}

@PersistentModel private struct OfUInt64 {
    let id: Int
    @Attribute(.unique) var value: UInt64
    var origin = Origin()
}

@PersistentModel private struct OfDouble {
    let id: Int
    @Attribute(.unique) var value: Double
    var origin = Origin()
}

@PersistentModel private struct OfFloat {
    let id: Int
    @Attribute(.unique) var value: Float
    var origin = Origin()
}

@PersistentModel private struct OfDecimal {
    let id: Int
    @Attribute(.unique) var value: Decimal
    var origin = Origin()
}

@PersistentModel private struct OfString {
    let id: Int
    @Attribute(.unique) var value: String
    var origin = Origin()
}

@PersistentModel private struct OfNoDay {
    let id: Int
    @Attribute(.unique) var value: Day?
    var origin = Origin()
}

@PersistentModel private struct OfDate {
    let id: Int
    @Attribute(.unique) var value: Date
    var origin = Origin()
}

@PersistentModel private struct OfBool {
    let id: Int
    @Attribute(.unique) var value: Bool
    var origin = Origin()
}
