import Foundation
import Sluice
import Synchronization
import TestSupport
import Testing

@PersistentModel(table: "tools") private struct RoughTool {
    let id: Int
    var name: String
    var price: Double
}

@PersistentModel(entity: "RoughTool", table: "tools") private struct ExactTool {
    let id: Int
    var name: String
    var price: Decimal
}

@PersistentModel(entity: "RoughTool", table: "tools") private struct MovedTool {
    let id: Int
    var name: String
    @Attribute(column: "price_exact") var price: Decimal?
}

@PersistentModel(table: "records") private struct FormerAlbum {
    let id: Int
    var name: String
    @Relationship(inverse: .none, deleteRule: .nullify) var band: Ref<Artist>?
}

@PersistentModel struct Artist {
    let id: Int
    var name: String
}

// The blocks of Swift of the catalogue's page on models.

@PersistentModel(table: "albums", tableRenamedFrom: "records")
struct Album {
    let id: Int
    @Attribute(renamedFrom: "name") var title: String
    @Relationship(renamedFrom: "band", inverse: .none, deleteRule: .nullify) var artist: Ref<Artist>?
}

@PersistentModel
struct Venue {
    let id: Int
    var name: String
    @Relationship(inverse: "venue", deleteRule: .deny) var shows: Refs<Show>
}

@PersistentModel
struct Show {
    let id: Int
    @Relationship(inverse: "shows", deleteRule: .nullify) var venue: Ref<Venue>
}

@PersistentModel
struct Rental {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .deny) var book: Ref<Book>?
}

@Composition
struct Coordinate: Equatable {
    var lat: Double
    var lng: Double
}

@PersistentModel
struct Station {
    let id: Int
    var name: String
    @Attribute(storageMethod: .composition) var location: Coordinate?
}

@PersistentModel
struct Playlist {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var stations: OrderedRefs<Station>
}

@PersistentModel
struct Invoice {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var items: [InvoiceItem]
    @Relationship(inverse: .none, deleteRule: .nullify) var artist: Artist?
}

@PersistentModel
struct InvoiceItem {
    let id: Int
    var text: String
}

@PersistentModel
struct Recipe {
    let id: Int
    var name: String
    @Relationship(inverse: .none, deleteRule: .nullify, json: "labels") var labels: Refs<Label>
}

@PersistentModel
struct Label {
    @Attribute(.identifier) let word: String
}

@PersistentModel(identifier: .none)
struct Visit {
    let page: String
    let at: Date
}

@PersistentModel
struct Review {
    let id: Int
    @Attribute(check: .length(1...200)) var title: String
    @Attribute(check: .range(1...5)) var stars: Int?
    @Attribute(check: .pattern("[A-Z]{2}-[0-9]+")) var code: String
    @Attribute(check: .values("open", "closed")) var state: String
}

private final class Cache: Sendable {
    let forgotten = Mutex<Set<Int>>([])
    func forget(_ keys: Set<Int>) { forgotten.withLock { $0.formUnion(keys) } }
    func forgetAll() { forgotten.withLock { $0 = [] } }
}

struct PagesManualTests {
    @Test func readsWithItsOwnerAsThePageOfRelationshipsShows() async throws {
        let store = try Store.temporary(Invoice.self)
        var invoice = Invoice(
            id: 1, items: [InvoiceItem(id: 1, text: "a"), InvoiceItem(id: 2, text: "b")],
            artist: Artist(id: 3, name: "Can"))
        try await store.save(&invoice)
        invoice.items.removeFirst()
        try await store.save(&invoice)
        let read = try await store.find(Invoice.self, 1)
        #expect(read.items.map(\.text) == ["b"])
        #expect(try await store.count(InvoiceItem.all) == 1)
        #expect(read.artist?.name == "Can")
    }

