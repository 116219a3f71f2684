import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceSQLiteStore
import SluiceStore
import TestSupport
import Testing

/// Runs of one source, or of both, are taken back: the rows, and what each source is known to say.
@Suite("Undo in a table that two sources fill")
struct SharedUndoTests {
    private static let (a, b, c) = (
        TwoSourceTests.contact("a"), TwoSourceTests.contact("b"), TwoSourceTests.contact("c")
    )

    /// What is run, one step after the other; the last one is taken back.
    struct Life: Sendable, CustomTestStringConvertible {
        /// What is done by hand, what the sources say then, and which of them is read; nil for both.
        struct Step: Sendable {
            var hand = ""
            var crm: String?
            var billing: String?
            var stream: String?
        }

        let testDescription: String
        var precedence = ["crm", "billing"]
        var mode = DeleteRule.Mode.hard
        var policy: ConflictPolicy?
        var deletedWhen: String?
        let steps: [Step]
    }

    static let lives: [Life] = [
        Life(testDescription: "both insert", steps: [.init(crm: "[]", billing: "[]"), .init(crm: a, billing: b)]),
        Life(
            testDescription: "the second source comes, says the same",
            steps: [.init(crm: a, billing: a, stream: "crm"), .init(stream: "billing")]),
        Life(
            testDescription: "the second source comes and comes after",
            steps: [.init(crm: a, billing: b, stream: "crm"), .init(stream: "billing")]),
        Life(
            testDescription: "the first source comes and goes before",
            steps: [.init(crm: a, billing: b, stream: "billing"), .init(stream: "crm")]),
        Life(
            testDescription: "a disagreement without an order", precedence: [],
            steps: [.init(crm: a, billing: b, stream: "crm"), .init(stream: "billing")]),
        Life(
            testDescription: "a disagreement ends", precedence: [],
            steps: [
                .init(crm: a, billing: b, stream: "crm"), .init(stream: "billing"),
                .init(billing: a, stream: "billing"),
            ]),
        Life(testDescription: "one changes", steps: [.init(crm: a, billing: a), .init(crm: b)]),
        Life(testDescription: "both change", steps: [.init(crm: a, billing: a), .init(crm: b, billing: c)]),
        Life(
            testDescription: "gone from one, and the other takes over",
            steps: [.init(crm: a, billing: b), .init(crm: "[]")]),
        Life(
            testDescription: "gone from one alone",
            steps: [.init(crm: a, billing: b), .init(crm: "[]", stream: "crm")]),
        Life(testDescription: "gone from both", steps: [.init(crm: a, billing: b), .init(crm: "[]", billing: "[]")]),
        Life(
            testDescription: "gone from both, marked", mode: .soft,
            steps: [.init(crm: a, billing: b), .init(crm: "[]", billing: "[]")]),
        Life(
            testDescription: "gone from the last",
            steps: [.init(crm: a, billing: b), .init(crm: "[]"), .init(billing: "[]")]),
        Life(
            testDescription: "back at one",
            steps: [.init(crm: a, billing: b), .init(crm: "[]", billing: "[]"), .init(billing: c)]),
        Life(
            testDescription: "back at both, marked", mode: .soft,
            steps: [.init(crm: a, billing: b), .init(crm: "[]", billing: "[]"), .init(crm: c, billing: b)]),
        Life(
            testDescription: "deleted here, and the change of one brings it back", policy: .remoteWins,
            steps: [.init(crm: a, billing: b), .init(hand: "DELETE FROM contacts", billing: c)]),
        Life(
            testDescription: "deleted here, and the change of one is a conflict",
            steps: [.init(crm: a, billing: b), .init(hand: "DELETE FROM contacts", billing: c)]),
        Life(
            testDescription: "edited here, and gone from both",
            steps: [.init(crm: a, billing: b), .init(hand: TwoSourceTests.edit, crm: "[]", billing: "[]")]),
        Life(
            testDescription: "listed, and another source says that it is deleted", mode: .ignore, deletedWhen: ".gone",
            steps: [.init(crm: a, billing: "[]"), .init(billing: StatedDeletionTests.gone)]),
        Life(
            testDescription: "listed with news after another source said that it is deleted", mode: .ignore,
            deletedWhen: ".gone",
            steps: [.init(crm: a, billing: "[]"), .init(billing: StatedDeletionTests.gone), .init(crm: b)]),
    ]

