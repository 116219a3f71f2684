import SluiceReport
import TestSupport
import Testing

/// Random histories in which people delete rows while no foreign key watches: whatever a run finds broken, and however much
/// of that it mends, it writes no reference to a row that is not there.
///
/// A failure names its seed; see ``Seeds``.
@Suite("References beside those that were broken before")
struct BrokenBeforePropertyTests {
    static let seeds = Seeds.first(3)
    static let rules = ["defer", "set_null", "stub"]

    @Test("A run breaks no reference", arguments: seeds, rules)
    func runs(_ seed: UInt64, rule: String) throws {
        try history(try shop(rule, isServed: false), seed, "")
    }

    @Test("And none on PostgreSQL", arguments: Seeds.first(1), rules)
    func runsOnPostgres(_ seed: UInt64, rule: String) throws {
        try history(try shop(rule, isServed: true), seed, Self.unwatched)
    }

    @Test("What is mended makes up for nothing that is broken")
    func mendedBeside() throws {
        let shop = try shop("defer", isServed: false)
        try put(#"[{"id":1},{"id":2},{"id":3}]"#, orders: #"[{"id":1,"c":1},{"id":2,"c":2}]"#, shop)
        _ = try shop.syncPlanned()
        try shop.sql("DELETE FROM customers WHERE id = 1")
        try put(#"[{"id":1},{"id":3}]"#, orders: #"[{"id":1,"c":3},{"id":3,"c":1}]"#, shop)
        let (report, _) = try shop.syncPlanned()
        #expect(!report.problems.isEmpty)
        #expect(try shop.rows("SELECT id, customer_id FROM orders ORDER BY id") == ["1|3", "3|NULL"])
        #expect(try shop.rows("PRAGMA foreign_key_check") == [])
    }

    /// What a run writes of a row that leads to a record which is not there, and that mends a reference at once.
    struct Mending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What people do while no foreign key watches.
        let edit: String
        /// Whether the source has no order then for one run.
        var goes = false
        let orders: String
    }

    static let mendings = [
        Mending(
            testDescription: "a row that comes back, to which a link led all the while",
            edit: "DELETE FROM orders WHERE id = 1", goes: true, orders: #"[{"id":1,"c":9,"tags":[1]}]"#),
        Mending(
            testDescription: "a row that is new, to which people had a link lead",
            edit: "INSERT INTO order_tags (order_id, tag_id) VALUES (4, 1)", orders: #"[{"id":4,"c":9,"tags":[1]}]"#),
        Mending(
            testDescription: "its first reference, and the second one led nowhere",
            edit: "DELETE FROM customers WHERE id = 2", orders: #"[{"id":1,"c":9,"s":1,"tags":[1]}]"#),
        Mending(
            testDescription: "its second reference, and the first one led nowhere",
            edit: "DELETE FROM customers WHERE id = 1", orders: #"[{"id":1,"c":2,"s":9,"tags":[1]}]"#),
    ]

    @Test("What a row mends makes up for nothing that it breaks", arguments: mendings, rules)
    func mendedAtOnce(_ mending: Mending, rule: String) throws {
        // PostgreSQL does the same, whatever the rule.
        let served = Seeds.some(of: Self.rules, oneOf: Self.rules.count)
        for isServed in [false, true] where !isServed || served.contains(rule) {
            let shop = try shop(rule, isServed: isServed)
            let customers = #"[{"id":1},{"id":2}]"#
            try put(customers, orders: #"[{"id":1,"c":1,"s":2,"tags":[1]}]"#, tags: #"[{"id":1}]"#, shop)
            _ = try shop.syncPlanned()
            try shop.sql(
                isServed ? "\(Self.unwatched)\(mending.edit); SET session_replication_role = origin" : mending.edit)
            if mending.goes {
                try put(customers, orders: "[]", tags: #"[{"id":1}]"#, shop)
                _ = try shop.syncPlanned()
            }
            try put(customers, orders: mending.orders, tags: #"[{"id":1}]"#, shop)
            _ = try shop.syncPlanned()
            #expect(try broken(shop).filter { $0.hasPrefix("orders") } == [])
        }
    }

    /// Has no foreign key watch on PostgreSQL.
    private static let unwatched = "SET session_replication_role = replica; "

    private func shop(_ rule: String, isServed: Bool) throws -> Workshop {
        let shop = try Workshop()
        if isServed { shop.database = try WorkshopSchema() }
        let all = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        try shop.define(
            "shop",
            """
            entities:
              Customer: {table: customers, primary_key: id, fields: {id: int, name: string}}
              Tag: {table: tags, primary_key: id, fields: {id: int}}
              Order:
                table: orders
                primary_key: id
                fields:
                  id: int
                  customer: {ref: Customer, from: c, on_dangling: \(rule)}
                  seller: {ref: Customer, from: s, on_dangling: \(rule)}
                  tags: {refs: Tag, from: "tags[*]", via: order_tags, on_dangling: \(rule)}
                children: {lines: {entity: Line, from: "lines[*]", key: [n]}}
              Line: {table: lines, fields: {n: int, tag: {ref: Tag, on_dangling: \(rule)}}}
            streams:
              - {name: customers, entity: Customer, path: customers.json, \(all)}
              - {name: tags, entity: Tag, path: tags.json, \(all)}
              - {name: orders, entity: Order, path: remote.json, \(all)}
            """)
        return shop
    }

    private func put(_ customers: String, orders: String, tags: String = "[]", _ shop: Workshop) throws {
        try shop.put(customers, as: "customers.json")
        try shop.put(tags, as: "tags.json")
        try shop.put(orders)
    }

    private func history(_ shop: Workshop, _ seed: UInt64, _ unwatched: String) throws {
        var random = SeededGenerator(seed: seed &* 31)
        func some(_ ids: ClosedRange<Int>) -> [Int] { ids.filter { _ in Int.random(in: 0..<3, using: &random) > 0 } }
        func list(_ ids: [Int]) -> String { "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]" }
        for step in 0..<5 {
            let orders = some(1...4).map { id in
                let (customer, tag) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...3, using: &random))
                let seller = Int.random(in: 1...3, using: &random)
                return
                    "{\"id\":\(id),\"c\":\(customer),\"s\":\(seller),\"tags\":[\(tag)],\"lines\":[{\"n\":1,\"tag\":\(tag)}]}"
            }
            try put(
                list(some(1...3)), orders: "[" + orders.joined(separator: ",") + "]", tags: list(some(1...3)), shop)
            let before = try step == 0 ? [] : broken(shop)
            let (report, _) = try shop.syncPlanned()
            #expect(report.status == .succeeded, "seed \(seed), step \(step): \(report.problems)")
            let new = try broken(shop).subtracting(before)
            #expect(new.isEmpty, "seed \(seed), step \(step)")
            for table in ["customers", "tags", "orders", "lines"] where Int.random(in: 0..<3, using: &random) == 0 {
                let column = table == "lines" ? "order_id" : "id"
                let id = Int.random(in: 1...3, using: &random)
                try shop.sql("\(unwatched)DELETE FROM \(table) WHERE \(column) = \(id)")
            }
            if !unwatched.isEmpty { try shop.sql("SET session_replication_role = origin") }
        }
    }

    /// The references that lead to nothing.
    private func broken(_ shop: Workshop) throws -> Set<String> {
        let places = [
            ("orders", "id", "customer_id", "customers"), ("orders", "id", "seller_id", "customers"),
            ("order_tags", "order_id", "tag_id", "tags"), ("order_tags", "tag_id", "order_id", "orders"),
            ("lines", "order_id", "tag_id", "tags"), ("lines", "n", "order_id", "orders"),
        ]
        var found: Set<String> = []
        for (table, key, column, target) in places {
            let rows = try shop.rows(
                """
                SELECT \(key), \(column) FROM \(table) WHERE \(column) IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM \(target) AS t WHERE t.id = \(table).\(column))
                """)
            found.formUnion(rows.map { "\(table) \($0)" })
        }
        return found
    }
}
