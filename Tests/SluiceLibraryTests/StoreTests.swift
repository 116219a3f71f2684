import Foundation
import Sluice
import Synchronization
import TestSupport
import Testing

struct StoreTests {
    @StoreActor actor Counter {
        func increment(_ id: Int) throws {
            try transaction { tx in
                var book = try tx.find(Book.self, id)
                book.pageCount = (book.pageCount ?? 0) + 1
                try tx.save(&book)
            }
        }
    }

    @MainActor @MainStoreActor final class Shelf {
        var titles: [String] { get throws { try read { try $0.fetch(Book.all).map(\.title) } } }
        func add(_ book: Book) throws {
            try transaction { tx in
                var book = book
                try tx.insert(&book)
            }
        }
    }

    @StoreActor(initializer: false) actor Named {
        let name: String
        init(name: String, store: Store) {
            self.name = name
            self.store = store
        }
        func count() throws -> Int { try read { try $0.count(Book.all) } }
    }

    private actor Bare: StoreActor {
        nonisolated let store: Store
        init(store: Store) { self.store = store }
        func touch() throws { try transaction { _ in } }
        func look() throws { try read { _ in } }
    }

    private func book(_ id: Int) -> Book {
        Book(id: id, title: "T", pageCount: nil, kind: .novel, price: nil, settings: nil, color: nil)
    }

