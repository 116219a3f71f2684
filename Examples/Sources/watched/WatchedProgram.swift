// A cache that forgets what others change: by keys, where these are known.
import Checking
import Foundation
import Sluice

@PersistentModel(table: "books")
struct Book {
    let id: Int
    var title: String
    var origin = Origin()
}

@main enum WatchedProgram {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watched-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/shop.db"
        let store = try Store(path, models: Book.self)
        // As another program would: with a connection of its own.
        let other = try Store(path, models: Book.self)
        var changes = store.changes(Book.self).makeAsyncIterator()

        var book = Book(id: 1, title: "Dune")
        try await store.save(&book)
        check(try await changes.next()?.keys(of: Book.self) == [1], "a transaction of the program tells its records")

        let json = #"[{"id": 1, "title": "Dune"}, {"id": 2, "title": "Emma"}]"#
        let run = try await other.sync(Book.self, from: json, .init(source: "shop")).run
        let change = try await changes.next()
        check(change?.keys(of: Book.self)?.contains(2) == true, "a run of another program tells its records")
        check(change?.runs == [run].compactMap { $0 }, "and which run it was")

        try await other.write { try $0.execute("UPDATE books SET title = 'Dune (1965)' WHERE id = 1") }
        let unknown = try await changes.next()
        check(unknown?.touches(Book.self) == true, "SQL of another program is noticed")
        check(unknown?.keys(of: Book.self) == nil, "and nobody knows what it changed")
    }
}
