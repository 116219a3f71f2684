import Foundation
import Sluice
import TestSupport
import Testing

/// Whatever a source says of records with others in them, with lists, required properties and keys of several parts: fetching and saving
/// them is no edit, and one property that is changed is one.
struct RandomRecordTests {
    /// What a source says, in a spelling of its own each time.
    private struct World {
        var chance: SeededGenerator

        mutating func member(_ name: String, _ values: [String], isRequired: Bool = false) -> String? {
            if !isRequired, chance.chance(15) { return nil }
            return "\"\(name)\":" + (!isRequired && chance.chance(15) ? "null" : chance.pick(values))
        }

        mutating func object(_ members: [String?]) -> String {
            "{" + members.compactMap { $0 }.shuffled(using: &chance).joined(separator: ", ") + "}"
        }

        mutating func list(_ items: [String]) -> String {
            let some = items.shuffled(using: &chance).prefix(Int.random(in: 0...items.count, using: &chance))
            return "[" + some.joined(separator: ",") + "]"
        }

        mutating func buyer(_ id: Int) -> String {
            // A record that several orders have says the same in each.
            #"{"buyer_id":\#(id),"full_name":"Buyer \#(id)","home":{"street_name":"Way \#(id)"}}"#
        }

        mutating func order(_ id: Int) -> String {
            let lines = (1...3).map { line in
                object([
                    "\"id\":\(id * 10 + line)", member("unit_price", ["\"1.10\"", "2", "0.50"], isRequired: true),
                    member("note", ["\"x\"", "\"\""]),
                ])
            }
            let buyers = [buyer(1), buyer(2)]
            return object([
                "\"order_number\":\(id)",
                member(
                    "placed_at", ["\"2026-01-02T03:04:05Z\"", "\"2026-01-02T05:04:05.120+02:00\""], isRequired: true),
                member("total_price", ["\"1.10\"", "1.1", "12345678901234567890.123"], isRequired: true),
                chance.chance(50) ? member("is_paid", ["true", "false"], isRequired: true) : nil,
                member("short_note", ["\"Zoe\\u0308\"", "\" \"", "\"null\""]),
                member("mood", ["\"calm\"", "\"wild\""]),
                member("parcel_size_in_mm", ["1", "0.5", "3e2"]),
                member("ship_to_street_name", ["\"Main\""]),
                member("buyer", buyers),
                chance.chance(85) ? "\"lines\":" + list(lines) : nil,
                chance.chance(85) ? "\"songs\":" + list(["1", "{\"id\": 2}", "3"]) : nil,
                chance.chance(85) ? "\"words\":" + list(["\"a\"", "{\"word\":\"b\"}"]) : nil,
            ])
        }

        mutating func orders(_ count: Int) -> String {
            "[" + (1...count).map { order($0) }.joined(separator: ",\n") + "]"
        }

        mutating func seats(_ count: Int) -> String {
            let seats = (0..<count).map { number in
                object([
                    "\"hall_code\":\"H\(number % 3)\"", "\"wild_order_id\":\(number / 3 + 1)", "\"day\":\"2026-01-02\"",
                    member("row_name", ["\"A\"", "\"ß\""], isRequired: true), member("list_price", ["\"5.00\"", "5"]),
                ])
            }
            return "[" + seats.joined(separator: ",\n") + "]"
        }
    }

    private static let shop = SyncOptions(source: "shop")

    private func dump(_ store: Store) async throws -> [[String?]] {
        var all: [[String?]] = []
        let tables = try await store.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_\\_%' ESCAPE '\\' ORDER BY 1")
        for table in tables.compactMap({ $0.texts.first ?? nil }) where !table.hasPrefix("sluice") {
            let rows = try await store.rows(SQL(unchecked: "SELECT * FROM \"\(table)\""))
            all += [[table]] + rows.map(\.texts).sorted { "\($0)" < "\($1)" }
        }
        return all
    }

    private func store() async throws -> Store {
        let store = try Store.temporary(WildOrder.self, WildSeat.self)
        try await store.write { tx in
            var songs = (1...3).map { WildSong(id: $0, title: "s\($0)") }
            try tx.save(&songs)
            var words = ["a", "b", "c"].map { WildWord(word: $0) }
            try tx.save(&words)
        }
        return store
    }

