// A pipeline and a program fill one table: what one of them changes stays when the other one comes. SLUICE names the program.
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

struct Failed: Error { let what: String }
/// A folder with a pipeline.
struct Shop {
    let folder: URL
    let sluice: String

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    /// Runs `sluice` and gives what it prints.
    @discardableResult
    func run(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [sluice] + arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(what: "sluice \(arguments): \(text)") }
        return text
    }
}

@main enum ShopProgram {
    static func main() async throws {
        guard let sluice = ProcessInfo.processInfo.environment["SLUICE"] else {
            return print("left out: SLUICE does not name the program")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shop = Shop(folder: folder, sluice: sluice)
        try shop.write(
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string, price: decimal}}
            streams: [{name: books, entity: Book, path: books.json}]
            """, to: "books.yaml")
        try shop.write(#"[{"id": 1, "title": "Dune", "price": "12.50"}, {"id": 2, "title": "Emma"}]"#, to: "books.json")
        try shop.run("run", "books.yaml")

        // The table that the pipeline made is the model's.
        let store = try Store(folder.path + "/shop.db", models: Book.self)
        check(store.schemaChanges.isEmpty, "the pipeline's table fits the model")
        var dune = try await store.find(Book.self, 1)
        dune.title = "Dune (1965)"
        try await store.save(&dune)

        let news = #"[{"id": 1, "title": "Dune", "price": "13.90"}, {"id": 2, "title": "Emma"}]"#
        try shop.write(news, to: "books.json")
        try shop.run("run", "books.yaml")
        let merged = try await store.find(Book.self, 1)
        check(merged.title == "Dune (1965)", "the program's title stays")
        check(merged.price == Decimal(string: "13.90"), "the source's price comes")

        // The program says the same of the same source: one base, nothing new.
        let options = SyncOptions(source: Source(pipeline: "shop", stream: "books"))
        let summary = try await store.sync(Book.self, from: news, options).summary
        check(summary == SyncSummary(unchanged: 2), "file and program share what the source said")

        // What was not changed is not written.
        var all = try await store.fetch(Book.all)
        try await store.save(&all)
        check(try shop.run("plan", "books.yaml").contains("nothing to change"), "saving everything again is no edit")
    }
}