    private func table(_ life: Life) throws -> SharedTable {
        let table = try SharedTable()
        // Without an order a pipeline of each source is what may say so.
        if life.precedence.isEmpty { table.pipelines["billing"] = "bank" }
        table.precedence = life.precedence
        table.mode = life.mode
        table.deletedWhen = life.deletedWhen
        table.rules = ConflictRules(fallback: life.policy)
        return table
    }

    private func perform(_ step: Life.Step, on table: SharedTable) throws {
        if !step.hand.isEmpty { try table.shop.sql(step.hand) }
        try table.put(step.crm, step.billing)
        let isOne = Set(table.pipelines.values).count == 1
        let all: [String?] = isOne ? [nil] : SharedTable.streams.map { $0 }
        for stream in step.stream.map({ [$0] }) ?? all {
            let (report, _) = try table.run(stream)
            #expect(report.status == .succeeded, "\(report.problems)")
        }
    }

    @Test("The last run is taken back, done again, and taken back again", arguments: lives)
    func roundTrip(_ life: Life) throws {
        let table = try table(life)
        for step in life.steps.dropLast() { try perform(step, on: table) }
        let last = try #require(life.steps.last)
        if !last.hand.isEmpty { try table.shop.sql(last.hand) }
        var undone = last
        undone.hand = ""
        let before = try table.shop.managed()
        let run = Int64(try table.shop.rows("SELECT max(id) FROM _sluice_runs")[0]) ?? 0
        try perform(undone, on: table)
        let after = try table.shop.managed()
        #expect(after != before)
        let open = try table.conflicts("open")
        let runs = try (Int64(table.shop.rows("SELECT max(id) FROM _sluice_runs")[0]) ?? 0) - run
        for number in stride(from: run + runs, to: run, by: -1) { try undo(number, table) }
        expect(try table.shop.managed(), before)
        // The undos are taken back as well, the last one first.
        for number in stride(from: run + 2 * runs, to: run + runs, by: -1) { try undo(number, table) }
        expect(try table.shop.managed(), after)
        for number in stride(from: run + runs, to: run, by: -1) { try undo(number, table) }
        expect(try table.shop.managed(), before)
        // The sources say the same again, and the same is done.
        try perform(undone, on: table)
        #expect(try table.rows == Self.rows(of: after, table))
        #expect(try table.conflicts("open") == open)
    }

    private func undo(_ run: Int64, _ table: SharedTable) throws {
        let (report, _) = try table.shop.undoPlanned(run)
        #expect(report.left == 0 && report.problems == [], "\(report)")
    }

