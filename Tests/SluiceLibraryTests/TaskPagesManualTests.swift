import Foundation
import Sluice
import SluiceSQLite
import SluiceTesting
import TestSupport
import Testing

// Blocks of Swift of the catalogue's pages.

@PersistentModel
struct Purchase {
    let id: Int
    var note: String?
    @Relationship(inverse: .none, deleteRule: .cascade, json: "lines") var lines: [PurchaseLine]
}

@PersistentModel
struct PurchaseLine {
    let id: Int
    var text: String
    var quantity: Int
}

@PersistentModel
struct Ware {
    @Attribute(.identifier) let sku: String
    @Relationship(inverse: .none, deleteRule: .nullify) var accessories: Refs<Ware>
}

@PersistentModel
struct ShopSale {
    let id: Int
    var article: String
    var price: Decimal?
    var quantity: Int
    var soldOn: Day
}

@PersistentModel(onConflict: .newestWins, newest: "changedAt")
struct TutorialOffer {
    let id: Int
    var changedAt: Date
    @Attribute(onConflict: .localWins) var title: String
    @Attribute(storageMethod: .codable, compare: .set) var words: [String] = []
    @Attribute(owner: .local) var note: String?
    @Attribute(onNull: .keep) var price: Decimal?
}

extension Store {
    func page<M: PersistentModel>(_ number: Int, of query: Query<M>) async throws -> [M] {
        try await fetch(query.limit(20, offset: 20 * number))
    }
}

struct TaskPagesManualTests {
    private func store() async throws -> Store {
        let store = try Store.temporary(TutorialBook.self)
        try await store.write { tx in
            var author = TutorialAuthor(id: 1, name: "Frank Herbert", books: [])
            var books = [
                TutorialBook(id: 1, title: "Dune", price: 12, author: Ref(1)),
                TutorialBook(id: 2, title: "Ubik", price: Decimal(string: "9.90"), author: nil),
            ]
            try tx.save(&author)
            try tx.save(&books)
        }
        return store
    }

    @Test func asksForPagesAsThePageOfReadingShows() async throws {
        let store = try await store()
        let third = try await store.fetch(
            TutorialBook.order(by: \.title).order(by: \.id, .descending).limit(20, offset: 40))
        let all = try await store.count(TutorialBook.where { !$0.isRead })
        let newest = try await store.first(TutorialBook.order(by: \.id, .descending))
        let isKnown = try await store.exists(TutorialBook.where { $0.title == "Dune" })
        #expect(third.isEmpty && all == 2 && newest?.id == 2 && isKnown)
        #expect(try await store.page(0, of: TutorialBook.order(by: \.title)).map(\.id) == [1, 2])
        let titles = try await store.fetch(TutorialBook.order(by: \.id).select { ($0.title, $0.author.name) })
        let names = titles.map { title, author in "\(title) by \(author ?? "nobody")" }
        #expect(names == ["Dune by Frank Herbert", "Ubik by nobody"])
    }

    @Test func computesAsThePageOfReadingShows() async throws {
        let store = try Store.temporary(ShopSale.self)
        let day = try #require(Day("2026-01-31"))
        var sales = [
            ShopSale(id: 1, article: "Tea", price: Decimal(string: "0.10"), quantity: 3, soldOn: day),
            ShopSale(id: 2, article: "TEA", price: 60, quantity: 2, soldOn: day),
        ]
        try await store.save(&sales)
        let revenue = try await store.value(ShopSale.select { ($0.price * $0.quantity).sum() })
        let dear = try await store.fetch(
            ShopSale.where { $0.price * $0.quantity > 100 }.order(by: { $0.price * $0.quantity }, .descending))
        let years = try await store.fetch(
            ShopSale.group(by: { $0.soldOn.year }) { ($0.soldOn.year, $0.quantity.sum()) })
        let names = try await store.fetch(ShopSale.select { $0.article.lowercased }.distinct())
        #expect(revenue == Decimal(string: "120.3") && dear.map(\.id) == [2])
        #expect(years.map(\.0) == [2026] && years.map(\.1) == [5] && names == ["tea"])
        let months = try await store.fetch(
            ShopSale.group(by: { ($0.soldOn.year, $0.soldOn.month) }) {
                ($0.soldOn.year, $0.soldOn.month, $0.quantity.sum(), $0.price.average())
            }.having { $0.count() > 1 })
        let best = try await store.fetch(
            ShopSale.group(by: \.article, \.soldOn) { ($0.article, $0.soldOn, $0.quantity.sum()) }
                .order(by: { $0.quantity.sum() }, .descending))
        #expect(months.map(\.1) == [1] && months.map(\.3) == [Decimal(string: "30.05")])
        #expect(best.map(\.0) == ["Tea", "TEA"])
    }

