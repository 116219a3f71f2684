import Foundation
import Sluice
import Testing

/// A closure that looks at records and changes nothing has what a sync without one has.
struct ClosureSpellingTests {
    private static let options = SyncOptions(source: "s")

    private static func store() async throws -> Store {
        let store = try Store.temporary(SpelledAlbum.self, SpelledSong.self, SpelledShelf.self)
        var songs = (1...5).map { SpelledSong(id: $0) }
        try await store.save(&songs)
        return store
    }

    private static func songs(_ store: Store, _ album: Int = 1) async throws -> [Int] {
        try await store.read { try $0.find(SpelledAlbum.self, album).songs.keys(in: $0) }
    }

    /// The order of JSON, of records that are there at once and of those that come later.
    @Test(arguments: [false, true]) func keepsTheOrderOfLinks(_ looks: Bool) async throws {
        func sync(_ store: Store, _ json: String) async throws {
            if looks {
                try await store.sync(SpelledAlbum.self, from: json, Self.options) { @Sendable _ in .keep }
            } else {
                try await store.sync(SpelledAlbum.self, from: json, Self.options)
            }
        }
        let store = try await Self.store()
        try await sync(store, #"[{"id": 1, "songs": [3, 1, 2]}]"#)
        #expect(try await Self.songs(store) == [3, 1, 2])
        try await sync(store, #"[{"id": 1, "songs": [3, 1, 2, 5, 4]}]"#)
        #expect(try await Self.songs(store) == [3, 1, 2, 5, 4])
        try await sync(store, #"[{"id": 2, "songs": [{"id": 4}, {"id": 2}, {"id": 3}]}]"#)
        #expect(try await Self.songs(store, 2) == [4, 2, 3])
        try await sync(store, #"[{"id": 3, "songs": [9, 2, 8, 1]}]"#)
        #expect(try await Self.songs(store, 3) == [2, 1])
    }

    /// Of records that stand within others as well.
    @Test(arguments: [false, true]) func keepsTheOrderWithinRecords(_ looks: Bool) async throws {
        let store = try await Self.store()
        let json = #"[{"id": 1, "albums": [{"id": 6, "songs": [2, 1]}, {"id": 5, "songs": [5, 3, 4]}]}]"#
        if looks {
            try await store.sync(SpelledShelf.self, from: json, Self.options) { @Sendable _ in .keep }
        } else {
            try await store.sync(SpelledShelf.self, from: json, Self.options)
        }
        #expect(try await Self.songs(store, 5) == [5, 3, 4])
        #expect(try await Self.songs(store, 6) == [2, 1])
        #expect(try await store.find(SpelledShelf.self, 1).albums.map(\.id) == [6, 5])
    }

    /// Values stay as the source spells them.
    @Test func keepsTheSpelling() async throws {
        let json =
            #"[{"id": 1, "at": "2026-01-31T17:00:00.123456789Z", "price": "1.10", "words": {"b": 1, "a": 2}, "songs": []}]"#
        var texts: [[String?]] = []
        for looks in [false, true] {
            let store = try await Self.store()
            if looks {
                try await store.sync(SpelledAlbum.self, from: json, Self.options) { album in
                    album.note = "seen"
                    return .keep
                }
            } else {
                try await store.sync(SpelledAlbum.self, from: json, Self.options)
            }
            texts.append(try await store.rows("SELECT at, price, words FROM spelled_album")[0].texts)
            let again = try await store.sync(SpelledAlbum.self, from: json, Self.options) { @Sendable _ in .keep }
            #expect(again.summary == SyncSummary(unchanged: 1))
        }
        #expect(texts[0] == texts[1])
    }

    /// What the closure changes is written as it makes it.
    @Test func takesWhatTheClosureMakes() async throws {
        let store = try await Self.store()
        let json = #"[{"id": 1, "at": "2026-01-31T17:00:00.123456789Z", "songs": []}]"#
        try await store.sync(SpelledAlbum.self, from: json, Self.options) { album in
            album.at = album.at?.addingTimeInterval(60)
            return .keep
        }
        let at = try await store.find(SpelledAlbum.self, 1).at
        #expect(abs((at?.timeIntervalSince1970 ?? 0) - 1_769_878_860.123_456_789) < 0.001)
    }
}

@PersistentModel struct SpelledAlbum {
    let id: Int
    var at: Date?
    var price: Decimal?
    var note: String?
    @Attribute(storageMethod: .codable) var words: [String: Int]?
    @Relationship(inverse: .none, deleteRule: .nullify, json: "songs") var songs: OrderedRefs<SpelledSong>
}

@PersistentModel struct SpelledSong { let id: Int }

@PersistentModel struct SpelledShelf {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade, json: "albums") var albums: [SpelledAlbum]
}
