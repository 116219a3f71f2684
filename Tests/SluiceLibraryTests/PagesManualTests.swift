import Foundation
import Sluice
import TestSupport
import Testing

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
struct Review {
    let id: Int
    @Attribute(check: .length(1...200)) var title: String
    @Attribute(check: .range(1...5)) var stars: Int?
    @Attribute(check: .pattern("[A-Z]{2}-[0-9]+")) var code: String
    @Attribute(check: .values("open", "closed")) var state: String
}

struct PagesManualTests {
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
