import Bookshelf
import Foundation
import Sluice
import SluiceTesting
import Testing

struct ShelfTests {
    @Test func keepsACorrection() async throws {
        let store = try Store.temporary(Book.self)
        let shelf = Shelf(store: store)
        let options = SyncOptions(source: "catalogue")
        try await store.sync(Book.self, from: #"[{"id": 1, "title": "Dune", "price": "12.50"}]"#, options)
        try await shelf.correct(1, title: "Dune (1965)")
        try await store.sync(Book.self, from: #"[{"id": 1, "title": "Dune", "price": "13"}]"#, options)
        #expect(try await shelf.table() == ["1  Dune (1965)  nobody  13"])
        try await store.requireIndex(for: Book.where { $0.id == 1 })
    }

    /// A second undo takes back the run before, and not the first undo.
    @Test func takesOneRunBackAfterTheOther() async throws {
        let store = try Store.temporary(Book.self)
        let shelf = Shelf(store: store)
        for price in [12, 13] {
            try await store.sync(
                Book.self, from: #"[{"id": 1, "title": "Dune", "price": \#(price)}]"#, .init(source: "catalogue"))
        }
        #expect(try await shelf.undo() == "1 changed back")
        #expect(try await shelf.table() == ["1  Dune  nobody  12"])
        #expect(try await shelf.undo() == "1 changed back")
        #expect(try await shelf.table() == [])
        #expect(try await shelf.undo() == "nothing to undo")
    }

    /// The session of the tutorial says what the program says.
    @Test func doesWhatTheTutorialShows() async throws {
        let root = #filePath.components(separatedBy: "/Examples/")[0]
        let path = root + "/Sources/Sluice/Sluice.docc/BuildingABookshelf.md"
        guard let page = try? String(contentsOfFile: path, encoding: .utf8) else { return }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shelf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shelf = Shelf(store: try Store(folder.path + "/books.db", models: Book.self))
        var files = blocks(of: page, "json")[...]
        #expect(files.count == 2)
        for session in blocks(of: page, "shelf") {
            // The files stand before the sessions that read them.
            if let file = files.popFirst() {
                try file.write(
                    to: folder.appendingPathComponent("catalogue.json"), atomically: true, encoding: .utf8)
            }
            var said: [String] = []
            for line in session.split(separator: "\n").map(String.init) where line.hasPrefix("> ") {
                said.append(line)
                let command = line.dropFirst(2).replacingOccurrences(of: "catalogue", with: folder.path + "/catalogue")
                said += try await shelf.perform(command).flatMap { $0.split(separator: "\n").map(String.init) }
            }
            #expect(said.joined(separator: "\n") == session)
        }
    }

    private func blocks(of page: String, _ language: String) -> [String] {
        page.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
    }
}
