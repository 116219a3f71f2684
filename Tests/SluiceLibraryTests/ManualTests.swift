import Foundation
import Sluice
import SluiceTesting
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

@PersistentModel
struct TutorialWork: Codable {
    let id: Int
    var title: String
    var origin = Origin()
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

extension TutorialAuthor {
    var unread: Fetched<TutorialBook> { Fetched(TutorialBook.where { $0.author == id && !$0.isRead }) }
}

@MainActor final class TutorialShelf {
    let unread: Results<TutorialBook>
    init(store: Store) { unread = Results(TutorialBook.where { !$0.isRead }.order(by: \.title), in: store) }
}

@MainActor @MainStoreActor final class TutorialWindow {
    var titles: [String] {
        get throws { try read { try $0.fetch(TutorialBook.order(by: \.title)).map(\.title) } }
    }
}

struct TutorialReader: RecordConvertible {
    var id: Int
    var name: String

    init(record: TutorialAuthor) throws {
        id = record.id
        name = record.name
    }

    func makeRecord() throws -> TutorialAuthor { TutorialAuthor(id: id, name: name, books: []) }
}

struct TutorialService {
    let worker: any StoreWorker

    func rename(_ id: Int, to name: String) async throws {
        guard var reader = try await worker.get(TutorialReader.self, id) else { return }
        reader.name = name
        try await worker.upsert([reader])
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

    @Test func queriesAsTheManualShows() async throws {
        let store = try Store.temporary(TutorialBook.self, TutorialAuthor.self)
        try await store.write { tx in
            var author = TutorialAuthor(id: 1, name: "Frank Herbert", books: [])
            var book = TutorialBook(id: 1, title: "Dune", price: 12, author: Ref(1))
            try tx.save(&author)
            try tx.save(&book)
        }
        let groups = try await store.fetch(
            TutorialBook.group(by: \.isRead) { ($0.isRead, $0.count(), $0.price.sum()) }.having { $0.count() > 0 })
        let cheapest = try await store.value(TutorialBook.select { $0.price.min() })
        let titles = try await store.fetch(TutorialBook.select { ($0.title, $0.author.name) })
        #expect(groups.map(\.1) == [1] && cheapest == 12 && titles.map(\.1) == ["Frank Herbert"])
        let withAuthors = try await store.fetch(TutorialBook.all.including(\.author))
        let withBooks = try await store.fetch(TutorialAuthor.including(\.books))
        #expect(withAuthors[0].author?.value?.name == "Frank Herbert")
        #expect(withBooks[0].books.values?.map(\.title) == ["Dune"])
        #expect(try await store.read { try withBooks[0].unread.load(in: $0) }.map(\.title) == ["Dune"])
        #expect(try await TutorialWindow(store: store).titles == ["Dune"])
        #expect(await TutorialShelf(store: store).unread.error == nil)
    }

    @Test func syncsAsTheManualShows() async throws {
        let store = try Store.temporary(TutorialBook.self, TutorialAuthor.self)
        let json = #"[{"id":1,"title":"Dune","is_read":true,"price":"12.50"},{"id":"x"}]"#
        let result = try await store.sync(TutorialBook.self, from: json, .init(source: "shop"))
        #expect(result.summary == SyncSummary(insert: 1, quarantined: 1))
        try await store.update(TutorialBook.self, 1) { $0.title = "ours" }
        try await store.sync(
            TutorialBook.self, from: #"[{"id":1,"title":"theirs","is_read":true}]"#, .init(source: "shop"))
        for conflict in try await store.conflicts(of: TutorialBook.self) {
            if let title = try conflict.sides(\.title) { print("\(title)") }
            try await store.resolve(conflict, .remote, who: "ann", note: "they fixed it")
        }
        let runs = try await store.history(limit: 10)
        try await store.undo(run: runs[0].id)
        // The newest run is the decision.
        #expect(runs.map(\.command) == ["resolve", "run", "run"])
        #expect(try await store.find(TutorialBook.self, 1).title == "ours")
        for try await unread in store.values(TutorialBook.where { !$0.isRead }.order(by: \.title)) {
            print(unread.map(\.title))
            break
        }
    }

    @Test func mergesValuesAsTheManualShows() async throws {
        let works = try Store.temporary(TutorialWork.self)
        struct Page: Decodable { let items: Upserts<TutorialWork> }
        let page = try JSONDecoder().decode(Page.self, from: Data(#"{"items":[{"id":1,"title":"A"}]}"#.utf8))
        try await works.sync(page.items, .init(source: "shop"))
        try await works.sync([TutorialWork(id: 2, title: "B")], .init(source: "catalogue"))
        try await works.sync(TutorialWork.self, from: #"[{"id":3,"title":" C "}]"#, .init(source: "shop")) { work in
            if work.title.isEmpty { return .quarantine("no title") }
            work.title = work.title.trimmingCharacters(in: .whitespaces)
            return .keep
        }
        #expect(try await works.fetch(TutorialWork.all).map(\.title) == ["A", "B", "C"])
    }

    @Test func worksAsTheManualShows() async throws {
        let store = try Store.temporary(TutorialAuthor.self)
        try await store.upsert([TutorialAuthor(id: 1, name: "Frank", books: [])])
        try await TutorialService(worker: store).rename(1, to: "Frank Herbert")

        let herbert = try await store.get(TutorialReader.self, TutorialAuthor.all)[0]
        let stub = StubWorker(answers: [herbert])
        try await TutorialService(worker: stub).rename(1, to: "F. Herbert")
        #expect(stub.calls == [.get("TutorialReader", "1"), .upsert("TutorialReader", 1)])
        #expect(stub.upserted(TutorialReader.self).map(\.name) == ["F. Herbert"])
        #expect(herbert.name == "Frank Herbert")
        try await TutorialAuthor(id: 2, name: "Ann", books: []).requireRoundTrip()
        try await store.requireIndex(for: TutorialAuthor.where { $0.id == 1 })
        try await store.requireUnchanged { try await store.update(TutorialAuthor.self, 1) { _ in } }
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
        #expect(blocks.count == 18)
        for block in blocks {
            let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(squeezed.contains(lines.joined(separator: "\n")), "\(block)")
        }
    }
}
