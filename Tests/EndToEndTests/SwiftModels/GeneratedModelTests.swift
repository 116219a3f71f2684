import Foundation
import Sluice
import SluiceTesting
import TestSupport
import Testing

/// What `sluice generate swift` makes of a pipeline is compiled here as `Models.swift`, and reads what the pipeline's runs
/// wrote.
@Suite struct GeneratedModelTests {
    private static let fixtures = Program.project.appending(path: "fixtures/swift").path

    private func scene() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for name in ["records.yaml", "albums.json"] {
            try FileManager.default.copyItem(atPath: "\(Self.fixtures)/\(name)", toPath: folder.file(name))
        }
        return folder
    }

    private func run(_ folder: TemporaryDirectory) throws {
        let run = try Program.run("run", "records.yaml", in: folder.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
    }

    private func open(_ folder: TemporaryDirectory) throws -> Store {
        try Store(
            folder.file("records.db"), models: Album.self, Artist.self, Genre.self, Track.self, Take.self, Edition.self)
    }

    private let blue = UUID(uuidString: "6f1c7a52-3c1e-4b6e-9d0f-0a4f4e1f6c11")

    @Test func theModelsAreWhatIsGenerated() throws {
        let folder = try scene()
        let outcome = try Program.run("generate", "swift", "records.yaml", in: folder.path)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Models.swift").path
        if let complaint = ExpectedFile(path).complaint(about: outcome.output) {
            Issue.record("\(complaint)")
        }
        try outcome.output.write(toFile: folder.file("Models.swift"), atomically: true, encoding: .utf8)
        let check = try Program.run("validate", "records.yaml", "--swift", "Models.swift", "--strict", in: folder.path)
        #expect(check.code == 0, "\(check.output)\(check.errors)")
    }

    @Test(.enabled(if: Privileges.canBeDropped, "permissions do not bind this user"))
    func aStaleFileThatCannotBeRemovedIsAnError() throws {
        let folder = try scene()
        let generate = ["generate", "swift", "records.yaml", "--to", "Models", "--clean-stale"]
        #expect(try Program.start(generate, in: folder.path).wait().code == 0)
        let stale = folder.file("Models/Old.swift")
        try "// sluice:generated from old.yaml\n".write(toFile: stale, atomically: true, encoding: .utf8)
        func permit(_ mode: Int) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file("Models"))
        }
        try permit(0o555)
        let refused = try Privileges.run(generate, in: folder.path)
        try permit(0o755)
        #expect(refused.code == 1 && refused.errors.contains("cannot delete `Models/Old.swift`"), "\(refused.errors)")
        #expect(FileManager.default.fileExists(atPath: stale))
        #expect(try Privileges.run(generate, in: folder.path).code == 0)
        #expect(!FileManager.default.fileExists(atPath: stale))
    }

    @Test func theyReadWhatARunWrote() async throws {
        let folder = try scene()
        try run(folder)
        let store = try open(folder)
        #expect(store.schemaChanges.isEmpty)
        let id = try #require(blue)
        let album = try await store.find(Album.self, id)
        #expect(album.title == "Blue" && album.kind == .studio && album.default == false && album.price == 12.5)
        #expect(album.released == Day("1971-06-22") && album.pathValue == "/blue" && album.cover == Data([1, 2]))
        #expect(album.extra?.text == #"{"b":1}"# && album.trackCount == 2 && album.artist?.key == 1)
        #expect(try await store.find(Artist.self, 1).homePage == URL(string: "https://example.com/joni"))
        let (tracks, genres, editions) = try await store.read { reader in
            (
                try album.tracks.load(in: reader), try album.genres.load(in: reader),
                try album.editions.load(in: reader)
            )
        }
        #expect(tracks.map(\.title) == ["All I Want", "My Old Man"] && tracks.map(\.album.key) == [id, id])
        #expect(genres.map(\.code) == ["folk", "pop"] && editions.map(\.country) == ["uk", "us"])
        let track = try await store.find(Track.self, Track.Identifier(album: Ref(id), number: 2))
        #expect(track.title == "My Old Man" && track.seconds == 213)
        #expect(try await store.fetch(Take.order(by: \.position)).map(\.note) == ["first", "last"])
        let folk = try await store.find(Genre.self, "folk")
        let albums = try await store.read { try folk.albums.load(in: $0) }
        #expect(albums.map(\.title) == ["Blue", "Miles of Aisles"] && albums.last?.sequelOf?.key == id)
        let withTracks = try await store.fetch(Album.where { $0.tracks.any { $0.number == 2 } }.including(\.artist))
        #expect(withTracks.map(\.artist?.value?.name) == ["Joni"])
        try await album.requireRoundTrip()
        try await track.requireRoundTrip()
    }

    /// Saving everything as it was read is no edit, and what a program changes is one.
    @Test func theyWriteWhatARunUnderstands() async throws {
        let folder = try scene()
        try run(folder)
        let store = try open(folder)
        try await store.requireUnchanged {
            var albums = try await store.fetch(Album.all)
            try await store.save(&albums)
            var tracks = try await store.fetch(Track.all)
            try await store.save(&tracks)
        }
        let id = try #require(blue)
        try await store.update(Album.self, id) { $0.title = "Blue (1971)" }
        try await store.update(Track.self, Track.Identifier(album: Ref(id), number: 1)) {
            $0.title = "All I Want (live)"
        }
        try run(folder)
        #expect(try await store.find(Album.self, id).title == "Blue (1971)")
        let edits = try Program.run("edits", "records.yaml", "--format", "csv", in: folder.path)
        #expect(edits.output.split(whereSeparator: \.isNewline).count == 3, "\(edits.output)")
        // By the delete rules, what belongs to an album goes with it.
        try await store.write { transaction in
            try transaction.execute("DELETE FROM take")
            // What leads to it has to lead elsewhere, as in a store that no run ever filled.
            for sequel in try transaction.fetch(Album.all) where sequel.sequelOf?.key == id {
                try transaction.update(Album.self, sequel.id) { $0.sequelOf = nil }
            }
            try transaction.delete(Album.self, id)
        }
        #expect(try await store.count(Track.all) == 0)
        #expect(try await store.count(Edition.all) == 0)
        #expect(try await store.count(Genre.all) == 2)
        #expect(try await store.find(Genre.self, "folk").code == "folk")
    }
}
