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

struct PagesManualTests {
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
