import Sluice

@PersistentModel(table: "bench_books")
struct BenchBook {
    let id: Int
    var title: String
    @Relationship(inverse: "books", deleteRule: .nullify) var author: Ref<BenchAuthor>?
    @Relationship(inverse: "books", deleteRule: .nullify, via: "bench_book_tags") var tags: Refs<BenchTag>
}

@PersistentModel(table: "bench_authors")
struct BenchAuthor {
    let id: Int
    var name: String
    @Relationship(inverse: "author", deleteRule: .nullify) var books: Refs<BenchBook>
}

@PersistentModel(table: "bench_tags")
struct BenchTag {
    let id: Int
    var word: String
    @Relationship(inverse: "tags", deleteRule: .nullify) var books: Refs<BenchBook>
}

/// Records with what they lead to: one author for ten books, two tags for each book.
struct Related {
    let store: Store

    init(_ path: String) throws { store = try Store(path, models: BenchBook.self) }

    func fill(_ count: Int) async throws {
        try await store.write { tx in
            for id in 1...max(1, count / 10) {
                var author = BenchAuthor(id: id, name: "Author \(id)", books: [])
                try tx.insert(&author)
            }
            for id in 1...100 {
                var tag = BenchTag(id: id, word: "tag \(id)", books: [])
                try tx.insert(&tag)
            }
            for id in 1...count {
                var book = BenchBook(
                    id: id, title: "Book \(id)", author: Ref(1 + id % max(1, count / 10)),
                    tags: [1 + id % 100, 1 + (id + 37) % 100])
                try tx.insert(&book)
            }
        }
    }

    /// By the library, in a statement for each relationship.
    func including() async throws -> Int {
        try await store.fetch(BenchBook.including(\.author, \.tags)).reduce(0) { sum, book in
            sum + (book.author?.value?.name.utf8.count ?? 0)
                + (book.tags.values ?? []).reduce(0) { $0 + $1.word.utf8.count }
        }
    }

    /// By three queries, whose results are put together by hand.
    func byHand() async throws -> Int {
        try await store.read { reader in
            let books = try reader.fetch(BenchBook.all)
            let authors = try reader.fetch(BenchAuthor.all).reduce(into: [:]) { $0[$1.id] = $1 }
            let tags = try reader.fetch(BenchTag.all).reduce(into: [:]) { $0[$1.id] = $1 }
            var pairs: [Int: [Int]] = [:]
            for row in try reader.rows("SELECT bench_book_id, bench_tag_id FROM bench_book_tags") {
                guard case .integer(let book) = row.values[0], case .integer(let tag) = row.values[1] else { continue }
                pairs[Int(book), default: []].append(Int(tag))
            }
            var sum = 0
            for book in books {
                sum += book.author.flatMap { authors[$0.key] }?.name.utf8.count ?? 0
                for tag in pairs[book.id] ?? [] { sum += tags[tag]?.word.utf8.count ?? 0 }
            }
            return sum
        }
    }
}
