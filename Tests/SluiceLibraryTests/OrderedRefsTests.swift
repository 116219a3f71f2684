import Foundation
import Sluice
import TestSupport
import Testing

/// What leads to several records in an order of its own.
struct OrderedRefsTests {
    private func store() async throws -> Store {
        let store = try Store.temporary(SongList.self)
        try await store.write { tx in
            for id in 1...5 {
                var song = Song(id: id, title: "S\(id)", lists: [])
                try tx.save(&song)
            }
            var list = SongList(id: 1, name: "A", songs: [3, 1, 2])
            try tx.save(&list)
        }
        return store
    }

    private func keys(_ store: Store, _ list: Int = 1) async throws -> [Int] {
        try await store.read { try $0.find(SongList.self, list).songs.keys(in: $0) }
    }

    /// What is done, and the order that comes of it.
    private static let changes: [(name: String, change: @Sendable (inout OrderedRefs<Song>) -> Void, keys: [Int])] = [
        ("nothing", { _ in }, [3, 1, 2]),
        ("at the end", { $0.append(5) }, [3, 1, 2, 5]),
        ("at the beginning", { $0.insert(5, at: 0) }, [5, 3, 1, 2]),
        ("behind the last", { $0.insert(5, at: 9) }, [3, 1, 2, 5]),
        ("before the first", { $0.insert(5, at: -1) }, [5, 3, 1, 2]),
        ("what is there moves", { $0.insert(2, at: 0) }, [2, 3, 1]),
        ("what is there moves to the end", { $0.append(3) }, [1, 2, 3]),
        ("less", { $0.remove(1) }, [3, 2]),
        ("what is not there stays away", { $0.remove(4) }, [3, 1, 2]),
        (
            "one after the other",
            {
                $0.remove(3)
                $0.append(4)
                $0.insert(5, at: 1)
            }, [1, 5, 2, 4]
        ),
        ("all anew, each once", { $0.assign([4, 1, 4]) }, [4, 1]),
        ("none", { $0.assign([]) }, []),
    ]

    @Test(arguments: changes.indices) func keepsTheOrder(_ index: Int) async throws {
        let row = Self.changes[index]
        let store = try await store()
        try await store.update(SongList.self, 1) { row.change(&$0.songs) }
        #expect(try await keys(store) == row.keys, "\(row.name)")
        let list = try #require(try await store.fetch(SongList.including(\.songs)).first)
        #expect(list.songs.values?.map(\.id) == row.keys, "\(row.name)")
        #expect(try await store.fetch(SongList.all).count == 1)
    }

    /// Pairs that are where they are to be are not written.
    @Test func writesWhatMoves() async throws {
        let store = try await store()
        try await store.write { tx in
            try tx.execute("CREATE TABLE written (song INTEGER)")
            for event in ["INSERT", "UPDATE"] {
                try tx.execute(
                    event == "INSERT"
                        ? "CREATE TRIGGER a AFTER INSERT ON playlist_songs BEGIN INSERT INTO written VALUES (new.song_id); END"
                        : "CREATE TRIGGER b AFTER UPDATE ON playlist_songs BEGIN INSERT INTO written VALUES (new.song_id); END"
                )
            }
        }
        try await store.update(SongList.self, 1) { $0.songs.insert(5, at: 2) }
        #expect(try await store.rows("SELECT song FROM written ORDER BY song").map { $0.texts[0] } == ["2", "5"])
    }

    /// The other side adds to the end, and what other programs add without a place comes last.
    @Test func takesWhatComesFromElsewhere() async throws {
        let store = try await store()
        try await store.write { tx in
            let song = try tx.find(Song.self, 5)
            try song.addToLists(try tx.find(SongList.self, 1), in: tx)
            try tx.execute("INSERT INTO playlist_songs (playlist_id, song_id) VALUES (1, 4)")
        }
        #expect(try await keys(store) == [3, 1, 2, 5, 4])
        try await store.write { tx in
            let list = try tx.find(SongList.self, 1)
            try list.removeFromSongs(try tx.find(Song.self, 1), in: tx)
            #expect(try list.songsCount(in: tx) == 4)
            #expect(try list.songs.contains(5, in: tx) && !list.songs.contains(1, in: tx))
        }
        #expect(try await store.fetch(SongList.where { $0.songs.any { $0.title == "S4" } }).count == 1)
        _ = try await store.write { try $0.delete(Song.self, 2) }
        #expect(try await keys(store) == [3, 5, 4])
    }

