import Foundation
import Sluice
import Testing

/// Properties with defaults, one for each way of storing.
@PersistentModel(table: "gadgets", names: .snakeCase)
struct Gadget: Equatable {
    enum Size: String { case small, large }
    let id: Int
    var name: String
    var isNew = true
    var stock: Int = -1
    var price: Decimal? = 9.5
    @Attribute(storageMethod: .raw) var size: Size = .small
    @Attribute(storageMethod: .codable) var tags: [String] = []
    @Attribute(owner: .remote) var state = "open"
    /// What a call makes is no default.
    var token: UUID? = UUID()
    var origin = Origin()
}

/// What an absent key means for properties with defaults.
struct SyncDefaultTests {
    /// What is stored of a gadget, without its token.
    private func stored(_ store: Store, _ id: Int = 1) async throws -> [String] {
        let gadget = try await store.find(Gadget.self, id)
        #expect(gadget.token == nil)
        return [
            "\(gadget.isNew)", "\(gadget.stock)", gadget.price.map { "\($0)" } ?? "nil", "\(gadget.size)",
            "\(gadget.tags)", gadget.state,
        ]
    }

    @Test func insertsDefaultsForKeysThatAreAbsent() async throws {
        let store = try Store.temporary(Gadget.self)
        let json = #"""
            [{"id":1,"name":"A"},
             {"id":2,"name":"B","is_new":false,"stock":3,"price":null,"size":"large","tags":["x"],"state":"done"},
             {"id":3,"name":"C","is_new":null},{"id":4}]
            """#
        let result = try await store.sync(Gadget.self, from: json)
        // Null is a value, which a property that is not optional cannot have, and `name` has no default.
        #expect(result.summary == SyncSummary(insert: 2, quarantined: 2))
        #expect(try await stored(store) == ["true", "-1", "9.5", "small", "[]", "open"])
        #expect(try await stored(store, 2) == ["false", "3", "nil", "large", #"["x"]"#, "done"])
        #expect(
            try await store.sync(Gadget.self, from: #"[{"id":1,"name":"A"}]"#).summary == SyncSummary(unchanged: 1))
    }

    /// Of a row that is there an absent key says nothing, whatever the default is.
    @Test func keepsWhatStandsWhereAKeyIsAbsent() async throws {
        let store = try Store.temporary(Gadget.self)
        let full = #"[{"id":1,"name":"A","is_new":false,"stock":3,"size":"large","state":"done"}]"#
        try await store.sync(Gadget.self, from: full)
        let short = #"[{"id":1,"name":"A"}]"#
        #expect(try await store.sync(Gadget.self, from: short).summary == SyncSummary(unchanged: 1))
        #expect(try await stored(store) == ["false", "3", "9.5", "large", "[]", "done"])
        // An edit that comes to the default stays an edit.
        try await store.update(Gadget.self, 1) { $0.stock = -1 }
        try await store.sync(Gadget.self, from: short)
        #expect(try await stored(store)[1] == "-1")
        #expect(try await store.sync(Gadget.self, from: full).summary.conflict == 0)
        #expect(try await stored(store)[1] == "-1")
        // What the source says itself is news.
        try await store.sync(Gadget.self, from: #"[{"id":1,"name":"A","is_new":true}]"#)
        #expect(try await stored(store)[0] == "true")
    }

    /// A row of the table of modes: what becomes of a row whose record lacks the keys.
    static let modes: [(mode: SyncOptions.Mode, isReset: Bool)] = [
        (.merge, false), (.append, false), (.insertOnly, false), (.replace, true),
    ]

    @Test(arguments: modes.indices) func everyModeSaysWhatAnAbsentKeyMeans(_ index: Int) async throws {
        let row = Self.modes[index]
        let store = try Store.temporary(Gadget.self)
        let options = SyncOptions(source: "shop", mode: row.mode)
        let full = #"""
            [{"id":1,"name":"A","is_new":false,"stock":3,"price":"1","size":"large","tags":["x"],"state":"done"}]
            """#
        try await store.sync(Gadget.self, from: full, options)
        let result = try await store.sync(Gadget.self, from: #"[{"id":1,"name":"A"}]"#, options)
        #expect(result.summary == (row.isReset ? SyncSummary(update: 1) : SyncSummary(unchanged: 1)), "\(row.mode)")
        let defaults = ["true", "-1", "9.5", "small", "[]", "open"]
        let said = ["false", "3", "1", "large", #"["x"]"#, "done"]
        #expect(try await stored(store) == (row.isReset ? defaults : said), "\(row.mode)")
    }

    /// A new record has what its value has, whatever the source spoke of: a default is for what no value says.
    @Test func insertsWhatValuesHave() async throws {
        let store = try Store.temporary(Gadget.self)
        let gadget = Gadget(id: 1, name: "A", isNew: false, stock: 5, token: nil)
        try await store.sync(Upsert(gadget, present: [\.name, \.stock]))
        #expect(try await stored(store) == ["false", "5", "9.5", "small", "[]", "open"])
        // Of one that is there the source said what it named alone.
        var other = gadget
        (other.isNew, other.stock) = (true, 6)
        try await store.sync(Upsert(other, present: [\.stock]))
        #expect(try await stored(store) == ["false", "6", "9.5", "small", "[]", "open"])
        // Who has a whole value has said everything.
        try await store.sync([other])
        #expect(try await stored(store)[0] == "true")
    }
}
