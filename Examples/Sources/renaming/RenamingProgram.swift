// A model a year later: other names, and the rows, edits and conflicts of before.
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

@PersistentModel(renamedFrom: "Book", tableRenamedFrom: "books")
struct Volume {
    let id: Int
    @Attribute(renamedFrom: "title", json: "title") var name: String
    var price: Decimal?
    var origin = Origin()
}

@main enum RenamingProgram {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("renaming-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func json(_ price: Int) -> String { #"[{"id": 1, "title": "Dune", "price": \#(price)}]"# }
        do {
            let store = try Store(folder.path + "/shop.db", models: Book.self)
            try await store.sync(Book.self, from: json(10), .init(source: "shop"))
            try await store.update(Book.self, 1) { $0.title = "Dune (1965)" }
            await store.close()
        }
        let store = try Store(folder.path + "/shop.db", models: Volume.self)
        check(store.schemaChanges.count == 2, "opening the store renames table and column")
        check(try await store.find(Volume.self, 1).name == "Dune (1965)", "the rows are there")
        let result = try await store.sync(Volume.self, from: json(12), .init(source: "shop"))
        check(result.summary == .init(update: 1), "the source goes on from what it said before")
        let volume = try await store.find(Volume.self, 1)
        check(volume.name == "Dune (1965)" && volume.price == 12, "and what people changed is an edit still")
    }
}
