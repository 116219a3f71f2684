import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import TestSupport
import Testing

/// Runs of invented sources over invented tables, in several orders.
@Suite("Unique values in any order of the source")
struct UniquePropertyTests {
    private struct State: Equatable {
        var items: [String]
        var bases: [String]
        var conflicts: [String]
        var quarantine: [String]
        var summary: String
    }

    private func state(_ shop: Workshop, _ report: RunReport) throws -> State {
        State(
            items: try shop.items, bases: try shop.bases,
            conflicts: try shop.rows(
                "SELECT key, field, kind, base, local, remote, status, note FROM _sluice_conflicts ORDER BY 1, 2, 3, 6"),
            quarantine: try shop.rows("SELECT key, reason, message, record, status FROM _sluice_quarantine ORDER BY 1"),
            summary: report.summary.text)
    }

    private func records(_ random: inout SeededGenerator, keys: Range<Int>, values: [String]) -> [String] {
        keys.compactMap { id in
            if random.chance(15) { return nil }
            let a = random.chance(10) ? "null" : "\"\(random.pick(values))\""
            let c = random.chance(20) ? "" : ",\"c\":\"\(random.pick(values))\""
            return "{\"id\":\(id),\"a\":\(a),\"b\":\"\(Int.random(in: 0..<3, using: &random))\"\(c)}"
        }
    }

    @Test("The same rows, base, conflicts and counts; a second run is quiet", arguments: Seeds.first(8))
    func anyOrder(_ seed: UInt64) throws { try anyOrder(seed) { _ in } }

    @Test("The same on PostgreSQL", arguments: Seeds.first(2))
    func anyOrderOnPostgres(_ seed: UInt64) throws { try anyOrder(seed) { $0.database = try WorkshopSchema() } }

    private func anyOrder(_ seed: UInt64, _ adjust: (Workshop) throws -> Void) throws {
        var random = SeededGenerator(seed: seed)
        let values = Array("abcdefghij".map(String.init).prefix(Int.random(in: 3...10, using: &random)))
        let groups = random.pick([
            [["a"]], [["a"], ["c"]], [["a", "c"]], [["a", "b"], ["c"]], [["a", "b"], ["b", "c"]],
            [["a"], ["b", "c"]],
        ])
        let isStrict = random.chance(25)
        let source = "[" + records(&random, keys: 0..<12, values: values).joined(separator: ",") + "]"
        let edits = (0..<3).map { _ in
            "UPDATE items SET \(random.pick(["a", "c"])) = '\(random.pick(values))' WHERE id = \(Int.random(in: 0..<12, using: &random))"
        }
        // A store after a first run and some edits, each time the same.
        func shop() throws -> Workshop {
            let shop = try Workshop(
                fields: [try field("id", .int), try field("a"), try field("b"), try field("c")],
                rule: DeleteRule(mode: .hard, maximum: .percent(100)))
            try adjust(shop)
            shop.unique = groups
            if isStrict { try createStrictTable(shop) }
            try shop.put(source)
            let first = shop.sync()
            try #require(first.report.status == .succeeded, "seed \(seed): \(first.report.problems)")
            // What another row has is not taken.
            for edit in edits { try? shop.sql(edit) }
            return shop
        }
        let second = records(&random, keys: 0..<16, values: values + (random.chance(30) ? ["A", "B"] : []))
        var expected: State?
        for attempt in 0..<4 {
            let copy = try shop()
            let order = attempt == 0 ? second : second.shuffled(using: &random)
            let (report, _) = try copy.syncPlanned("[" + order.joined(separator: ",") + "]")
            #expect(report.status == .succeeded, "seed \(seed): \(report.problems)")
            let found = try state(copy, report)
            // Where every value may be null, a record can always be written without those that are taken.
            if !isStrict { #expect(found.quarantine == [], "seed \(seed), attempt \(attempt)") }
            if let expected { #expect(found == expected, "seed \(seed), attempt \(attempt)") }
            expected = expected ?? found
            let (again, written) = try copy.quietRun()
            #expect(written == [], "seed \(seed), attempt \(attempt)")
            #expect(!again.hasChanges, "seed \(seed), attempt \(attempt)")
            // Also when it comes in yet another order.
            try copy.put("[" + second.shuffled(using: &random).joined(separator: ",") + "]")
            let (_, shuffled) = try copy.quietRun()
            #expect(shuffled == [], "seed \(seed), attempt \(attempt)")
        }
        let undone = try shop()
        let before = try undone.managed()
        _ = try undone.syncPlanned("[" + second.joined(separator: ",") + "]")
        let after = try undone.managed()
        if after == before { return }
        let undo = try undone.undoPlanned(2)
        #expect(undo.report.status == .succeeded, "seed \(seed): \(undo.report.problems)")
        try expect(undone.managed(), before, "undo, seed \(seed)")
        _ = try undone.undoPlanned(3)
        try expect(undone.managed(), after, "undo of undo, seed \(seed)")
    }

    /// Items whose last text may not be null.
    private func createStrictTable(_ shop: Workshop) throws {
        if let schema = shop.database as? WorkshopSchema {
            try shop.sql(
                "CREATE SCHEMA \(schema.place.schema); CREATE TABLE items (id bigint PRIMARY KEY, a text, b text, c text NOT NULL DEFAULT '')"
            )
        } else {
            try shop.sql(
                "CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, b TEXT, c TEXT NOT NULL DEFAULT '')"
            )
        }
    }

    private func expect(_ found: [String: [String]], _ wanted: [String: [String]], _ place: Comment) throws {
        for (table, rows) in wanted { #expect(found[table] == rows, "\(table): \(place)") }
    }
}
