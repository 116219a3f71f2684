import SluiceModel
import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// What stands within a stream's records is counted apart from them, by runs, decisions and undo alike.
@Suite("Records within others are counted apart")
struct CountedWithinTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Each table with those that it leads to, and the one that its records belong to.
        let tables: [(name: String, leads: [String], owner: String?)]
        var within: Set<String> = []
        let own: String?
    }

    static let cases = [
        Case(testDescription: "one table", tables: [("a", [], nil)], own: "a"),
        Case(testDescription: "no table", tables: [], own: nil),
        Case(testDescription: "a reference", tables: [("a", [], nil), ("b", ["a"], nil)], own: "b"),
        Case(testDescription: "children", tables: [("a", [], "b"), ("b", [], nil)], own: "b"),
        Case(
            testDescription: "a reference of a child of a child",
            tables: [("a", [], nil), ("b", ["a"], "c"), ("c", [], "d"), ("d", [], nil)], own: "d"),
        Case(testDescription: "a reference to itself", tables: [("a", ["a"], nil), ("b", ["a"], nil)], own: "b"),
        Case(testDescription: "a child that leads back", tables: [("a", ["b"], "b"), ("b", [], nil)], own: "b"),
        Case(
            testDescription: "tables that lead to each other", tables: [("a", ["b"], nil), ("b", ["a"], nil)],
            within: ["a"], own: "b"),
        Case(
            testDescription: "a table that nothing leads to any more",
            tables: [("a", [], nil), ("b", ["c"], nil), ("c", [], nil)], own: "b"),
    ]

    @Test(arguments: cases)
    func own(_ test: Case) {
        let schemas = test.tables.map { table in
            var schema = RecordSchema(
                pipeline: "p", stream: "s", entity: table.name, table: table.name, fields: [], keyFields: [])
            schema.references = table.leads.map {
                RecordReference(name: $0, fields: [], target: $0, targetColumns: [])
            }
            if let owner = table.owner {
                schema.references.append(
                    RecordReference(name: owner, fields: [], target: owner, targetColumns: [], onDangling: .owner))
            }
            return schema
        }
        #expect(StreamTables.own(of: schemas, within: test.within)?.entity == test.own)
    }

    private func source(_ value: String) -> String {
        #"[{"id":1,"title":"\#(value)","user":{"id":7,"name":"\#(value)"},"lines":[{"no":1,"text":"\#(value)"}]}]"#
    }

    /// The users stand within orders of one stream and are what another one lists.
    @Test("A run, a decision and the undo of either say the same numbers", arguments: StubEditTests.Store.allCases)
    func same(_ store: StubEditTests.Store) throws {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        try shop.define(
            "shop",
            """
            entities:
              Order:
                table: orders
                primary_key: id
                fields: {id: int, title: string, user: {ref: User}}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Line: {table: lines, fields: {no: int, text: string}}
              User: {table: users, primary_key: id, fields: {id: int, name: string}}
            streams:
              - {name: orders, entity: Order, path: orders.json}
              - {name: users, entity: User, path: users.json}
            """)
        func run(_ value: String) throws -> RunReport {
            try shop.put(source(value), as: "orders.json")
            try shop.put(#"[{"id":8,"name":"\#(value)"}]"#, as: "users.json")
            return try shop.syncPlanned().0
        }
        func numbers(_ report: RunReport) -> [String] {
            [report.summary.text] + report.entities.filter(\.value.hasWrites).map { "\($0): \($1.text)" }.sorted()
        }
        func numbers(_ run: Int64) throws -> [String] {
            let entry = try #require(try shop.open(.reading).runs.entry(id: run))
            return [RunSummary(entry).text] + entry.within.map { "\($0): \(RunSummary($1).text)" }.sorted()
        }
        _ = try run("a")
        let all = ["update 2", "Line: update 1", "User: update 1"]
        let changed = try run("b")
        #expect(numbers(changed) == all)
        #expect(numbers(try shop.undoPlanned(#require(changed.run)).report) == all)
        // Now all of it is in conflict.
        for statement in ["orders SET title = 'own'", "users SET name = 'own'", "lines SET text = 'own'"] {
            try shop.sql("UPDATE \(statement)")
        }
        #expect(try run("b").summary.text == "conflict 2")
        try HeldEditScene.decide(.remote, shop)
        let decided: Int64 = 5
        #expect(try numbers(decided) == all)
        let undone = try shop.undoPlanned(decided).report
        #expect(numbers(undone) == all)
        #expect(try numbers(#require(undone.run)) == all)
    }
}
