import Foundation
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

    /// What would save them.
    enum Way: CaseIterable { case save, saveSeveral, upsert, within, saved }

    @Test(arguments: Way.allCases) func areRefused(_ way: Way) async throws {
        let (one, other) = (try await Self.filled(), try await Self.filled())
        try await other.delete(SentParcel.self, 2)
        var all = try await one.fetch(SentParcel.order(by: \.id))
        var code: SluiceError.Code?
        do {
            switch way {
            case .save: try await other.save(&all[1])
            case .saveSeveral: try await other.save(&all)
            case .upsert: try await other.upsert(all)
            case .within:
                var parcel = SentParcel(id: 3, note: "c", items: all[0].items, tags: [])
                try await other.insert(&parcel)
            case .saved:
                // What was saved in one store knows that one.
                all[1].note = "c"
                try await one.save(&all[1])
                try await other.save(&all[1])
            }
        } catch let error as SluiceError {
            code = error.code
            #expect(error.message.contains("another store"), "\(error)")
        }
        #expect(code == .refused)
        #expect(try await Self.rows(other) == ["1 a 1:1"])
        // They know their own store as before.
        try await one.update(SentParcel.self, 1) { $0.note = "theirs" }
        try await one.save(&all[0])
        #expect(try await Self.rows(one)[0] == "1 theirs 1:1")
    }

    @Test func areInsertedWithoutWhatTheyRemember() async throws {
        let (one, other) = (try await Self.filled(), try Store.temporary(SentParcel.self))
        var all = try await one.fetch(SentParcel.order(by: \.id))
        try await other.insert(&all[1])
        all[0].origin = Origin()
        for item in all[0].items.indices { all[0].items[item].origin = Origin() }
        try await other.save(&all[0])
        #expect(try await Self.rows(other) == ["1 a 1:1", "2 b "])
        // From now on they know that store.
        try await other.update(SentItem.self, 1) { $0.count = 6 }
        all[0].note = "mine"
        try await other.save(&all)
        #expect(try await Self.rows(other) == ["1 mine 1:6", "2 b "])
    }

    /// A file is one store, however often it is open.
    @Test func aFileIsOneStore() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/parcels.db"
        let one = try await Self.filled(path)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link.db", withDestinationPath: path)
        for other in [folder.path + "/./parcels.db", folder.path + "/link.db"] {
            let again = try Store(other, models: SentParcel.self)
            var parcel = try await one.find(SentParcel.self, 1)
            try await again.update(SentParcel.self, 1) { $0.note += "!" }
            try await again.save(&parcel)
        }
        #expect(try await Self.rows(one)[0] == "1 a!! 1:1")
    }

    /// A file that takes the place of another one is another store.
    @Test func aNewFileIsAnotherStore() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/parcels.db"
        let one = try await Self.filled(path)
        var parcel = try await one.find(SentParcel.self, 1)
        await one.close()
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        let other = try Store(path, models: SentParcel.self)
        var code: SluiceError.Code?
        do { try await other.save(&parcel) } catch let error as SluiceError { code = error.code }
        #expect(code == .refused)
        (parcel.origin, parcel.items) = (Origin(), [])
        try await other.save(&parcel)
        #expect(try await Self.rows(other) == ["1 a "])
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
