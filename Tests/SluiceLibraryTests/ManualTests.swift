import Foundation
import Sluice
import TestSupport
import Testing

@PersistentModel(table: "tutorial_books", names: .snakeCase)
struct TutorialBook {
    let id: Int
    var title: String
    var isRead = false
    var price: Decimal?
    @Relationship(inverse: "books", deleteRule: .nullify) var author: Ref<TutorialAuthor>?
    var origin = Origin()
}

@PersistentModel(table: "tutorial_authors")
struct TutorialAuthor {
    let id: Int
    var name: String
    @Relationship(inverse: "author", deleteRule: .cascade) var books: Refs<TutorialBook>
}

@StoreActor actor TutorialLibrary {
    func rename(_ id: Int, to title: String) throws {
        try transaction { tx in
            var book = try tx.find(TutorialBook.self, id)
            book.title = title
            try tx.save(&book)
        }
    }
}

/// The blocks of Swift of docs/library.md stand in this file, which runs them.
struct ManualTests {
    @Test func doesWhatTheManualShows() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/books.db"
        let store = try Store(path, models: TutorialBook.self, TutorialAuthor.self)
        try await store.write { tx in
            var author = TutorialAuthor(id: 1, name: "Frank Herbert", books: [])
            var book = TutorialBook(id: 1, title: "Dune", price: 12, author: Ref(1))
            try tx.save(&author)
            try tx.save(&book)
        }
        let cheap = try await store.fetch(
            TutorialBook.where { $0.price < 20 && $0.author.name == "Frank Herbert" }.order(by: \.title))
        let dune = try await store.find(TutorialBook.self, 1)
        let authors = try await store.fetch(TutorialAuthor.where { $0.books.any { $0.title.contains("dune") } })
        let count = try await store.read { reader in try authors[0].books.count(in: reader) }
        #expect(cheap.map(\.id) == [1] && dune.title == "Dune" && count == 1)
        try await store.update(TutorialBook.self, 1) { $0.isRead = true }
        var mine = try await store.find(TutorialBook.self, 1)
        mine.title = "Dune Messiah"
        try await store.save(&mine)
        #expect(try await store.find(TutorialBook.self, 1).isRead)
        try await TutorialLibrary(store: store).rename(1, to: "Children of Dune")
        #expect(try await store.find(TutorialBook.self, 1).title == "Children of Dune")
    }

    @Test func theManualShowsWhatIsTested() throws {
        let own = try String(contentsOfFile: #filePath, encoding: .utf8)
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let page = try String(contentsOfFile: root + "/docs/library.md", encoding: .utf8)
        let squeezed = own.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(
            separator: "\n")
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
        #expect(blocks.count == 5)
        for block in blocks {
            let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(squeezed.contains(lines.joined(separator: "\n")), "\(block)")
        }
    }
}