    @Test func asksForReferencesAsThePageOfReadingShows() async throws {
        let store = try await store()
        let early = TutorialBook.where { $0.title.hasPrefix("D") || $0.id.in([7, 9]) }
        let theirs = try await store.fetch(early.where { $0.author.in([1, 2]) })
        let loose = try await store.fetch(TutorialBook.where { $0.author.in([2, nil]) })
        let unknown = try await store.count(TutorialBook.where { $0.author == nil })
        #expect(theirs.map(\.id) == [1] && loose.map(\.id) == [2] && unknown == 1)
    }

    @Test func asksBySQLAsThePageOfReadingShows() async throws {
        let store = try await store()
        let least: Decimal = 10
        let rows = try await store.rows(
            "SELECT title FROM \(TutorialBook.self) WHERE price > \(least) COLLATE sluice_decimal")
        let titles = rows.compactMap { $0.texts[0] }
        if case .text(let first)? = rows.first?["title"] { print(first, titles.count) }
        #expect(rows.map { $0.texts[0] } == ["Dune"])
        try await store.write { tx in
            try tx.execute("CREATE INDEX IF NOT EXISTS books_by_title ON \(TutorialBook.self) (title)")
        }
        try await store.requireIndex(for: TutorialBook.where { $0.title == "Dune" })
    }

    @Test func passesOverAsThePageOfReadingShows() async throws {
        let store = try Store.temporary(Book.self)
        var books = [1, 2].map { Book(id: $0, title: "t", kind: .novel) }
        try await store.save(&books)
        try await store.write { try $0.execute("UPDATE books SET kind = 'poem' WHERE id = 1") }
        let error = await #expect(throws: SluiceError.self) { try await store.fetch(Book.all) }
        #expect(error?.code == .unbox && error?.identifier == "1")
        let readable = try await store.fetch(Book.all.skippingUnreadable { print($0.message) })
        #expect(readable.map(\.id) == [2])
    }

    @Test func writesAsThePageOfSavingShows() async throws {
        let store = try await store()
        try await store.write { tx in
            var author = TutorialAuthor(id: 2, name: "Ursula K. Le Guin", books: [])
            try tx.insert(&author)
            var book = TutorialBook(id: 9, title: "Lavinia", price: nil, author: Ref(2))
            try tx.save(&book)
            try tx.delete(TutorialBook.self, 2)
            try tx.deleteAll(TutorialBook.where { $0.isRead == true })
        }
        #expect(try await store.fetch(TutorialBook.all).map(\.id) == [1, 9])
        let count = try await store.write { tx in
            try tx.update(TutorialBook.where { $0.price == nil }, TutorialBook.path.isRead.set(true))
        }
        #expect(try await store.fetch(TutorialBook.where { $0.isRead == true }).count == count)
        let given = try await store.write { tx in
            try tx.update(TutorialBook.where { $0.author == 1 }, TutorialBook.path.author.set(2))
        }
        #expect(given == 1)
        #expect(try await store.count(TutorialBook.where { $0.author == 2 }) == 2)
    }