    @Test func actorsTakeTurns() async throws {
        let store = try Store.temporary(Book.self)
        var first = book(1)
        try await store.save(&first)
        let counters = [Counter(store: store), Counter(store: store)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask { try await counters[index % 2].increment(1) }
                group.addTask { try await store.update(Book.self, 1) { $0.pageCount = ($0.pageCount ?? 0) + 1 } }
            }
            try await group.waitForAll()
        }
        #expect(try await store.find(Book.self, 1).pageCount == 400)
        let error = await #expect(throws: SluiceError.self) { try await Bare(store: store).touch() }
        #expect(error?.code == .notOnWriter)
        let other = await #expect(throws: SluiceError.self) { try await Bare(store: store).look() }
        #expect(other?.code == .notOnWriter)
        #expect(try await Named(name: "a", store: store).count() == 1)
    }

    /// In memory the writer reads as well, in a file the readers do.
    @Test(arguments: [false, true]) @MainActor func theMainActorReadsAtOnce(inMemory isInMemory: Bool) async throws {
        let folder = try TemporaryDirectory()
        let store =
            isInMemory ? try Store.temporary(Book.self) : try Store(folder.path + "/shop.db", models: Book.self)
        let shelf = Shelf(store: store)
        #expect(try shelf.titles.isEmpty)
        try shelf.add(book(1))
        #expect(try shelf.titles == ["T"])
        try await store.update(Book.self, 1) { $0.title = "U" }
        #expect(try shelf.titles == ["U"])
        #expect(throws: SluiceError.self) { try shelf.add(book(1)) }
        #expect(try await store.count(Book.all) == 1)
    }

    /// The main thread does not stand still behind what the program itself does.
    @Test @MainActor func theMainActorWaitsForAWhile() async throws {
        var options = StoreOptions()
        options.busyTimeout = .milliseconds(20)
        let store = try Store(":memory:", models: Book.self, options: options)
        let shelf = Shelf(store: store)
        let (began, tell) = AsyncStream.makeStream(of: Void.self)
        let end = Gate()
        let work = Task.detached {
            defer { tell.finish() }
            try await store.write { _ in
                tell.finish()
                end.wait()
            }
        }
        for await _ in began {}
        let acts: [@MainActor () throws -> Void] = [{ try shelf.add(book(1)) }, { _ = try shelf.titles }]
        for act in acts {
            let error = #expect(throws: SluiceError.self) { try act() }
            #expect(error?.code == .busy)
        }
        end.open()
        try await work.value
        #expect(try await store.count(Book.all) == 0)
    }

    /// Tells what happened, from wherever it happened.
    private final class Notes: Sendable {
        private let texts = Mutex<[String]>([])
        func note(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock { $0 } }
    }

    @Test func doesMoreOnceItIsCommitted() async throws {
        let store = try Store.temporary(Book.self)
        let notes = Notes()
        try await store.write { tx in
            tx.afterCommit { notes.note("first") }
            try? tx.part {
                tx.afterCommit { notes.note("taken back") }
                throw CancellationError()
            }
            try tx.part { tx.afterCommit { notes.note("second") } }
            #expect(notes.all.isEmpty)
        }
        #expect(notes.all == ["first", "second"])
        try? await store.write { tx in
            tx.afterCommit { notes.note("never") }
            throw CancellationError()
        }
        #expect(notes.all == ["first", "second"])
    }

    @Test func findsSeveralRecords() async throws {
        let store = try Store.temporary(Book.self)
        var all = (1...5).map(book)
        try await store.save(&all)
        #expect(try await store.find(Book.self, [2, 4, 9]).keys.sorted() == [2, 4])
        #expect(try await store.first(Book.order(by: \.id, .descending))?.id == 5)
        #expect(try await store.exists(Book.where { $0.id == 3 }))
        #expect(try await !store.exists(Book.where { $0.id == 6 }))
    }

    @Test func readsBesideAWriterAndOpensAgain() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/shop.db"
        do {
            let store = try Store(path, models: Book.self)
            #expect(store.schemaChanges.contains { $0.hasPrefix("CREATE TABLE \"books\"") })
            var all = (1...20).map(book)
            try await store.save(&all)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await store.count(Book.all) } }
                for try await count in group { #expect(count == 20) }
            }
            await store.close()
        }
        let again = try Store(path, models: Book.self, Note.self)
        #expect(again.schemaChanges.allSatisfy { !$0.contains("books") })
        #expect(try await again.count(Book.all) == 20)
    }

    /// A table that somebody else made is extended by the columns that it lacks, or refused by name.
    @Test func adoptsTables() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/shop.db"
        do {
            let store = try Store(path, models: Note.self)
            try await store.write {
                try $0.execute("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, kind TEXT, extra TEXT) STRICT")
                try $0.execute("INSERT INTO books VALUES (1, 'Dune', 'novel', 'mine')")
                try $0.execute("CREATE TABLE shop (id TEXT PRIMARY KEY, name TEXT) STRICT")
            }
            await store.close()
        }
        let store = try Store(path, models: Book.self)
        try await store.update(Book.self, 1) { $0.title = "Dune Messiah" }
        #expect(try await store.rows("SELECT title, extra FROM books").first?.texts == ["Dune Messiah", "mine"])
        let error = #expect(throws: SluiceError.self) { try Store(path, models: Shop.self) }
        #expect(error?.code == .schemaMismatch && error?.message.contains("shop") == true)
    }

    @Test func refusesModelsThatDoNotFit() {
        let error = #expect(throws: SluiceError.self) { try Schema(Odd.self) }
        #expect(error?.code == .invalidModel)
        #expect(error?.problems.count == 2, "\(error?.problems ?? [])")
    }

    /// Who lets go of a record leaves it without what it has to have.
    @Test func refusesToLetGoOfWhatIsNeeded() async throws {
        let error = #expect(throws: SluiceError.self) { try Schema(Loose.self) }
        #expect(
            error?.problems == [
                "`Loose.parts` would let go of records that have to have a `whole`; take `.cascade` or `.deny`, or let `LoosePart.whole` be optional"
            ])
        // A link is not taken away either, unless the record leads elsewhere by now.
        let store = try Store.temporary(Whole.self)
        try await store.write { tx in
            var wholes = [Whole(id: 1, parts: []), Whole(id: 2, parts: [])]
            try tx.insert(&wholes)
            var part = WholePart(id: 7, whole: Ref(1))
            try tx.insert(&part)
            wholes[0].parts.remove(7)
            let refused = #expect(throws: SluiceError.self) { try tx.save(&wholes[0]) }
            #expect(refused?.code == .denied && refused?.identifier == "7" && refused?.field == "whole")
            let again = #expect(throws: SluiceError.self) { try wholes[0].removeFromParts(part, in: tx) }
            #expect(again?.code == .denied)
            part.whole = Ref(2)
            try tx.save(&part)
            try tx.save(&wholes[0])
            #expect(try tx.fetch(WholePart.all).map(\.whole) == [Ref(2)])
        }
    }

    /// Only what the store was opened with is read and written as models.
    @Test(arguments: [false, true]) func refusesModelsItWasNotOpenedWith(inMemory isInMemory: Bool) async throws {
        let folder = try TemporaryDirectory()
        let store =
            isInMemory ? try Store.temporary(Book.self) : try Store(folder.path + "/shop.db", models: Book.self)
        // Also where another program has such a table.
        try await store.write { try $0.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)") }
        func expectRefusal(_ call: (Store) async throws -> Void) async {
            let error = await #expect(throws: SluiceError.self) { try await call(store) }
            #expect(error?.code == .invalidModel && error?.entity == "Note", "\(error?.message ?? "")")
        }
        await expectRefusal { _ = try await $0.fetch(Note.all) }
        await expectRefusal { _ = try await $0.count(Note.all) }
        await expectRefusal { _ = try await $0.first(Note.all) }
        await expectRefusal { _ = try await $0.exists(Note.all) }
        await expectRefusal { _ = try await $0.find(Note.self, 1) }
        await expectRefusal { _ = try await $0.find(Note.self, [1]) }
        await expectRefusal { _ = try await $0.fetch(Note.select { $0.text }) }
        await expectRefusal { _ = try await $0.plan(of: Note.all) }
        await expectRefusal { store in try await store.write { _ = try $0.deleteAll(Note.all) } }
        await expectRefusal { store in
            try await store.write { _ = try $0.update(Note.all, Note.path.text.set("x")) }
        }
        await expectRefusal { store in
            try await store.write { tx in
                var note = Note(text: "x")
                try tx.save(&note)
            }
        }
        let options = SyncOptions(source: "shop")
        let json = #"[{"id": 1, "text": "x"}]"#
        await expectRefusal { try await $0.sync(Note.self, from: json, options) }
        await expectRefusal { try await $0.sync(Note.self, from: json, options) { @Sendable _ in .keep } }
        await expectRefusal { try await $0.sync([Note(id: 1, text: "x")], options) }
        await expectRefusal { try await $0.sync(Upsert(Note(id: 1, text: "x")), options) }
        await expectRefusal { store in
            var units = options
            units.commit = .every(1)
            try await store.sync(Note.self, from: json, units)
        }
        await expectRefusal { _ = try await $0.plan(Note.self, from: json, options) }
        await expectRefusal { try await $0.upsert([Note(text: "x")]) }
        await expectRefusal { try await $0.retryQuarantine(Note.self) }
        await expectRefusal { _ = try await $0.conflicts(of: Note.self) }
        await expectRefusal { _ = try await $0.quarantine(of: Note.self) }
        await expectRefusal { _ = try await $0.life(of: Note.self, 1) }
        #expect(try await store.rows("SELECT id FROM note").isEmpty)
        #expect(try await store.history().isEmpty)
    }

    /// What reads writes nothing, whichever connection it is given.
    @Test(arguments: ["memory", "file", "opened to read"]) func aReadWritesNothing(_ kind: String) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/shop.db"
        var store = kind == "memory" ? try Store.temporary(Book.self) : try Store(path, models: Book.self)
        var first = book(1)
        try await store.save(&first)
        if kind == "opened to read" {
            await store.close()
            var options = StoreOptions()
            options.access = .read
            store = try Store(path, models: Book.self, options: options)
        }
        let looker = Looker(store: store)
        for sql: SQL in ["DELETE FROM books", "INSERT INTO books SELECT * FROM books RETURNING id"] {
            let error = await #expect(throws: SluiceError.self) { try await store.rows(sql) }
            #expect(error?.code == .readOnly)
            let other = await #expect(throws: SluiceError.self) { try await looker.rows(sql) }
            #expect(other?.code == .readOnly)
        }
        #expect(try await store.count(Book.all) == 1)
        #expect(try await looker.titles() == ["T"])
        if kind == "opened to read" { return }
        // A transaction may, and what is read within it is what it wrote.
        #expect(try await looker.renamed() == ["U"])
        #expect(try await store.write { try $0.rows("UPDATE books SET title = 'V' RETURNING title").count } == 1)
        #expect(try await looker.titles() == ["V"])
    }

    @StoreActor actor Looker {
        func rows(_ sql: SQL) throws -> Int { try read { try $0.rows(sql).count } }
        func titles() throws -> [String] { try read { try $0.fetch(Book.all).map(\.title) } }
        func renamed() throws -> [String] {
            try transaction { tx in
                try tx.update(Book.self, 1) { $0.title = "U" }
                return try titles()
            }
        }
    }

    /// The lines of an order are records, and which order has which is another table.
    @Test func refusesPairsInTheTableOfAModel() {
        let error = #expect(throws: SluiceError.self) { try Schema(Cart.self) }
        #expect(
            error?.problems == [
                "the pairs of `Cart.lines` would be in `cart_lines`, which is the table of `CartLine`; name another one with `via:`"
            ])
    }

    @Test func cancelsWhatWaits() async throws {
        let store = try Store.temporary(Note.self)
        let task = Task {
            try await store.write { tx in
                try tx.execute(
                    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.count(Note.all) == 0)
    }
}

@PersistentModel private struct Cart {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var lines: [CartLine]
}

@PersistentModel(table: "cart_lines") private struct CartLine {
    let id: Int
}

@PersistentModel(table: "_sluice_odd")
private struct Odd {
    let id: Int
    @Relationship(inverse: "nothing", deleteRule: .nullify) var tags: Refs<Tag>
}

@PersistentModel private struct Loose {
    let id: Int
    @Relationship(inverse: "whole", deleteRule: .nullify) var parts: Refs<LoosePart>
}

@PersistentModel private struct LoosePart {
    let id: Int
    @Relationship(inverse: "parts", deleteRule: .nullify) var whole: Ref<Loose>
}

@PersistentModel private struct Whole {
    let id: Int
    @Relationship(inverse: "whole", deleteRule: .cascade) var parts: Refs<WholePart>
}

@PersistentModel private struct WholePart {
    let id: Int
    @Relationship(inverse: "parts", deleteRule: .nullify) var whole: Ref<Whole>
}
