import SluiceReport
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// What the history tells of columns, tables of links and sources that came or were given up.
@Suite("The history of tables")
struct SchemaHistoryTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let entity: String
        var stream = "{name: books, entity: Book, path: books.json}"
        /// What people do before.
        var edit: String?
        /// What is told: table, change and what it is about.
        let told: [String]
        /// Whether the run can be undone.
        var isUndone = true
    }

    private static let first =
        "Book: {table: books, primary_key: id, fields: {id: int, title: string, tags: {refs: Tag, from: \"tags[*]\", upsert: false}}}"

    static let cases = [
        Case(
            testDescription: "a field comes",
            entity: first.replacing("title: string", with: "title: string, price: {type: decimal, column: cost}"),
            told: ["books add_column ADD COLUMN \"cost\""]),
        Case(
            testDescription: "a reference comes",
            entity: first.replacing("title: string", with: "title: string, tag: {ref: Tag, upsert: false}"),
            told: ["books add_column ADD COLUMN \"tag_id\""]),
        Case(
            testDescription: "rows are marked as deleted", entity: first,
            stream: "{name: books, entity: Book, path: books.json, delete_missing: soft}",
            told: [
                "books add_column ADD COLUMN \"_deleted_at\"",
                "books add_column ADD COLUMN \"_deleted_by_run\"",
            ]),
        Case(
            testDescription: "a field goes that nobody edited", entity: first.replacing("title: string, ", with: ""),
            told: ["books leave_column title"]),
        Case(
            testDescription: "a field goes that people edited", entity: first.replacing("title: string, ", with: ""),
            edit: "UPDATE books SET title = 'mine'", told: ["books leave_column title"], isUndone: false),
        Case(
            testDescription: "links go that nobody edited",
            entity: first.replacing(", tags: {refs: Tag, from: \"tags[*]\", upsert: false}", with: ""),
            told: ["books_tags leave_table tags"]),
        Case(
            testDescription: "links go that people edited",
            entity: first.replacing(", tags: {refs: Tag, from: \"tags[*]\", upsert: false}", with: ""),
            edit: "DELETE FROM books_tags", told: ["books_tags leave_table tags"], isUndone: false),
        Case(
            testDescription: "a table gets another name, and nobody edited the old one",
            entity: first.replacing("table: books", with: "table: tomes"), told: ["books leave_table"]),
        Case(
            testDescription: "a table gets another name, and people edited the old one",
            entity: first.replacing("table: books", with: "table: tomes"), edit: "UPDATE books SET title = 'mine'",
            told: ["books leave_table"], isUndone: false),
        Case(
            testDescription: "a stream goes", entity: first, stream: "{name: tomes, entity: Book, path: books.json}",
            told: ["books forget_source shop/books Book"], isUndone: false),
    ]

    private func run(_ shop: Workshop, _ entity: String, _ stream: String) throws {
        try shop.define(
            "shop",
            """
            entities:
              \(entity)
              Tag: {table: tags, primary_key: id, fields: {id: int}}
            streams:
              - \(stream)
              - {name: tags, entity: Tag, path: tags.json}
            """)
        let report = shop.sync().report
        try #require(report.status == .succeeded, "\(report.problems)")
    }

    /// How the history tells what a run did to tables, without the types of columns, which each kind of store has its own of.
    private func told(_ run: Int64, _ shop: Workshop) throws -> [String] {
        try shop.open(.reading).changes.tableChanges(run: run).filter { $0.kind != .createIndex }.map { change in
            var words = change.sql.split(separator: " ")
            if words.isEmpty { return "\(change.table) \(change.kind.rawValue)" }
            if change.kind == .addColumn {
                #expect(words.count > 3, "\(change.sql)")
                words.removeSubrange(3...)
            }
            return "\(change.table) \(change.kind.rawValue) \(words.joined(separator: " "))"
        }
    }

    @Test(arguments: Seeds.pairs(cases, in: Store.allCases))
    func tells(_ test: Case, _ store: Store) throws {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        shop.adjustOptions = { $0.allowsDrops = true }
        try shop.put(#"[{"id":1,"title":"Dune","tags":[1],"price":"1.5","tag":1}]"#, as: "books.json")
        try shop.put(#"[{"id":1}]"#, as: "tags.json")
        try run(shop, Self.first, Self.cases[0].stream)
        #expect(try told(1, shop) == [])
        if let edit = test.edit { try shop.sql(edit) }
        try run(shop, test.entity, test.stream)
        #expect(try told(2, shop) == test.told)
        #expect((shop.undo(2, .plan).report.status == .succeeded) == test.isUndone)
        try run(shop, test.entity, test.stream)
        #expect(try told(3, shop) == [])
    }

    @Test("A column that came has the name that it got since", arguments: Store.allCases)
    func renamed(_ store: Store) throws {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        try shop.put(#"[{"id":1,"title":"Dune","tags":[1],"price":2}]"#, as: "books.json")
        try shop.put(#"[{"id":1}]"#, as: "tags.json")
        let stream = Self.cases[0].stream
        try run(shop, Self.first, stream)
        try run(shop, Self.first.replacing("title: string", with: "title: string, price: int"), stream)
        try run(
            shop,
            Self.first.replacing(
                "title: string", with: "title: string, cost: {type: int, from: price, renamed_from: price}"), stream)
        #expect(try told(2, shop) == ["books add_column ADD COLUMN \"cost\""])
    }
}