    @Test func saysWhatIsGoneAsThePageOfJSONShows() async throws {
        let store = try await store()
        let pages = [#"{"data":[{"id":1,"title":"Dune"}]}"#, #"{"data":[{"id":3,"title":"Emma"}]}"#]
        let options = SyncOptions(
            source: "shop", records: "data", missing: .hard(maximum: .percent(50)), onConflict: .remoteWins)
        let result = try await store.sync(TutorialBook.self, pages: pages, options)
        for problem in result.problems { print(problem.message) }
        for record in result.quarantined { print(record, record.json) }
        #expect(result.summary.insert == 1 && result.quarantined.isEmpty)
    }

    @Test func bringsLinesAlongAsThePageOfJSONShows() async throws {
        let store = try Store.temporary(Purchase.self)
        let order = #"{"id": 1, "lines": [{"id": 5, "text": "Dune", "quantity": 2}]}"#
        try await store.sync(Purchase.self, from: order, .init(source: "shop"))
        let lines = try await store.find(Purchase.self, 1).lines
        #expect(lines.map(\.text) == ["Dune"])
    }

    @Test func sumsLinesAsThePagesShow() async throws {
        let store = try Store.temporary(Purchase.self)
        func sync(_ lines: String, of id: Int) async throws {
            let json = #"{"id": \#(id), "lines": [\#(lines)]}"#
            try await store.sync(Purchase.self, from: json, .init(source: "shop"))
        }
        func line(_ id: Int, _ quantity: Int) -> String {
            #"{"id": \#(id), "text": "t", "quantity": \#(quantity)}"#
        }
        try await sync("\(line(1, 2)), \(line(2, 30))", of: 1)
        try await sync(line(3, 4), of: 2)
        try await sync(line(1, 2), of: 1)
        let pieces = try await store.fetch(Purchase.select { ($0.id, $0.lines.sum { $0.quantity }) })
        let large = try await store.fetch(Purchase.order(by: { $0.lines.sum { $0.quantity } }, .descending))
        let total = try await store.value(Purchase.select { $0.lines.sum { $0.quantity }.sum() })
        #expect(pieces.map(\.1) == [2, 4] && large.map(\.id) == [2, 1] && total == 6)
        // The line that left its order is in no order, and in its table.
        #expect(try await store.value(PurchaseLine.select { $0.quantity.sum() }) == 36)
        let left = try await store.rows(
            "SELECT id FROM \(PurchaseLine.self) WHERE id NOT IN (SELECT purchase_line_id FROM purchase_lines)")
        try await store.write { tx in
            try tx.execute(
                "DELETE FROM \(PurchaseLine.self) WHERE id NOT IN (SELECT purchase_line_id FROM purchase_lines)")
        }
        #expect(left.map { $0.texts[0] } == ["2"])
        #expect(try await store.value(PurchaseLine.select { $0.quantity.sum() }) == 6)
        // For a source that lists it again it is deleted by hand.
        let json = #"{"id": 1, "lines": [\#(line(1, 2)), \#(line(2, 30))]}"#
        let result = try await store.sync(Purchase.self, from: json, .init(source: "shop"))
        #expect(
            result.nested["PurchaseLine"] == SyncSummary(unchanged: 2) && result.problems.map(\.code) == ["dangling"])
        #expect(try await store.find(Purchase.self, 1).lines.map(\.id) == [1])
    }

    /// The names of the columns of pairs that the page of relationships says.
    @Test func namesPairsAsThePageOfRelationshipsSays() throws {
        let tables = try Schema(Article.self, Purchase.self, Ware.self).sql()
        for (table, columns) in [
            ("article_tags", ["article_id", "tag_word"]),
            ("purchase_lines", ["purchase_id", "purchase_line_id", "position"]),
            ("ware_accessories", ["ware_sku", "accessories_sku"]),
        ] {
            let statement = try #require(
                tables.first { $0.hasPrefix("CREATE TABLE") && $0.contains(table) }, "\(tables)")
            for column in columns { #expect(statement.contains(column), "\(statement)") }
        }
    }