    /// What stands in the list already moves, and all stand one behind the other.
    @Test(arguments: [
        ([5], 1, [3, 5, 1, 2]), ([5, 4], 0, [5, 4, 3, 1, 2]), ([2, 3], 1, [1, 2, 3]), ([4], 99, [3, 1, 2, 4]),
        ([4], -1, [4, 3, 1, 2]), ([], 1, [3, 1, 2]), ([1, 1], 0, [1, 3, 2]),
    ])
    func insertsAtAPlace(songs: [Int], position: Int, after: [Int]) async throws {
        let store = try await store()
        try await store.write { tx in
            let list = try tx.find(SongList.self, 1)
            try list.insertIntoSongs(try songs.map { try tx.find(Song.self, $0) }, at: position, in: tx)
        }
        #expect(try await keys(store) == after)
    }

    /// What a source's list says, what the program does first, and the order that comes of it.
    private static let lists:
        [(name: String, first: String, change: @Sendable (inout OrderedRefs<Piece>) -> Void, next: String, keys: [Int])] =
            [
                ("the order of the list", "[3, 1, 2]", { _ in }, "[3, 1, 2]", [3, 1, 2]),
                ("objects", #"[{"id": 3}, {"id": 1}]"#, { _ in }, #"[{"id": 3}, {"id": 1}]"#, [3, 1]),
                (
                    "what comes later comes behind, in the order of the list", "[3, 1]", { _ in }, "[5, 3, 4, 1]",
                    [3, 1, 5, 4]
                ),
                ("what goes leaves the others", "[3, 1, 2]", { _ in }, "[2, 3]", [3, 2]),
                ("the program's order stays", "[3, 1, 2]", { $0.insert(2, at: 0) }, "[3, 1, 2, 4]", [2, 3, 1, 4]),
                ("what has a place keeps it", "[3, 1, 2]", { _ in }, "[2, 1, 3]", [3, 1, 2]),
            ]

    @Test(arguments: lists.indices) func takesTheOrderOfASource(_ index: Int) async throws {
        let row = Self.lists[index]
        let store = try Store.temporary(Medley.self)
        try await store.write { tx in
            for id in 1...5 {
                var piece = Piece(id: id)
                try tx.save(&piece)
            }
        }
        let options = SyncOptions(source: "shop")
        try await store.sync(Medley.self, from: #"[{"id": 1, "pieces": \#(row.first)}]"#, options)
        try await store.update(Medley.self, 1) { row.change(&$0.pieces) }
        try await store.sync(Medley.self, from: #"[{"id": 1, "pieces": \#(row.next)}]"#, options)
        let keys = try await store.read { try $0.find(Medley.self, 1).pieces.keys(in: $0) }
        #expect(keys == row.keys, "\(row.name)")
    }

    /// Records that come after the list take their places with the next sync of it.
    @Test func takesTheOrderOfWhatComesLater() async throws {
        let store = try Store.temporary(Medley.self)
        let options = SyncOptions(source: "shop")
        let json = #"[{"id": 1, "pieces": [7, 5, 6]}]"#
        try await store.sync(Medley.self, from: json, options)
        try await store.sync(Piece.self, from: #"[{"id": 5}, {"id": 6}, {"id": 7}]"#, options)
        try await store.sync(Medley.self, from: json, options)
        #expect(try await store.read { try $0.find(Medley.self, 1).pieces.keys(in: $0) } == [7, 5, 6])
    }

    @Test func takesTheOrderOfRecordsByValue() async throws {
        let store = try Store.temporary(PartList.self)
        let json = #"[{"id": 1, "parts": [{"id": 7}, {"id": 5}, {"id": 6}]}]"#
        try await store.sync(PartList.self, from: json, .init(source: "shop"))
        #expect(try await store.find(PartList.self, 1).parts.map(\.id) == [7, 5, 6])
    }

    @Test func isCodedAsKeys() throws {
        let json = try JSONEncoder().encode(SongList(id: 1, name: "A", songs: [3, 1]))
        #expect(try JSONDecoder().decode(SongList.self, from: json).songs == [3, 1])
        #expect(try JSONDecoder().decode(SongList.self, from: Data(#"{"id": 1, "name": "A"}"#.utf8)).songs == [])
    }

    /// A table of pairs that had no places gets them.
    @Test func givesPairsPlaces() async throws {
        let folder = try TemporaryDirectory()
        do {
            let store = try Store(folder.path + "/a.db", models: FormerPlaylist.self)
            try await store.write { tx in
                for id in 1...3 {
                    var song = FormerSong(id: id)
                    try tx.save(&song)
                }
                var list = FormerPlaylist(id: 1, songs: [2, 1])
                try tx.save(&list)
            }
            await store.close()
        }
        let store = try Store(folder.path + "/a.db", models: LaterPlaylist.self)
        #expect(store.schemaChanges == [#"ALTER TABLE "playlist_songs" ADD COLUMN "position" INTEGER"#])
        try await store.update(LaterPlaylist.self, 1) { $0.songs.insert(3, at: 0) }
        let keys = try await store.read { try $0.find(LaterPlaylist.self, 1).songs.keys(in: $0) }
        #expect(keys == [3, 1, 2])
    }

    @Test func refusesOrdersThatHaveNoPlace() {
        let error = #expect(throws: SluiceError.self) { try Schema(Shelving.self) }
        #expect(error?.problems.count == 1 && error?.problems.first?.contains("has no place for it") == true)
        let both = #expect(throws: SluiceError.self) { try Schema(Left.self) }
        #expect(both?.problems.first?.contains("both have an order") == true, "\(both?.problems ?? [])")
    }
}

@PersistentModel(entity: "Playlist") private struct SongList: Codable {
    let id: Int
    var name: String
    @Relationship(inverse: "lists", deleteRule: .nullify, via: "playlist_songs") var songs: OrderedRefs<Song>
    var origin = Origin()
}

@PersistentModel private struct Song: Codable {
    let id: Int
    var title: String
    @Relationship(inverse: "songs", deleteRule: .nullify) var lists: Refs<SongList>
}

@PersistentModel(entity: "Playlist") private struct FormerPlaylist {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var songs: Refs<FormerSong>
}

@PersistentModel(entity: "Song") private struct FormerSong {
    let id: Int
}

@PersistentModel(entity: "Playlist") private struct LaterPlaylist {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var songs: OrderedRefs<FormerSong>
}

@PersistentModel private struct Shelving {
    let id: Int
    @Relationship(inverse: "shelving", deleteRule: .nullify) var boards: OrderedRefs<Board>
}

@PersistentModel private struct Board {
    let id: Int
    @Relationship(inverse: "boards", deleteRule: .nullify) var shelving: Ref<Shelving>?
}

@PersistentModel private struct Left {
    let id: Int
    @Relationship(inverse: "lefts", deleteRule: .nullify) var rights: OrderedRefs<Right>
}

@PersistentModel private struct Right {
    let id: Int
    @Relationship(inverse: "rights", deleteRule: .nullify) var lefts: OrderedRefs<Left>
}

@PersistentModel private struct Medley {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify, json: "pieces") var pieces: OrderedRefs<Piece>
    var origin = Origin()
}

@PersistentModel private struct PartList {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify, json: "parts") var parts: [Piece]
}

@PersistentModel private struct Piece {
    let id: Int
}
