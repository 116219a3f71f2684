// An actor that runs where the store writes, and a class of the main actor that reads at once.
import Checking
import Sluice

@PersistentModel
struct Book {
    let id: Int
    var title: String
    var loans = 0
    var origin = Origin()
}

@StoreActor actor Library {
    func lend(_ id: Int) throws {
        try transaction { tx in
            var book = try tx.find(Book.self, id)
            book.loans += 1
            try tx.save(&book)
        }
    }

    func loans(of id: Int) throws -> Int { try read { try $0.find(Book.self, id).loans } }
}

extension Library {
    func swap(_ id: Int, for other: Int) throws {
        try transaction { tx in
            try giveBack(id, in: tx)
            try tx.update(Book.self, other) { $0.loans += 1 }
        }
    }

    private func giveBack(_ id: Int, in tx: Transaction) throws { try tx.update(Book.self, id) { $0.loans -= 1 } }
}

@MainActor @MainStoreActor final class Shelf {
    var books: [Book] { get throws { try read { try $0.fetch(Book.all) } } }
}

@main enum ActorsProgram {
    static func main() async throws {
        let store = try Store.temporary(Book.self)
        var dune = Book(id: 1, title: "Dune")
        try await store.save(&dune)

        let library = Library(store: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 { group.addTask { try await library.lend(1) } }
            try await group.waitForAll()
        }
        check(try await library.loans(of: 1) == 1000, "a thousand tasks lose no update")

        var emma = Book(id: 2, title: "Emma", loans: 1)
        try await store.save(&emma)
        try await library.swap(2, for: 1)
        check(try await library.loans(of: 2) == 0, "a function works within another one's transaction")
        try await store.deleteAll(Book.where { $0.id == 2 })

        try await MainActor.run {
            let shelf = Shelf(store: store)
            check(try shelf.books.map(\.loans) == [1001], "the main actor reads at once")
        }
    }
}