    @Test func bringsListsTogetherAsThePageOfJSONShows() async throws {
        let store = try Store.temporary(Recipe.self)
        var labels = ["hot", "sweet"].map { Label(word: $0) }
        try await store.save(&labels)
        try await store.sync(Recipe.self, from: #"[{"id": 1, "name": "Pie", "labels": ["hot"]}]"#)
        try await store.update(Recipe.self, 1) { $0.labels.insert("sweet") }
        try await store.sync(Recipe.self, from: #"[{"id": 1, "name": "Pie", "labels": []}]"#)
        let words = try await store.read { try $0.find(Recipe.self, 1).labels.load(in: $0).map(\.word) }
        #expect(words == ["sweet"])
    }

    @Test func decidesAsThePageOfConflictsShows() async throws {
        let store = try Store.temporary(TutorialWork.self)
        try await store.sync(TutorialWork.self, from: #"[{"id": 1, "title": "a"}]"#)
        try await store.update(TutorialWork.self, 1) { $0.title = "b" }
        try await store.sync(TutorialWork.self, from: #"[{"id": 1, "title": "c"}]"#)
        for conflict in try await store.conflicts() {
            print(conflict.entity, conflict.record, conflict.field ?? "", conflict.json(.local) ?? "null")
            try await store.resolve(conflict, .remote)
        }
        #expect(try await store.find(TutorialWork.self, 1).title == "c")
    }

    @Test func recordsAWriteAsThePageOfConflictsShows() async throws {
        let store = try Store.temporary(TutorialBook.self)
        var book = TutorialBook(id: 1, title: "Ubik", price: nil, author: nil)
        try await store.save(&book)
        let run = try await store.write(recording: .by("ann")) { tx in
            try tx.update(TutorialBook.self, 1) { $0.title = "Dune" }
            return tx.recordedRun
        }
        if let run { try await store.undo(run: run) }
        #expect(try await store.find(TutorialBook.self, 1).title == "Ubik")
        #expect(try await store.history().map(\.command) == ["undo", "edit"])
    }

    @Test func forgetsAsThePageOfChangesShows() async throws {
        let store = try Store.temporary(TutorialBook.self)
        let cache = Cache()
        let writing = Task {
            // Until somebody listens.
            while cache.forgotten.withLock(\.isEmpty) {
                var book = TutorialBook(id: 7, title: "Dune", price: nil, author: nil)
                try await store.save(&book)
                try await store.write { _ = try $0.delete(TutorialBook.self, 7) }
            }
        }
        for try await change in store.changes(TutorialBook.self) {
            if let keys = change.keys(of: TutorialBook.self) { cache.forget(keys) } else { cache.forgetAll() }
            break
        }
        try await writing.value
        #expect(cache.forgotten.withLock { $0 } == [7])
    }

    @Test func keepsAnOrderAsThePageOfRelationshipsShows() async throws {
        let store = try Store.temporary(Playlist.self)
        try await store.write { tx in
            var stations = [Station(id: 1, name: "a", location: nil), Station(id: 2, name: "b", location: nil)]
            try tx.save(&stations)
            var list = Playlist(id: 1, stations: [1])
            try tx.save(&list)
        }
        try await store.update(Playlist.self, 1) { $0.stations.insert(2, at: 0) }
        #expect(try await store.read { try $0.find(Playlist.self, 1).stations.keys(in: $0) } == [2, 1])
    }

    /// Which side a rule protects.
    @Test func deniesAsThePageOfRelationshipsShows() async throws {
        let store = try Store.temporary(Venue.self, Rental.self)
        try await store.upsert([Venue(id: 1, name: "Odeon", shows: [])])
        try await store.upsert([Show(id: 1, venue: Ref(1))])
        let venue = await #expect(throws: SluiceError.self) { try await store.delete(Venue.self, 1) }
        #expect(venue?.code == .denied)
        #expect(try await store.delete(Show.self, 1))
        #expect(try await store.delete(Venue.self, 1))

        var book = Book(id: 1, title: "Dune", kind: .novel)
        try await store.save(&book)
        try await store.upsert([Rental(id: 1, book: Ref(1)), Rental(id: 2)])
        let rental = await #expect(throws: SluiceError.self) { try await store.delete(Rental.self, 1) }
        #expect(rental?.code == .denied)
        #expect(try await store.delete(Rental.self, 2))
        try await store.write { tx in
            try tx.update(Rental.self, 1) { $0.book = nil }
            try tx.delete(Book.self, 1)
            try tx.delete(Rental.self, 1)
        }
        #expect(try await store.count(Rental.all) == 0)
    }

    @Test func keepsALogAsThePageOfModelsShows() async throws {
        let store = try Store.temporary(Visit.self)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        try await store.insert([Visit(page: "/", at: now), Visit(page: "/books", at: now)])
        let removed = try await store.deleteAll(Visit.where { $0.at < now.addingTimeInterval(-86_400) })
        #expect(removed == 0)
        #expect(try await store.count(Visit.all) == 2)
    }

    @Test func asksForPartsAsThePageOfModelsShows() async throws {
        let store = try Store.temporary(Station.self)
        var stations = [
            Station(id: 1, name: "Gare de l’Est", location: Coordinate(lat: 48.8, lng: 2.3)),
            Station(id: 2, name: "unknown", location: nil),
        ]
        try await store.save(&stations)
        let north = try await store.fetch(Station.where { $0.location.lat > 48 }.order(by: \.location.lng))
        #expect(north.map(\.id) == [1])
    }

    @Test func checksAsThePageOfModelsShows() async throws {
        let store = try Store.temporary(Review.self)
        var review = Review(id: 1, title: "Dune", stars: 5, code: "AB-12", state: "open")
        try await store.save(&review)
        review.stars = 6
        let error = await #expect(throws: SluiceError.self) { try await store.save(&review) }
        #expect(error?.code == .check && error?.field == "stars")
    }

    @Test func migratesAsThePageOfModelsShows() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/music.db"
        do {
            let store = try Store(path, models: Album.self)
            var album = Album(id: 1, title: " Future Days ", artist: nil)
            try await store.save(&album)
            await store.close()
        }
        var options = StoreOptions()
        options.migrations = [
            Migration("2026-11 titles without blanks") { tx in
                try tx.execute("UPDATE albums SET title = trim(title)")
            }
        ]
        let store = try Store(path, models: Album.self, options: options)
        #expect(try await store.find(Album.self, 1).title == "Future Days")
    }

    /// The type of a column: what opening the store says, and the migration that the page shows.
    @Test func changesATypeAsThePageOfModelsShows() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/tools.db"
        let json = #"[{"id": 1, "name": "saw", "price": 12.5}, {"id": 2, "name": "axe", "price": 3}]"#
        do {
            let store = try Store(path, models: RoughTool.self)
            try await store.sync(RoughTool.self, from: json, .init(source: "shop"))
            try await store.update(RoughTool.self, 2) { $0.price = 4 }
            await store.close()
        }
        let error = #expect(throws: SluiceError.self) { try Store(path, models: ExactTool.self) }
        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message.contains(
                #"Bring its values along in a migration: `ALTER TABLE "tools" RENAME COLUMN "price" TO "price_old"`, `ALTER TABLE "tools" ADD COLUMN "price" TEXT`, `UPDATE "tools" SET "price" = "price_old"`, `ALTER TABLE "tools" DROP COLUMN "price_old"`."#
            ) == true, "\(error?.message ?? "")")
        var options = StoreOptions()
        options.migrations = [
            Migration("2027-01 prices are exact") { tx in
                try tx.execute("ALTER TABLE tools RENAME COLUMN price TO price_old")
                try tx.execute("ALTER TABLE tools ADD COLUMN price TEXT")
                try tx.execute("UPDATE tools SET price = price_old")
                try tx.execute("ALTER TABLE tools DROP COLUMN price_old")
            }
        ]
        let store = try Store(path, models: ExactTool.self, options: options)
        #expect(try await store.fetch(ExactTool.order(by: \.id)).map(\.price) == [12.5, 4])
        let same = try await store.sync(ExactTool.self, from: json, .init(source: "shop"))
        #expect(same.summary.conflict == 0 && same.summary.update == 0, "\(same.summary)")
        let news = json.replacing("12.5", with: "14").replacing("3}", with: "5}")
        #expect(try await store.sync(ExactTool.self, from: news, .init(source: "shop")).summary.conflict == 1)
        #expect(try await store.fetch(ExactTool.order(by: \.id)).map(\.price) == [14, 4])
    }

    /// Another column for a property that a source filled.
    @Test func saysThatAPropertyHasAnotherColumn() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/tools.db"
        let json = #"[{"id": 1, "name": "saw", "price": 12.5}]"#
        do {
            let store = try Store(path, models: RoughTool.self)
            try await store.sync(RoughTool.self, from: json, .init(source: "shop"))
            await store.close()
        }
        let store = try Store(path, models: MovedTool.self)
        let error = await #expect(throws: SluiceError.self) {
            try await store.sync(MovedTool.self, from: json, .init(source: "shop"))
        }
        #expect(error?.code == .definitionDiffers && error?.field == "price")
        #expect(
            error?.message.contains("in another column than the model names now") == true, "\(error?.message ?? "")")
    }

    @Test func speaksOfPropertiesAsThePageOfJSONShows() async throws {
        let store = try Store.temporary(Recipe.self, Label.self)
        try await store.write { tx in
            var label = Label(word: "quick")
            try tx.save(&label)
        }
        let recipe = Recipe(id: 1, name: "Soup", labels: ["quick"])
        try await store.sync(Upsert(recipe, present: .all(with: \.labels)), .init(source: "shop"))
        try await store.sync(Upserts([Upsert(recipe, present: [\.name])]), .init(source: "shop"))
        let keys = try await store.read { try $0.find(Recipe.self, 1).labels.keys(in: $0) }
        #expect(keys == ["quick"])
    }

    @Test func renamesAsThePageOfModelsShows() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/music.db"
        do {
            let store = try Store(path, models: FormerAlbum.self)
            try await store.write { tx in
                var (artist, album) = (
                    Artist(id: 1, name: "Can"), FormerAlbum(id: 1, name: "Future Days", band: Ref(1))
                )
                try tx.save(&artist)
                try tx.save(&album)
            }
            await store.close()
        }
        let album = try await Store(path, models: Album.self).find(Album.self, 1)
        #expect(album.title == "Future Days" && album.artist == Ref(1))
    }
}
