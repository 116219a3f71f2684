import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// Rows that runs made for others that refer to them, whose identifier loses a part before their records come.
@Suite("Stubs whose identifier changes")
struct StubKeyTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the source lists when the stub is made.
        var items = "[\(other)]"
        var order = #"{"id":1,"code":"c"}"#
        /// What people do before the identifier changes, and afterwards.
        var before: String?
        var after: String?
        /// What the source lists in the end.
        let last: String
        /// The rows of items then, and how many conflicts are open.
        let rows: [String]
        var conflicts = 0
    }

    private static let other = #"{"id":2,"code":"d","n":"y"}"#
    private static func back(_ id: Int, _ code: String) -> String {
        #"[\#(other),{"id":\#(id),"code":"\#(code)","n":"back"}]"#
    }

    static let cases = [
        Case(
            testDescription: "whose record was deleted and comes back", last: back(1, "c"),
            rows: ["1|'c'|'back'", "2|'d'|'y'"]),
        Case(
            testDescription: "whose record comes back with another value of what identified it", last: back(7, "c"),
            rows: ["7|'c'|'back'", "2|'d'|'y'"]),
        Case(
            testDescription: "whose record never came", order: #"{"id":3,"code":"e"}"#, last: back(3, "e"),
            rows: ["2|'d'|'y'", "3|'e'|'back'"]),
        Case(
            testDescription: "whose record never came, and has another value of what identified it",
            order: #"{"id":3,"code":"e"}"#, last: back(7, "e"), rows: ["2|'d'|'y'", "7|'e'|'back'"]),
        Case(
            testDescription: "that people filled before", before: "UPDATE items SET n = 'mine' WHERE code = 'c'",
            last: back(1, "c"), rows: ["1|'c'|'mine'", "2|'d'|'y'"], conflicts: 1),
        Case(
            testDescription: "that people filled afterwards", after: "UPDATE items SET n = 'mine' WHERE code = 'c'",
            last: back(1, "c"), rows: ["1|'c'|'mine'", "2|'d'|'y'"], conflicts: 1),
        Case(
            testDescription: "in which people changed what identified it",
            order: #"{"id":3,"code":"e"}"#, after: "UPDATE items SET id = 9 WHERE code = 'e'",
            last: back(7, "e"), rows: ["2|'d'|'y'", "9|'e'|'back'"], conflicts: 1),
        Case(
            testDescription: "and a row of people that has as little",
            before: "INSERT INTO items (id, code) VALUES (9, 'z')", last: back(4, "z"),
            rows: ["1|'c'|NULL", "2|'d'|'y'", "9|'z'|'back'"], conflicts: 1),
    ]

    /// The pipeline with an identifier of items.
    private func define(_ key: String, _ shop: Workshop) throws {
        try shop.define(
            "shop",
            """
            entities:
              Item: {table: items, primary_key: [\(key)], fields: {id: int, code: string, n: string}}
              Order: {table: orders, primary_key: oid, fields: {oid: int, item: {ref: Item, upsert: false, on_dangling: stub}}}
            streams:
              - {name: items, entity: Item, path: items.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
              - {name: orders, entity: Order, path: orders.json}
            """)
    }

    /// A shop in which a run made a stub.
    private func shop(_ test: Case, _ store: Store) throws -> Workshop {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        try define("id, code", shop)
        try shop.put(#"[{"id":1,"code":"c","n":"x"},\#(Self.other)]"#, as: "items.json")
        try shop.put(#"[{"oid":5,"item":{"id":1,"code":"c"}}]"#, as: "orders.json")
        try run(shop)
        try shop.put(test.items, as: "items.json")
        try shop.put(#"[{"oid":5,"item":\#(test.order)}]"#, as: "orders.json")
        try run(shop)
        return shop
    }

    private func run(_ shop: Workshop) throws {
        let report = try shop.syncPlanned().0
        try #require([.succeeded, .partial].contains(report.status), "\(report.problems)")
    }

    private func edits(_ shop: Workshop) throws -> Int {
        var count = 0
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { _ in count += 1 }
        return count
    }

    private func openConflicts(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT key, field FROM _sluice_conflicts WHERE status = 'open' ORDER BY id")
    }

    private func items(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT id, code, n FROM items ORDER BY code")
    }

    @Test(arguments: Seeds.pairs(cases, in: Store.allCases))
    func filled(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store)
        if let edit = test.before { try shop.sql(edit) }
        try define("code", shop)
        try run(shop)
        if let edit = test.after { try shop.sql(edit) }
        if test.before == nil && test.after == nil { #expect(try edits(shop) == 0) }
        try shop.put(test.last, as: "items.json")
        try run(shop)
        #expect(try items(shop).sorted() == test.rows.sorted())
        let open = try openConflicts(shop)
        #expect(open.count == test.conflicts, "\(open)")
    }

    @Test(
        "both at once, and with a run and its undo between",
        arguments: Seeds.pairs(Array(cases.prefix(4)), in: Store.allCases))
    func filledAtOnce(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store)
        let before = try items(shop)
        try shop.put(test.last, as: "items.json")
        try define("code", shop)
        try run(shop)
        #expect(try items(shop).sorted() == test.rows.sorted())
        #expect(try openConflicts(shop) == [])
        let undone = shop.undo(3).report
        #expect(undone.status == .succeeded, "\(undone.problems)")
        #expect(try items(shop) == before)
        #expect(try edits(shop) == 0)
        try run(shop)
        #expect(try items(shop).sorted() == test.rows.sorted())
        #expect(try openConflicts(shop) == [])
    }

    @Test("is called no edit, before and after", arguments: Seeds.pairs(Array(cases.prefix(4)), in: Store.allCases))
    func inspected(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store)
        for key in ["id, code", "code"] {
            try define(key, shop)
            try run(shop)
            let code = test.order.contains("\"e\"") ? "e" : "c"
            let name = key == "code" ? code : "id=\(code == "e" ? 3 : 1),code=\(code)"
            let life = try #require(
                RecordInspector(store: shop.open(.reading)).lives(entity: "Item", key: name, pipelines: nil).first)
            #expect(life.fields.filter(\.isEdited).map(\.name) == [], "\(key)")
        }
    }
}