    /// The forms of the table on the page of JSON.
    @Test func readsTheFormsOfThePageOfJSON() async throws {
        let store = try Store.temporary(FormSample.self)
        let json = #"""
            [{"id": 1, "at": "2026-01-31T12:00:00Z", "on": "2026-01-31", "price": "12.50", "link": "https://example.com/a",
              "name": 3, "open": true, "extra": {"a": [1]}, "cents": 1234},
             {"id": "2", "at": "2026-01-31T13:00:00+01:00", "price": 12.5, "data": "AAE=", "name": "3"},
             {"id": 3, "at": "2026-01-31T12:00:00"}, {"id": 4, "at": 1769860800}, {"id": 5, "open": 1},
             {"id": 6, "open": "true"}, {"id": 7, "cents": 12.34}]
            """#
        let result = try await store.sync(FormSample.self, from: json, .init(source: "shop"))
        #expect(result.summary.insert == 2 && result.summary.quarantined == 5, "\(result.quarantined.map(\.message))")
        let samples = try await store.fetch(FormSample.all)
        #expect(samples.map(\.price) == [Decimal(string: "12.5"), Decimal(string: "12.5")])
        #expect(samples[0].at == samples[1].at && samples[1].data == Data([0, 1]))
        #expect(samples.map(\.name) == ["3", "3"] && samples[0].open == true)
        #expect(samples[0].extra?.text == #"{"a":[1]}"# && samples[0].cents?.text == "12.34")
    }

    /// Rows that are there have no value for a property that is added.
    @Test func addsPropertiesAsThePageOfModelsSays() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/shelves.db"
        func make() throws {
            let shell = try Connection(path: path, mode: .create)
            try shell.execute(
                """
                DROP TABLE IF EXISTS shelves; CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
                INSERT INTO shelves VALUES (1, 'left')
                """)
        }
        try make()
        let store = try Store(path, models: WiderShelf.self)
        let error = await #expect(throws: SluiceError.self) { try await store.fetch(WiderShelf.all) }
        #expect(error?.code == .unbox && error?.field == "place")
        await store.close()
        try make()
        var options = StoreOptions()
        options.migrations = [
            Migration("2026-12 where shelves stand") { tx in
                try tx.execute("ALTER TABLE shelves ADD COLUMN place TEXT NOT NULL DEFAULT 'hall'")
            }
        ]
        let wider = try Store(path, models: WiderShelf.self, options: options)
        #expect(try await wider.find(WiderShelf.self, 1).place == "hall")
    }

    @Test func tellsLivesAsThePageOfConflictsShows() async throws {
        let store = try Store.temporary(TutorialWork.self)
        try await store.sync(TutorialWork.self, from: #"[{"id": 1, "title": "a"}]"#, .init(source: "shop"))
        try await store.update(TutorialWork.self, 1) { $0.title = "b" }
        for life in try await store.life(of: TutorialWork.self, 1) {
            for change in life.changes {
                print(change.run, change.action, change.who ?? life.source.pipeline, change.fields.map(\.property))
            }
            guard let title = life.field(\.title) else { continue }
            print("title", title.json ?? "null", "by", title.run.map { "run \($0)" } ?? "nobody who is noted")
            if title.isEdited { print("people changed it from", title.said ?? "nothing") }
        }
        let life = try #require(try await store.life(of: TutorialWork.self, 1).first)
        #expect(life.field(\.title)?.said == #""a""#)
        // A source of a name is a pipeline, whose stream is called like the table.
        #expect(life.source == Source(pipeline: "shop", stream: TutorialWork.model.description.table))
        #expect(life.source != "shop" && life.source.pipeline == "shop")
    }

    @Test func putsSourcesInOrderAsThePageOfMergingShows() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/works.db"
        var options = StoreOptions()
        options.precedence = ["erp", Source(pipeline: "web", stream: "books")]
        let store = try Store(path, models: TutorialWork.self, options: options)
        let web = SyncOptions(source: Source(pipeline: "web", stream: "books"))
        try await store.sync(TutorialWork.self, from: #"[{"id": 1, "title": "b"}]"#, web)
        try await store.sync(TutorialWork.self, from: #"[{"id": 1, "title": "a"}]"#, .init(source: "erp"))
        #expect(try await store.find(TutorialWork.self, 1).title == "a")
    }

    @Test func namesConflictsAsThePageOfConflictsShows() async throws {
        let store = try Store.temporary(TutorialWork.self)
        try await store.sync(TutorialWork.self, from: #"[{"id": 1, "title": "a"}]"#, .init(source: "shop"))
        try await store.update(TutorialWork.self, 1) { $0.title = "b" }
        try await store.sync(TutorialWork.self, from: #"[{"id": 1, "title": "c"}]"#, .init(source: "shop"))
        for conflict in try await store.conflicts(of: TutorialWork.self) {
            guard let identifier = conflict.identifier else { continue }
            let work = try await store.find(TutorialWork.self, identifier)
            print(work.title, conflict.property ?? "the whole record", conflict.kind, conflict.source)
            #expect(conflict.property == "title" && work.title == "b")
        }
    }
}

@PersistentModel private struct FormSample {
    let id: Int
    var at: Date?
    var on: Day?
    var price: Decimal?
    var link: URL?
    var data: Data?
    var name: String?
    var open: Bool?
    var extra: JSONText?
    @Attribute(storageMethod: .transformed(Cents.self)) var cents: Amount?
}

private struct Amount: Equatable { let text: String }

private enum Cents: ValueTransform {
    struct NoAmount: Error {}
    static func stored(_ value: Amount) throws -> Int {
        guard let amount = Double(value.text) else { throw NoAmount() }
        return Int((amount * 100).rounded())
    }
    static func value(_ stored: Int) -> Amount { Amount(text: "\(stored / 100).\(stored % 100)") }
}

@PersistentModel(table: "shelves")
struct WiderShelf {
    let id: Int
    var name: String
    var place: String
}