    private func expect(_ found: [String: [String]], _ wanted: [String: [String]]) {
        for (name, rows) in wanted { #expect(found[name] ?? [] == rows, "\(name)") }
    }

    /// The rows as ``SharedTable/rows`` has them.
    private static func rows(of contents: [String: [String]], _ table: SharedTable) -> [String] {
        (contents["contacts"] ?? []).map { row in
            let parts = row.split(separator: "|").map { $0.replacing("'", with: "") }
            let isMarked = table.mode == .soft && parts.count > 3 && parts[3] != "NULL"
            return (isMarked ? "-" : "") + parts.prefix(3).joined(separator: "|")
        }
    }

    // MARK: What happened since

    @Test("The row of a run that inserted it stays where another source came to have it", arguments: ["a", "b"])
    func heldSince(_ email: String) throws {
        let table = try SharedTable()
        try table.put(Self.a, TwoSourceTests.contact(email))
        try table.run("crm")
        try table.run("billing")
        let before = try table.shop.managed()
        let (report, recorder) = try table.shop.undoPlanned(1)
        #expect(report.left == 1 && report.status == .partial)
        #expect(recorder.changes == [#"conflict held_elsewhere {"id":1}"#])
        expect(try table.shop.managed(), before)
        // The later run first, and all of it goes.
        try undo(2, table)
        try undo(1, table)
        #expect(try table.rows == [])
        #expect(try table.shop.managed().values.allSatisfy(\.isEmpty))
    }

    @Test("A row that came back stays where another source came to have it again")
    func heldAgainSince() throws {
        let table = try SharedTable()
        try table.put(Self.a, Self.a)
        try table.run()
        try table.put("[]", "[]")
        try table.run()
        try table.put(Self.a, nil)
        try table.run("crm")
        try table.put(nil, Self.a)
        try table.run("billing")
        let (report, _) = try table.shop.undoPlanned(3)
        #expect(report.left == 1)
        #expect(try table.rows == ["1|a|1"])
        #expect(try table.quiet() == [])
    }

    @Test("What was decided about a disagreement is taken back", arguments: [Resolution.local, .remote])
    func decided(_ resolution: Resolution) throws {
        let table = try SharedTable()
        table.precedence = []
        table.pipelines["billing"] = "bank"
        try table.put(Self.a, Self.b)
        try table.run("crm")
        try table.run("billing")
        let before = try table.shop.managed()
        do {
            let store = try SQLiteRecordStore(path: table.shop.store, mode: .settling)
            try store.begin()
            var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
            #expect(try ConflictResolver(store: store).carryOut(&decisions, who: "ada").ids == [3])
            try store.commit()
        }
        #expect(try table.quiet() == [])
        let runs = try table.shop.rows("SELECT max(id) FROM _sluice_runs")
        try undo(3, table)
        expect(try table.shop.managed(), before)
        #expect(try table.conflicts("open") == [#"billing disagreement email "a" "b" open with shop/crm"#])
        #expect(try table.quiet() == [], "after run \(runs)")
    }

    // MARK: Random lives

    @Test("The last run of a random life is taken back", arguments: 1...16)
    func random(_ seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed &* 77)
        let table = try SharedTable()
        table.mode = Bool.random(using: &chance) ? .soft : .hard
        table.rules = ConflictRules(fallback: [nil, .remoteWins, .localWins].randomElement(using: &chance) ?? nil)
        if Bool.random(using: &chance) {
            table.precedence = []
            table.pipelines["billing"] = "bank"
        }
        func says() -> String {
            let values = ["null", "\"a\"", "\"b\"", "\"c\""]
            let records = (1...4).compactMap { id -> String? in
                if Int.random(in: 0..<4, using: &chance) == 0 { return nil }
                let email = values.randomElement(using: &chance) ?? "null"
                return "{\"id\":\(id),\"email\":\(email),\"phone\":\"1\"}"
            }
            return "[" + records.joined(separator: ",") + "]"
        }
        for _ in 0..<3 {
            try table.put(says(), says())
            for stream in SharedTable.streams { try table.run(stream) }
            let id = Int.random(in: 1...4, using: &chance)
            let edits = [
                "UPDATE contacts SET email = 'mine' WHERE id = \(id)", "DELETE FROM contacts WHERE id = \(id)",
                "INSERT OR IGNORE INTO contacts (id, email) VALUES (\(id), 'new')",
            ]
            try table.shop.sql(edits.randomElement(using: &chance) ?? "")
        }
        try table.put(says(), says())
        let before = try table.shop.managed()
        let runs = try SharedTable.streams.compactMap { try table.run($0).report.run }
        let after = try table.shop.managed()
        for run in runs.reversed() { #expect(try table.shop.undoPlanned(run).report.left == 0, "seed \(seed)") }
        let found = try table.shop.managed()
        for (name, rows) in before { #expect(found[name] == rows, "seed \(seed), \(name)") }
        for stream in SharedTable.streams { try table.run(stream) }
        #expect(try table.shop.managed()["contacts"] == after["contacts"], "seed \(seed)")
    }

    /// A deletion that waited for a decision until another source said something new waits again, and says what it said: what people
    /// wrote beside that stays an edit.
    @Test func anAnsweredStatementWaitsAgain() throws {
        let shop = try Workshop()
        let gone = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        try shop.define(
            "shop",
            """
            merge: {precedence: [b, a, c]}
            entities:
              R: {table: r, primary_key: id, fields: {id: int, x: string, y: string}}
            streams:
              - {name: a, entity: R, path: a.json, \(gone)}
              - {name: b, entity: R, path: b.json, \(gone), deleted_when: ".del == true"}
              - {name: c, entity: R, path: c.json, \(gone)}
            """)
        try shop.put(#"[{"id":2,"x":"a","y":"a"}]"#, as: "a.json")
        try shop.put(#"[{"id":2,"x":"b","y":"b"}]"#, as: "b.json")
        try shop.put(#"[{"id":2,"x":null,"y":null}]"#, as: "c.json")
        _ = try shop.syncPlanned()
        try shop.sql("UPDATE r SET y = 'h'")
        try shop.put(#"[{"id":2,"x":"b","y":"b","del":true}]"#, as: "b.json")
        _ = try shop.syncPlanned()
        try shop.sql("UPDATE r SET x = 'a'")
        let before = try shop.managed()
        try shop.put(#"[{"id":2,"x":null,"y":"n"}]"#, as: "c.json")
        let (report, _) = try shop.syncPlanned()
        #expect(try shop.undoPlanned(#require(report.run)).report.left == 0)
        #expect(try shop.managed() == before)
    }
}