    @Test(arguments: Seeds.first(12)) func savingAllIsNoEdit(_ seed: UInt64) async throws {
        var world = World(chance: SeededGenerator(seed: seed))
        let store = try await store()
        let json = world.orders(10)
        let first = try await store.sync(WildOrder.self, from: json, Self.shop)
        try #require(first.summary == SyncSummary(insert: 10), "seed \(seed): \(first.summary) \(first.quarantined)")
        #expect(first.problems.isEmpty, "seed \(seed): \(first.problems)")
        let before = try await dump(store)
        #expect(before.count > 20, "seed \(seed)")
        for query in [WildOrder.all, WildOrder.all.withoutOrigin(), WildOrder.all.including(\.playedSongs, \.words)] {
            var all = try await store.fetch(query)
            #expect(all.count == 10)
            try await store.save(&all)
            #expect(try await dump(store) == before, "seed \(seed)")
        }
        let plan = try await store.plan(WildOrder.self, from: json, Self.shop)
        #expect(plan.summary == SyncSummary(unchanged: 10), "seed \(seed): \(plan.summary)")
        #expect(
            plan.nested.values.allSatisfy { $0 == SyncSummary(unchanged: $0.unchanged) }, "seed \(seed): \(plan.nested)"
        )
        // One property is one edit, which the source's news leave where they are.
        let kept = try await store.find(WildOrder.self, 4)
        try await store.update(WildOrder.self, 4) { $0.ownNote = "mine" }
        let news = try await store.sync(WildOrder.self, from: world.orders(10), Self.shop)
        #expect(news.summary.conflict == 0 && news.summary.keptLocal == 0, "seed \(seed): \(news.summary)")
        #expect(try await store.find(WildOrder.self, 4).ownNote == "mine", "seed \(seed)")
        // A value that was read before the news takes none of them back.
        let after = try await dump(store)
        var stale = kept
        try await store.save(&stale)
        stale.ownNote = "mine"
        let error = await #expect(throws: SluiceError.self) { try await store.save(&stale) }
        #expect(error?.code == .stale && error?.field == "ownNote", "seed \(seed)")
        #expect(try await dump(store) == after, "seed \(seed)")
    }

    @Test(arguments: Seeds.first(6)) func keysOfSeveralPartsAreNoEdit(_ seed: UInt64) async throws {
        var world = World(chance: SeededGenerator(seed: seed))
        let store = try await store()
        try await store.sync(WildOrder.self, from: world.orders(4), Self.shop)
        let json = world.seats(12)
        let first = try await store.sync(WildSeat.self, from: json, Self.shop)
        try #require(first.summary == SyncSummary(insert: 12), "seed \(seed): \(first.summary) \(first.quarantined)")
        let before = try await dump(store)
        for query in [WildSeat.all, WildSeat.all.withoutOrigin(), WildSeat.including(\.wildOrder)] {
            var all = try await store.fetch(query)
            #expect(all.count == 12)
            try await store.save(&all)
            #expect(try await dump(store) == before, "seed \(seed)")
        }
        let plan = try await store.plan(WildSeat.self, from: json, Self.shop)
        #expect(plan.summary == SyncSummary(unchanged: 12), "seed \(seed): \(plan.summary)")
        var one = try #require(try await store.fetch(WildSeat.where { $0.hallCode == "H1" && $0.wildOrder == 2 }).first)
        one.rowName = "mine"
        try await store.save(&one)
        let again = try await store.sync(WildSeat.self, from: json, Self.shop)
        #expect(again.summary.conflict == 0 && again.summary.update == 0, "seed \(seed): \(again.summary)")
        #expect(try await store.count(WildSeat.where { $0.rowName == "mine" }) == 1, "seed \(seed)")
    }
}

private enum WildMood: String { case calm, wild }

@Composition(names: .snakeCase)
private struct WildPlace {
    var streetName: String?
}

@PersistentModel(table: "wild_buyers", names: .snakeCase)
private struct WildBuyer {
    @Attribute(.identifier) let buyerId: Int
    var fullName: String
    @Attribute(storageMethod: .codable) var home: [String: String]?
}

@PersistentModel(table: "wild_lines", names: .snakeCase)
private struct WildLine {
    let id: Int
    var unitPrice: Decimal
    var note: String?
    var origin = Origin()
}

@PersistentModel(table: "wild_songs")
private struct WildSong {
    let id: Int
    var title: String
}

@PersistentModel(table: "wild_words")
private struct WildWord {
    @Attribute(.identifier) let word: String
}

@PersistentModel(table: "wild_orders", names: .snakeCase)
private struct WildOrder {
    @Attribute(.identifier) let orderNumber: Int
    var placedAt: Date
    var totalPrice: Decimal
    var isPaid = false
    var shortNote: String?
    @Attribute(storageMethod: .raw) var mood: WildMood?
    var parcelSizeInMm: Float?
    @Attribute(storageMethod: .composition) var shipTo: WildPlace?
    /// The source knows nothing of it.
    var ownNote: String?
    @Relationship(inverse: .none, deleteRule: .nullify, json: "buyer") var namedBuyer: WildBuyer?
    @Relationship(inverse: .none, deleteRule: .cascade, json: "lines") var orderLines: [WildLine]
    @Relationship(inverse: .none, deleteRule: .nullify, json: "songs") var playedSongs: OrderedRefs<WildSong>
    @Relationship(inverse: .none, deleteRule: .nullify, json: "words") var words: Refs<WildWord>
    var origin = Origin()
}

@PersistentModel(table: "wild_seats", names: .snakeCase)
private struct WildSeat {
    @Attribute(.identifier) let hallCode: String
    @Attribute(.identifier) @Relationship(inverse: .none, deleteRule: .cascade, json: "wild_order_id")
    var wildOrder: Ref<WildOrder>
    @Attribute(.identifier) let day: Day
    var rowName: String
    var listPrice: Decimal?
    var origin = Origin()
}
