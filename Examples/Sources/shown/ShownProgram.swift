// A list that shows what other programs do to the file: `sqlite3` and, where SLUICE names the program, `sluice run`.
import Checking
import Foundation
import Sluice

@PersistentModel(table: "books")
struct Book {
    let id: Int
    var title: String
    var price: Decimal?
    var origin = Origin()
}

/// Runs a program to its end.
func run(_ program: String, _ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    check(process.terminationStatus == 0, "\(program) ends without an error")
}

@main enum ShownProgram {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shown-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(folder.path + "/shop.db", models: Book.self)

        var dear = store.values(Book.where { $0.price > 10 }.order(by: \.id)).makeAsyncIterator()
        check(try await dear.next()?.isEmpty == true, "nothing is shown at first")
        var dune = Book(id: 1, title: "Dune", price: 12)
        try await store.save(&dune)
        check(try await dear.next()?.map(\.id) == [1], "what the program saves is shown")
        try run("sqlite3", ["shop.db", "UPDATE books SET price = '1' WHERE id = 1"], in: folder)
        check(try await dear.next()?.isEmpty == true, "and what sqlite3 changes")

        guard let sluice = ProcessInfo.processInfo.environment["SLUICE"] else { return }
        var runs = store.runs().makeAsyncIterator()
        check(try await runs.next()?.isEmpty == true, "there was no run yet")
        var changes = store.changes(Book.self).makeAsyncIterator()
        try Data(#"[{"id": 2, "title": "Emma", "price": "20"}, {"id": 3, "title": "Ubik", "price": "2"}]"#.utf8)
            .write(to: folder.appendingPathComponent("books.json"))
        try Data(
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string, price: decimal}}
            streams: [{name: books, entity: Book, path: books.json}]
            """.utf8
        ).write(to: folder.appendingPathComponent("books.yaml"))
        try run(sluice, ["run", "books.yaml"], in: folder)
        check(try await dear.next()?.map(\.title) == ["Emma"], "and what a pipeline brings")
        check(try await runs.next()?.first?.command == "run", "with the run that brought it")
        check(try await changes.next()?.keys(of: Book.self) == [2, 3], "and the records that it brought")
    }
}
