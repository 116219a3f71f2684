// A struct and a pipeline fill one table, in one process.
import Checking
import Foundation
import Sluice
import SluicePipelines

@PersistentModel(table: "books")
struct Book {
    let id: Int
    var title: String
    var price: Decimal?
    var origin = Origin()
}

@main enum PipelineProgram {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pipeline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        try write(
            "books.yaml",
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, title: {type: string, required: true}, price: decimal}
            streams: [{name: books, entity: Book, path: books.json}]
            """)
        try write("books.json", #"[{"id": 1, "title": "Dune", "price": "12"}]"#)

        let store = try Store(folder.path + "/shop.db", models: Book.self)
        let pipeline = try Pipeline(contentsOf: folder.path + "/books.yaml", models: Book.self)
        let first = try await store.run(pipeline)
        check(first.status == .succeeded && first.summary.insert == 1, "the pipeline fills the table")

        try await store.update(Book.self, 1) { $0.title = "Dune (1965)" }
        try write("books.json", #"[{"id": 1, "title": "Dune", "price": "13"}]"#)
        check(try await store.plan(pipeline).summary.update == 1, "a plan says what a run would do")
        try await store.run(pipeline)
        let book = try await store.find(Book.self, 1)
        check(book.title == "Dune (1965)" && book.price == 13, "what the program changed stays, and the price comes")
        check(try await store.run(pipeline).summary == .init(unchanged: 1), "and there is nothing left to do")

        let page = #"[{"id": 2, "title": "Ubik", "price": "9"}]"#
        let report = try await pipeline.stream("books").sync(page, in: store)
        check(report.summary.insert == 1, "a page that the program has is merged as one of the pipeline")

        let tidy = try pipeline.stage(Book.self) { book in
            if book.title.isEmpty { return .quarantine("no title") }
            book.title = book.title.trimmingCharacters(in: .whitespaces)
            return .keep
        }
        let more = #"[{"id": 3, "title": " Solaris "}, {"id": 4, "title": ""}]"#
        let looked = try await tidy.stream("books").sync(more, in: store)
        check(looked.summary == .init(insert: 1, quarantined: 1), "a closure looks at each record")
        check(try await store.find(Book.self, 3).title == "Solaris", "and may change it")

        var all = try await store.fetch(Book.all)
        try await store.save(&all)
        check(try await store.plan(pipeline).summary == .init(unchanged: 1), "saving what was read is no edit")
    }
}
