import Foundation
import Sluice
import TestSupport
import Testing

/// A property of each type that has a column.
@PersistentModel(table: "everything")
struct Everything: Equatable {
    let id: Int
    var text: String?
    var number: Int?
    var real: Double?
    var isTrue: Bool?
    var amount: Decimal?
    var at: Date?
    var token: UUID?
    var place: URL?
    var bytes: Data?
    var kind: Kind?
    @Attribute(storageMethod: .codable) var settings: Settings?
    @Attribute(storageMethod: .transformed(RGB.self)) var color: Color?
    var origin = Origin()
}

/// The same table without what remembers what was read.
@PersistentModel(entity: "Everything", table: "everything")
struct EverythingPlain: Equatable {
    let id: Int
    var text: String?
    var number: Int?
    var real: Double?
    var isTrue: Bool?
    var amount: Decimal?
    var at: Date?
    var token: UUID?
    var place: URL?
    var bytes: Data?
    var kind: Kind?
    @Attribute(storageMethod: .codable) var settings: Settings?
    @Attribute(storageMethod: .transformed(RGB.self)) var color: Color?
}

/// Programs make no edits that nobody meant, whatever the source says and however it spells it.
struct FalseEditTests {
    private struct World {
        var chance: SeededGenerator

        /// A value as a source may spell it, a key that is absent, or null.
        mutating func member(_ name: String, _ spellings: [String]) -> String? {
            if chance.chance(15) { return nil }
            return "\"\(name)\":" + (chance.chance(15) ? "null" : chance.pick(spellings))
        }

        mutating func record(_ id: Int) -> String {
            let members: [String?] = [
                "\"id\":\(id)",
                member("text", [#""""#, #""A""#, #""Zoe\u0308""#, #""Zoë""#, #""null""#, #""  x  ""#, #""🙂""#]),
                member("number", ["0", "-1", "9007199254740993", "12", "\"12\""]),
                member("real", ["0.1", "1e3", "-0.0", "1", "3.141592653589793"]),
                member("isTrue", ["true", "false"]),
                member("amount", ["\"1.10\"", "1.1", "\"-0.00\"", "12345678901234567890.123", "\"1e2\"", "7"]),
                member(
                    "at",
                    [
                        "\"2026-01-02T03:04:05Z\"", "\"2026-01-02T03:04:05.123456789Z\"",
                        "\"2026-01-02T05:04:05+02:00\"", "\"1969-12-31T23:59:59.5Z\"", "\"2026-01-02T03:04:05.100Z\"",
                    ]),
                member(
                    "token",
                    [
                        "\"6F9619FF-8B86-D011-B42D-00C04FC964FF\"", "\"6f9619ff-8b86-d011-b42d-00c04fc964ff\"",
                    ]),
                member("place", ["\"https://example.org/a?b=c#d\"", "\"https://EXAMPLE.org\"", "\"urn:isbn:1\""]),
                member("bytes", ["\"\"", "\"AAEC\"", "\"/+8=\""]),
                member("kind", ["\"novel\"", "\"essay\""]),
                member(
                    "settings",
                    [#"{"retries":3}"#, #"{ "retries" : 3, "other": [1, 2.0] }"#, #"{"z":1,"retries":0,"a":null}"#]),
                member("color", ["0", "16777215", "66051"]),
            ]
            return "{" + members.compactMap { $0 }.joined(separator: ",") + "}"
        }

        mutating func records(_ count: Int) -> String {
            "[" + (1...count).map { record($0) }.joined(separator: ",") + "]"
        }
    }

    private func dump(_ store: Store) async throws -> [[String?]] {
        try await store.rows("SELECT * FROM everything ORDER BY id").map { $0.texts }
    }

    @Test(arguments: 0..<8) func savingWhatWasFetchedChangesNothing(_ round: Int) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("FalseEditTests.savingWhatWasFetchedChangesNothing: seed \(seed)")
        var world = World(chance: SeededGenerator(seed: seed))
        let store = try Store.temporary(Everything.self)
        let json = world.records(20)
        let first = try await store.sync(Everything.self, from: json, .init(source: "s"))
        #expect(first.summary == SyncSummary(insert: 20), "seed \(seed)")
        let before = try await dump(store)
        var all = try await store.fetch(Everything.all)
        try await store.save(&all)
        #expect(try await dump(store) == before, "seed \(seed)")
        let plan = try await store.plan(Everything.self, from: json, .init(source: "s"))
        #expect(plan.summary == SyncSummary(unchanged: 20), "seed \(seed)")
        // The same by values that a program reads and gives back whole: they are no news either.
        let news = world.records(20)
        let mine = try await store.sync(Everything.self, from: news, .init(source: "s"))
        #expect(mine.summary.conflict + mine.summary.keptLocal == 0, "seed \(seed)")
    }

    /// A model without `origin` compares with the row as it is, so fetching and saving is no edit either.
    @Test(arguments: 0..<4) func savingWithoutOriginChangesNothing(_ round: Int) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("FalseEditTests.savingWithoutOriginChangesNothing: seed \(seed)")
        var world = World(chance: SeededGenerator(seed: seed))
        let store = try Store.temporary(EverythingPlain.self)
        let json = world.records(20)
        try await store.sync(EverythingPlain.self, from: json, .init(source: "s"))
        let before = try await dump(store)
        var all = try await store.fetch(EverythingPlain.all)
        try await store.save(&all)
        #expect(try await dump(store) == before, "seed \(seed)")
        #expect(
            try await store.plan(EverythingPlain.self, from: json, .init(source: "s")).summary
                == SyncSummary(unchanged: 20), "seed \(seed)")
    }

    /// Values that were read before a sync are changed in one property and saved after it: the sync's other changes stay, and
    /// the one property is the only edit.
    @Test(arguments: 0..<8) func staleValuesTakeNoSyncBack(_ round: Int) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("FalseEditTests.staleValuesTakeNoSyncBack: seed \(seed)")
        var world = World(chance: SeededGenerator(seed: seed))
        let store = try Store.temporary(Everything.self)
        try await store.sync(Everything.self, from: world.records(20), .init(source: "s"))
        let stale = try await store.fetch(Everything.all)
        let news = world.records(20)
        try await store.sync(Everything.self, from: news, .init(source: "s"))
        let after = try await store.fetch(Everything.all)
        var edited: Set<Int> = []
        for var value in stale where world.chance.chance(60) {
            value.number = 4711
            do {
                try await store.save(&value)
                edited.insert(value.id)
            } catch let error as SluiceError {
                // Only what the sync changed as well is refused.
                #expect(error.code == .stale && error.field == "number", "seed \(seed)")
                #expect(after.first { $0.id == value.id }?.number != stale.first { $0.id == value.id }?.number)
            }
        }
        for value in try await store.fetch(Everything.all) {
            var expected = try #require(after.first { $0.id == value.id })
            if edited.contains(value.id) { expected.number = 4711 }
            #expect(value == expected, "seed \(seed), record \(value.id)")
        }
        // The source says nothing new, so nothing of that is a conflict, and nothing is written.
        let plan = try await store.plan(Everything.self, from: news, .init(source: "s"))
        #expect(plan.summary == SyncSummary(unchanged: 20), "seed \(seed)")
    }
}
