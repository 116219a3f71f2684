// Columns that have other names than properties, and queries that do not notice.
import Checking
import Sluice

@PersistentModel(table: "books")
struct Book {
    let id: Int
    @Attribute(persistentName: "name") var title: String
    @Relationship(persistentName: "primary_category", inverse: "items", deleteRule: .nullify)
    var category: Ref<Category>?
}

@PersistentModel
struct Category {
    let id: Int
    @Attribute(persistentName: "display_name") var name: String
    @Relationship(persistentName: "items", inverse: "primary_category", deleteRule: .nullify) var books: Refs<Book>
}

@main enum RenamedProgram {
    static func main() async throws {
        check(Book.path.title.raw == "name", "a path knows the name in the store")
        let query = Book.where { $0.category.name.contains("sci") }
            .order(by: \.category.name).order(by: \.title, .descending)
        check(query.sql.contains(#""display_name""#), "a query shows its SQL")
        let without = Category.where { $0.books.none { $0.title == "Dune" } }
        check(without.sql.contains("NOT EXISTS"), "what holds for none of many is one query")

        let store = try Store.temporary(Book.self)
        try await store.write { tx in
            var science = Category(id: 1, name: "Science fiction", books: [])
            var poems = Category(id: 2, name: "Poems", books: [])
            try tx.save(&science)
            try tx.save(&poems)
            for (id, title, category) in [(1, "Dune", 1), (2, "Ubik", 1), (3, "Howl", 2)] {
                var book = Book(id: id, title: title, category: Ref(category))
                try tx.save(&book)
            }
        }
        check(try await store.fetch(query).map(\.title) == ["Ubik", "Dune"], "it finds books by their category")
        check(try await store.fetch(without).map(\.name) == ["Poems"], "and categories by their books")
    }
}
