import Sluice
import TestSupport
import Testing

/// Values that one store gave and another one saves.
struct OtherStoreTests {
    private static func filled(_ path: String? = nil) async throws -> Store {
        let store = try path.map { try Store($0, models: SentParcel.self) } ?? Store.temporary(SentParcel.self)
        var parcels = [
            SentParcel(id: 1, note: "a", items: [SentItem(id: 1, count: 1)], tags: ["x"]),
            SentParcel(id: 2, note: "b", items: [], tags: []),
        ]
        try await store.insert(&parcels)
        return store
    }

    private static func rows(_ store: Store) async throws -> [String] {
        try await store.fetch(SentParcel.order(by: \.id)).map { parcel in
            "\(parcel.id) \(parcel.note) \(parcel.items.map { "\($0.id):\($0.count)" }.joined(separator: ","))"
        }
    }

    /// What saves them, and whether what is there already is written over.
    enum Way: CaseIterable { case save, saveSeveral, upsert, insert, saved }

    @Test(arguments: Way.allCases) func areNewThere(_ way: Way) async throws {
        let (one, other) = (try await Self.filled(), try Store.temporary(SentParcel.self))
        var all = try await one.fetch(SentParcel.order(by: \.id))
        switch way {
        case .save: for index in all.indices { try await other.save(&all[index]) }
        case .saveSeveral:
            try await other.write { [all] tx in
                var all = all
                try tx.save(&all)
            }
        case .upsert: try await other.upsert(all)
        case .insert: try await other.insert(&all)
        case .saved:
            // What was saved in one store knows that one.
            all[0].note = "c"
            try await one.save(&all[0])
            all[0].note = "a"
            try await other.upsert(all)
        }
        #expect(try await Self.rows(other) == ["1 a 1:1", "2 b "])
    }

    @Test func areWrittenOverWhatIsThere() async throws {
        let (one, other) = (try await Self.filled(), try await Self.filled())
        try await one.update(SentParcel.self, 1) {
            $0.note = "from one"
            $0.items[0].count = 5
        }
        var parcel = try await one.find(SentParcel.self, 1)
        try await other.save(&parcel)
        #expect(try await Self.rows(other) == ["1 from one 1:5", "2 b "])
        // From now on it knows that store: what others change there stays.
        try await other.update(SentItem.self, 1) { $0.count = 6 }
        parcel.note = "mine"
        try await other.save(&parcel)
        #expect(try await Self.rows(other) == ["1 mine 1:6", "2 b "])
    }

    /// Where a save fails, the value knows what it knew.
    @Test func aFailureLeavesThemAsTheyWere() async throws {
        let (one, other) = (try await Self.filled(), try await Self.filled())
        var parcel = try await one.find(SentParcel.self, 1)
        await #expect(throws: SluiceError.self) { try await other.insert(&parcel) }
        try await one.update(SentParcel.self, 1) { $0.note = "theirs" }
        try await one.save(&parcel)
        #expect(try await Self.rows(one)[0] == "1 theirs 1:1")
    }

    /// A file is one store, however often it is open.
    @Test func aFileIsOneStore() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/parcels.db"
        let one = try await Self.filled(path)
        let again = try Store(folder.path + "/./parcels.db", models: SentParcel.self)
        var parcel = try await one.find(SentParcel.self, 1)
        try await again.update(SentParcel.self, 1) { $0.note = "theirs" }
        try await again.save(&parcel)
        #expect(try await Self.rows(one)[0] == "1 theirs 1:1")
    }
}

@PersistentModel struct SentParcel {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade) var items: [SentItem]
    @Attribute(storageMethod: .codable) var tags: [String]
    var origin = Origin()
}

@PersistentModel struct SentItem {
    let id: Int
    var count: Int
    var origin = Origin()
}
