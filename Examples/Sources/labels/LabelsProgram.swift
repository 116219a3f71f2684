// A set that a source and people both change: what either adds is there, and what either takes away is gone.
import Checking
import Sluice

@PersistentModel(table: "books")
struct Book {
    let id: Int
    var title: String
    @Relationship(inverse: "books", deleteRule: .nullify, via: "book_labels", json: "labels") var labels: Refs<Label>
    var origin = Origin()
}

@PersistentModel(table: "labels")
struct Label {
    @Attribute(.identifier) let word: String
    @Relationship(inverse: "labels", deleteRule: .nullify) var books: Refs<Book>
}

@main enum LabelsProgram {
    static func main() async throws {
        let store = try Store.temporary(Book.self)
        var labels = ["classic", "desert", "sf", "worms"].map { Label(word: $0, books: []) }
        try await store.save(&labels)
        func sync(_ list: String) async throws {
            try await store.sync(
                Book.self, from: #"[{"id": 1, "title": "Dune", "labels": [\#(list)]}]"#, .init(source: "shop"))
        }
        func words() async throws -> [String] {
            try await store.read { try $0.find(Book.self, 1).labels.load(in: $0).map(\.word) }
        }
        try await sync(#""sf", "classic""#)
        check(try await words() == ["classic", "sf"], "a source brings its labels")
        try await store.update(Book.self, 1) { book in
            book.labels.insert("desert")
            book.labels.remove("classic")
        }
        try await sync(#""sf", "classic", {"word": "worms"}"#)
        check(try await words() == ["desert", "sf", "worms"], "what both sides changed comes together")
        check(try await store.conflicts().isEmpty, "and nobody has to decide")
        try await sync("")
        check(try await words() == ["desert"], "what people added stays when the source takes its own away")
        check(
            try await store.fetch(Book.where { $0.labels.any { $0.word == "desert" } }).count == 1, "a query finds it")
    }
}
