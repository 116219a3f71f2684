import SluiceReport
import TestSupport
import Testing

/// The indexes that go and come with identifiers: those of references, and those that keep an identifier of before unique.
@Suite("Indexes that follow identifiers")
struct KeyIndexTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let from: String
        let to: String
        /// A table of people.
        var own: String?
        var references = "{ref: Item, upsert: false}"
    }

    static let cases = [
        Case(testDescription: "another field", from: "id", to: "code"),
        Case(testDescription: "a field in front", from: "id", to: "code, id"),
        Case(testDescription: "a field behind", from: "id", to: "id, code"),
        Case(testDescription: "another order", from: "code, id", to: "id, code"),
        Case(testDescription: "a field less", from: "id, code", to: "code"),
        Case(
            testDescription: "a field in front, of what pairs lead to", from: "id", to: "code, id",
            references: "{refs: Item, from: \"item[*]\", upsert: false}"),
        Case(
            testDescription: "another order, of what pairs lead to", from: "code, id", to: "id, code",
            references: "{refs: Item, from: \"item[*]\", upsert: false}"),
        Case(
            testDescription: "another field, and a table of people", from: "id", to: "code",
            own: "CREATE TABLE mine (x bigint REFERENCES items (id)); INSERT INTO mine VALUES (1)"),
        Case(
            testDescription: "a field less, and a table of people", from: "id, code", to: "code",
            own: """
                CREATE TABLE mine (x bigint, y text, FOREIGN KEY (x, y) REFERENCES items (id, code));
                INSERT INTO mine VALUES (1, 'c')
                """),
    ]

    private func define(_ key: String, _ test: Case, _ shop: Workshop) throws {
        try shop.define(
            "shop",
            """
            entities:
              Item: {table: items, primary_key: [\(key)], fields: {id: int, code: string, n: string}}
              Order: {table: orders, primary_key: oid, fields: {oid: int, item: \(test.references)}}
            streams:
              - {name: items, entity: Item, path: items.json}
              - {name: orders, entity: Order, path: orders.json}
            """)
    }

    private func shop(_ store: Store, _ key: String, _ test: Case) throws -> Workshop {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        let item = #"{"id":1,"code":"c"}"#
        try shop.put(#"[{"id":1,"code":"c","n":"x"},{"id":2,"code":"d","n":"y"}]"#, as: "items.json")
        try shop.put(
            #"[{"oid":5,"item":\#(test.references.contains("refs") ? "[\(item)]" : item)}]"#, as: "orders.json")
        try run(shop, key, test)
        return shop
    }

    private func run(_ shop: Workshop, _ key: String, _ test: Case) throws {
        try define(key, test, shop)
        let report = shop.sync().report
        try #require(report.status == .succeeded, "\(key): \(report.problems)")
    }

    /// What indexes tables that hold references, apart from how the schema is called.
    private func indexes(_ shop: Workshop) throws -> [String] {
        try shop.database.shape().filter { $0.hasPrefix("'index'|'orders") }.map { line in
            line.replacing(/ON \w+\./, with: "ON ")
        }
    }

    @Test(arguments: Seeds.pairs(cases, in: Store.allCases))
    func follow(_ test: Case, _ store: Store) throws {
        let shop = try shop(store, test.from, test)
        if let own = test.own { try shop.sql(own) }
        let before = try shop.database.shape()
        try run(shop, test.to, test)
        let after = try shop.database.shape()
        #expect(try indexes(shop) == indexes(self.shop(store, test.to, test)))
        #expect(test.own == nil || after.contains { $0.contains("_referred") }, "\(after)")
        for (run, expected) in [(Int64(2), before), (3, after), (4, before)] {
            let undone = shop.undo(run).report
            #expect(undone.status == .succeeded, "\(undone.problems)")
            #expect(try shop.database.shape() == expected, "undo of run \(run)")
        }
        // The file says what it said in the run that was undone.
        try self.run(shop, test.to, test)
        #expect(try shop.database.shape() == after)
        try self.run(shop, test.from, test)
        #expect(try shop.database.shape() == before)
        #expect(try shop.database.brokenReferences() == [])
    }

    private func define(_ key: String, unique: String, _ shop: Workshop) throws {
        try shop.define(
            "shop",
            """
            entities:
              Item: {table: items, primary_key: [\(key)], unique: \(unique), fields: {id: int, code: string, n: string}}
              Order: {table: orders, primary_key: oid, fields: {oid: int, item: {ref: Item, upsert: false}}}
            streams:
              - {name: items, entity: Item, path: items.json}
              - {name: orders, entity: Order, path: orders.json}
            """)
    }

    @Test("A group of `unique` that has become the identifier goes, with what refers to it", arguments: Store.allCases)
    func uniqueGroup(_ store: Store) throws {
        let shop = try shop(store, "id", Self.cases[0])
        func run(_ key: String, _ unique: String) throws {
            try define(key, unique: unique, shop)
            let report = shop.sync().report
            try #require(report.status == .succeeded, "\(key) \(unique): \(report.problems)")
        }
        func group() throws -> Bool { try shop.database.shape().contains { $0.contains("items_code_key") } }
        try run("id", "[[code]]")
        #expect(try group())
        try run("code", "[]")
        #expect(try !group() && shop.rows("SELECT item_code FROM orders") == ["'c'"])
        // And where the group goes later than the other identifier comes.
        try run("id", "[[code]]")
        try run("code", "[[code]]")
        try run("code", "[]")
        #expect(try !group() && shop.database.brokenReferences() == [])
        #expect(try shop.database.shape().contains { $0.contains("orders") && $0.contains("item_code") })
        let undone = shop.undo(6).report
        #expect(undone.status == .succeeded, "\(undone.problems)")
    }

    @Test("A group that people refer to does not go without them")
    func referredGroup() throws {
        let shop = try shop(.schema, "id", Self.cases[0])
        try define("id", unique: "[[code]]", shop)
        try #require(shop.sync().report.status == .succeeded)
        try shop.sql("CREATE TABLE mine (x text CONSTRAINT mine_x REFERENCES items (code))")
        try define("id", unique: "[]", shop)
        let report = shop.sync().report
        let words = report.problems.map(\.message).joined()
        #expect(report.problems.contains { $0.code == "schema_mismatch" }, "\(report.problems)")
        #expect(words.contains("`mine_x` of `mine`") && words.contains("Keep its group in `unique`"), "\(words)")
        try shop.sql("DROP TABLE mine")
        #expect(shop.sync().report.status == .succeeded)
    }

    struct Earlier: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let goes: Bool
    }

    static let earlier = [
        Earlier(testDescription: "named by PostgreSQL", name: "items_id_key", goes: true),
        Earlier(testDescription: "named by PostgreSQL, which had the name already", name: "items_id_key12", goes: true),
        Earlier(testDescription: "named by people", name: "items_id_mine", goes: false),
    ]

    /// Versions before this one noted nothing of it, and gave the constraint no name. It would refuse equal values for ever once
    /// the field no longer identifies and nobody refers to it.
    @Test("What an older version kept unique goes once it identifies again", arguments: earlier)
    func olderVersions(_ earlier: Earlier) throws {
        let test = Self.cases[7]
        let shop = try shop(.schema, test.from, test)
        if let own = test.own { try shop.sql(own) }
        try run(shop, test.to, test)
        try shop.sql(
            """
            ALTER TABLE items RENAME CONSTRAINT items_id_referred TO \(earlier.name);
            DELETE FROM _sluice_schema WHERE kind = 'referred'
            """)
        try run(shop, test.from, test)
        #expect(try shop.database.shape().contains { $0.contains(earlier.name) } == !earlier.goes)
        try shop.sql("DROP TABLE mine")
        try run(shop, test.to, test)
        // Two records may have one value of a field that is an ordinary one now.
        try shop.put(#"[{"id":1,"code":"c","n":"x"},{"id":1,"code":"d","n":"y"}]"#, as: "items.json")
        try define(test.to, test, shop)
        let report = shop.sync().report
        #expect(
            try shop.rows("SELECT id FROM items").count { $0 == "1" } == (earlier.goes ? 2 : 1), "\(report.problems)")
    }

    @Test("An index of people on columns that stay is theirs", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func ownIndex(_ store: Store) throws {
        let test = Self.cases[1]
        let shop = try shop(store, test.from, test)
        try shop.sql("CREATE INDEX mine ON orders (item_id)")
        try run(shop, test.to, test)
        let names = try indexes(shop)
        #expect(names.count { $0.contains("mine") } == 1, "\(names)")
        #expect(!names.contains { $0.contains("orders_item_id'") || $0.contains("orders_item_id ON") }, "\(names)")
    }
}
