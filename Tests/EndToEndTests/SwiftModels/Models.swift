// sluice:generated from records.yaml

import Foundation
import Sluice

/// A record of the table `albums`.
@PersistentModel(table: "albums", unique: [["artist", "title"]], names: .snakeCase)
struct Album {
    enum Kind: String, StoredValue, CaseIterable {
        case studio
        case live
        case greatestHits = "greatest-hits"
        case value4 = "7"
    }

    let id: UUID
    @Attribute(json: "performer") @Relationship(inverse: .none, deleteRule: .nullify) var artist: Ref<Artist>?
    var title: String
    @Attribute(.unique) var ean: String?
    var kind: Kind
    var `default`: Bool = false
    var price: Decimal? = 9.5
    @Attribute(owner: .remote) var rating: Double?
    var released: Day?
    var updatedAt: Date?
    @Attribute(persistentName: "path", json: "path") var pathValue: String?
    var cover: Data?
    var extra: JSONText?
    var trackCount: Int = 0
    @Relationship(inverse: .none, deleteRule: .nullify) var sequelOf: Ref<Album>?
    @Relationship(inverse: "albums", deleteRule: .nullify, via: "albums_genres") var genres: Refs<Genre>
    @Relationship(inverse: "album", deleteRule: .cascade) var tracks: Refs<Track>
    @Relationship(inverse: "album", deleteRule: .cascade) var editions: Refs<Edition>
    var origin = Origin()
}

/// A record of the table `artists`.
@PersistentModel(table: "artists", names: .snakeCase)
struct Artist {
    let id: Int
    var name: String
    @Attribute(json: "links.home") var homePage: URL?
    var origin = Origin()
}

/// A record of the table `edition`.
@PersistentModel(table: "edition", names: .snakeCase)
struct Edition {
    @Attribute(.identifier) @Relationship(inverse: "editions", deleteRule: .nullify) let album: Ref<Album>
    @Attribute(.identifier) let country: String
    var year: Int?
    var origin = Origin()
}

/// A record of the table `genre`.
@PersistentModel(table: "genre", names: .snakeCase)
struct Genre {
    @Attribute(.identifier) let code: String
    var displayName: String?
    @Relationship(inverse: "genres", deleteRule: .nullify) var albums: Refs<Album>
    var origin = Origin()
}

/// A record of the table `take`.
@PersistentModel(table: "take", names: .snakeCase)
struct Take {
    @Attribute(.identifier) let trackAlbumID: UUID
    @Attribute(.identifier) let trackNumber: Int
    @Attribute(.identifier) let position: Int
    var note: String?
    var origin = Origin()
}

/// A record of the table `tracks`.
@PersistentModel(table: "tracks", names: .snakeCase)
struct Track {
    @Attribute(.identifier) @Relationship(inverse: "tracks", deleteRule: .nullify) let album: Ref<Album>
    @Attribute(.identifier) let number: Int
    var title: String?
    var seconds: Int?
    var origin = Origin()
}
