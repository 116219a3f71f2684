// Sets, sums, properties that ask the store, and an initialiser of one's own.
import Checking
import Foundation
import Sluice

enum Kind: String, StoredValue { case novel, essay }

@PersistentModel
struct Book {
    let id: Int
    var title: String
    var kind: Kind
    var isDraft = false
    var price: Decimal?
    @Relationship(inverse: "books", deleteRule: .nullify) var author: Ref<Author>?
    @Relationship(inverse: "books", deleteRule: .nullify, via: "book_tags") var tags: Refs<Tag>
}

@PersistentModel
struct Author {
    let id: Int
    var name: String
    @Relationship(inverse: "author", deleteRule: .cascade) var books: Refs<Book>
}

extension Author {
    var drafts: Fetched<Book> { Fetched(Book.where { $0.author == id && $0.isDraft == true }) }
}

@PersistentModel
struct Tag {
    @Attribute(.identifier) let word: String
    @Relationship(inverse: "tags", deleteRule: .nullify) var books: Refs<Book>
}

/// A price that is never negative, whatever a table says.
@PersistentModel
struct Price {
    let id: Int
    let amount: Decimal

    init(id: Int, amount: Decimal) {
        self.id = id
        self.amount = amount
    }

    init(unboxing row: borrowing Row<Price>) throws(UnboxError) {
        id = try row[\.id]
        amount = try row[\.amount]
        if amount < 0 { throw UnboxError("a price is not negative") }
    }
}

@main enum AuthorsProgram {
    static func main() async throws {
        let store = try Store.temporary(Book.self, Price.self)
        try await store.write { tx in
            var author = Author(id: 1, name: "Herbert", books: [])
            try tx.save(&author)
            for word in ["classic", "desert"] {
                var tag = Tag(word: word, books: [])
                try tx.save(&tag)
            }
            for (id, kind, price) in [(1, Kind.novel, "0.10"), (2, .novel, "0.20"), (3, .essay, "7")] {
                var book = Book(
                    id: id, title: "Book \(id)", kind: kind, isDraft: id == 2, price: Decimal(string: price),
                    author: Ref(1), tags: id == 1 ? ["classic"] : [])
                try tx.save(&book)
            }
        }

        // Two people add a tag each to what they read.
        var ours = try await store.find(Book.self, 1)
        let theirs = try await store.find(Book.self, 1)
        ours.tags.insert("desert")
        try await store.save(&ours)
        try await store.write { tx in try theirs.addToTags(Tag(word: "classic", books: []), in: tx) }
        let words = try await store.read { try theirs.tags.load(in: $0).map(\.word) }
        check(words == ["classic", "desert"], "tags of both come together")

        let groups = try await store.fetch(Book.group(by: \.kind) { ($0.kind, $0.count(), $0.price.sum()) })
        check(
            groups.map(\.2) == [7, Decimal(string: "0.3")] && groups.map(\.1) == [1, 2], "sums of decimals are exact")

        let author = try await store.find(Author.self, 1)
        let drafts = try await store.read { try author.drafts.load(in: $0) }
        check(drafts.map(\.id) == [2], "a property asks the store")

        try await store.write { tx in
            var price = Price(id: 1, amount: 5)
            try tx.save(&price)
            try tx.execute("UPDATE price SET amount = '-1'")
        }
        do {
            _ = try await store.find(Price.self, 1)
            check(false, "an initialiser of one's own refuses a row")
        } catch let error as SluiceError {
            check(
                error.entity == "Price" && error.identifier == "1" && error.message.contains("not negative"),
                "an initialiser of one's own refuses a row")
        }
    }
}
