import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// What a record goes through in a store that marks rows as deleted.
struct MarkedLife: CustomTestStringConvertible, Sendable {
    /// What is done by hand, what the source says then, and what a run makes of it.
    struct Step: Sendable {
        var hand = ""
        let source: String
        let summary: String
        /// Rows as in `1|x|y`, with `-` in front of one that is marked as deleted.
        let rows: [String]
        let bases: [String]
        var conflicts: [String] = []
        /// The beginning of each change.
        var changes: [String]?
    }

    let name: String
    var policy: ConflictPolicy?
    let steps: [Step]
    var testDescription: String { name }
}

@Suite("Rows that are marked as deleted")
struct SoftDeleteTests {
    static let both = #"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"p","b":"q"}]"#
    static let second = #"[{"id":2,"a":"p","b":"q"}]"#
    static let changed = #"[{"id":1,"a":"X","b":"y"},{"id":2,"a":"p","b":"q"}]"#
    static let mark = "UPDATE items SET _deleted_at = 'yesterday' WHERE id = 1"
    static let unmark = "UPDATE items SET _deleted_at = NULL WHERE id = 1"
    static let edit = "UPDATE items SET a = 'mine' WHERE id = 1"
    static let settle = "UPDATE _sluice_base_shop_items_Item SET state = 2 WHERE id = 1"

    static let start = MarkedLife.Step(
        source: both, summary: "insert 2", rows: ["1|x|y", "2|p|q"],
        bases: ["1 live a='x' b='y'", "2 live a='p' b='q'"])
    static let gone = MarkedLife.Step(
        source: second, summary: "delete 1, unchanged 1", rows: ["-1|x|y", "2|p|q"],
        bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"], changes: [#"delete delete {"id":1} "#])

    static let lives = [
        MarkedLife(name: "r7: gone", steps: [start, gone]),
        MarkedLife(
            name: "r10: edited here, gone there, nobody decided",
            steps: [
                start,
                .init(
                    hand: edit, source: second, summary: "unchanged 1, conflict 1", rows: ["1|mine|y", "2|p|q"],
                    bases: ["1 live open a='x' b='y'", "2 live a='p' b='q'"],
                    conflicts: [#"edit_delete * - {"id":1,"a":"mine","b":"y"} - open 1"#],
                    changes: [#"conflict edit_delete {"id":1}"#]),
            ]),
        MarkedLife(
            name: "r10: the source decides", policy: .remoteWins,
            steps: [
                start,
                .init(
                    hand: edit, source: second, summary: "delete 1, unchanged 1", rows: ["-1|mine|y", "2|p|q"],
                    bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"],
                    conflicts: [#"edit_delete * - {"id":1,"a":"mine","b":"y"} - auto 1"#],
                    changes: [#"delete edit_delete {"id":1} "#]),
            ]),
        MarkedLife(
            name: "r10: the store decides", policy: .localWins,
            steps: [
                start,
                .init(
                    hand: edit, source: second, summary: "unchanged 1, kept_local 1", rows: ["1|mine|y", "2|p|q"],
                    bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"], changes: []),
            ]),
        MarkedLife(
            name: "r11: marked here, nothing new there",
            steps: [
                start,
                .init(
                    hand: mark, source: both, summary: "unchanged 2", rows: ["-1|x|y", "2|p|q"],
                    bases: ["1 live a='x' b='y'", "2 live a='p' b='q'"], changes: []),
            ]),
        MarkedLife(
            name: "r12: marked here, changed there, nobody decided",
            steps: [
                start,
                .init(
                    hand: mark, source: changed, summary: "unchanged 1, conflict 1", rows: ["-1|x|y", "2|p|q"],
                    bases: ["1 live open a='x' b='y'", "2 live a='p' b='q'"],
                    conflicts: [#"delete_edit * - - {"id":1,"a":"X","b":"y"} open 1"#],
                    changes: [#"conflict delete_edit {"id":1}"#]),
            ]),
        MarkedLife(
            name: "r12: the source decides", policy: .remoteWins,
            steps: [
                start,
                .init(
                    hand: mark, source: changed, summary: "insert 1, unchanged 1", rows: ["1|X|y", "2|p|q"],
                    bases: ["1 live a='X' b='y'", "2 live a='p' b='q'"],
                    conflicts: [#"delete_edit * - - {"id":1,"a":"X","b":"y"} auto 1"#],
                    changes: [#"insert delete_edit {"id":1} "#]),
            ]),
        MarkedLife(
            name: "r12: the store decides", policy: .localWins,
            steps: [
                start,
                .init(
                    hand: mark, source: changed, summary: "unchanged 1, kept_local 1", rows: ["-1|x|y", "2|p|q"],
                    bases: ["1 localTombstone a='X' b='y'", "2 live a='p' b='q'"], changes: []),
            ]),
        MarkedLife(
            name: "r13: marked here, gone there",
            steps: [
                start,
                .init(
                    hand: mark, source: second, summary: "unchanged 1", rows: ["-1|x|y", "2|p|q"],
                    bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"], changes: []),
            ]),
        MarkedLife(
            name: "r14: not seen by a scan that is not complete",
            steps: [
                start,
                .init(
                    source: #"[{"id":2,"a":"p","b":"q"},{"a":"who"}]"#, summary: "unchanged 1, quarantined 1",
                    rows: ["1|x|y", "2|p|q"], bases: ["1 live a='x' b='y'", "2 live a='p' b='q'"], changes: []),
            ]),
        MarkedLife(
            name: "r15: gone and back, which takes the source alone",
            steps: [
                start,
                .init(
                    hand: "UPDATE items SET b = 'mine' WHERE id = 2", source: "[]", summary: "delete 1, conflict 1",
                    rows: ["-1|x|y", "2|p|mine"],
                    bases: ["1 remoteTombstone a='x' b='y'", "2 live open a='p' b='q'"],
                    conflicts: [#"edit_delete * - {"id":2,"a":"p","b":"mine"} - open 1"#]),
                .init(
                    source: #"[{"id":1,"b":"again"}]"#, summary: "insert 1, conflict 1",
                    rows: ["1|NULL|again", "2|p|mine"],
                    bases: ["1 live a=∅ b='again'", "2 live open a='p' b='q'"],
                    conflicts: [#"edit_delete * - {"id":2,"a":"p","b":"mine"} - open 1"#],
                    changes: [#"insert resurrect {"id":1} "#]),
            ]),
        MarkedLife(
            name: "r15: marked by a run, deleted by hand, and back",
            steps: [
                start, gone,
                .init(
                    hand: "DELETE FROM items WHERE id = 1", source: changed, summary: "insert 1, unchanged 1",
                    rows: ["1|X|y", "2|p|q"], bases: ["1 live a='X' b='y'", "2 live a='p' b='q'"]),
            ]),
        MarkedLife(
            name: "r17: taken back here, still gone there",
            steps: [
                start, gone,
                .init(
                    hand: unmark + "; " + edit, source: second, summary: "unchanged 1", rows: ["1|mine|y", "2|p|q"],
                    bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"], changes: []),
            ]),
        MarkedLife(
            name: "r18: taken back here and back there: merged with what the tombstone remembers",
            steps: [
                start, gone,
                .init(
                    hand: unmark + "; UPDATE items SET b = 'mine' WHERE id = 1", source: changed,
                    summary: "update 1, unchanged 1", rows: ["1|X|mine", "2|p|q"],
                    bases: ["1 live a='X' b='y'", "2 live a='p' b='q'"], changes: [#"update adopt {"id":1} "#]),
            ]),
        MarkedLife(
            name: "r19: a settled deletion, nothing new there",
            steps: [
                start,
                .init(
                    hand: mark + "; " + settle, source: both, summary: "unchanged 2", rows: ["-1|x|y", "2|p|q"],
                    bases: ["1 localTombstone a='x' b='y'", "2 live a='p' b='q'"], changes: []),
            ]),
        MarkedLife(
            name: "r20: a settled deletion, changed there",
            steps: [
                start,
                .init(
                    hand: mark + "; " + settle, source: changed, summary: "unchanged 1, conflict 1",
                    rows: ["-1|x|y", "2|p|q"], bases: ["1 localTombstone open a='x' b='y'", "2 live a='p' b='q'"],
                    conflicts: [#"delete_edit * - - {"id":1,"a":"X","b":"y"} open 1"#]),
            ]),
        MarkedLife(
            name: "r21: a settled deletion, gone there",
            steps: [
                start,
                .init(
                    hand: mark + "; " + settle, source: second, summary: "unchanged 1", rows: ["-1|x|y", "2|p|q"],
                    bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"], changes: []),
            ]),
        MarkedLife(
            name: "r22: a settled deletion, taken back here",
            steps: [
                start,
                .init(
                    hand: mark + "; " + settle, source: both, summary: "unchanged 2", rows: ["-1|x|y", "2|p|q"],
                    bases: ["1 localTombstone a='x' b='y'", "2 live a='p' b='q'"]),
                .init(
                    hand: unmark + "; UPDATE items SET b = 'mine' WHERE id = 1", source: changed,
                    summary: "update 1, unchanged 1", rows: ["1|X|mine", "2|p|q"],
                    bases: ["1 live a='X' b='y'", "2 live a='p' b='q'"]),
            ]),
        MarkedLife(
            name: "r1: a marked row that was never managed",
            steps: [
                .init(
                    source: second, summary: "insert 1", rows: ["2|p|q"], bases: ["2 live a='p' b='q'"]),
                .init(
                    hand: "INSERT INTO items VALUES (1, 'old', 'old', '2001-01-01T00:00:00Z', NULL)", source: both,
                    summary: "insert 1, unchanged 1", rows: ["1|x|y", "2|p|q"],
                    bases: ["1 live a='x' b='y'", "2 live a='p' b='q'"], changes: [#"insert insert {"id":1} "#]),
            ]),
    ]

    @Test("A record's life", arguments: lives)
    func life(_ life: MarkedLife) throws {
        let shop = try Workshop(rule: DeleteRule(mode: .soft, maximum: .percent(100), minimumRecords: 0))
        shop.rules = ConflictRules(fallback: life.policy)
        for step in life.steps {
            if !step.hand.isEmpty { try shop.sql(step.hand) }
            let (report, recorder) = try shop.syncPlanned(step.source)
            #expect(report.status == .succeeded)
            #expect(report.summary.text == step.summary)
            #expect(try shop.marked == step.rows)
            #expect(try shop.bases == step.bases)
            #expect(try shop.conflicts == step.conflicts)
            if let changes = step.changes {
                #expect(recorder.changes.count == changes.count)
                #expect(zip(recorder.changes, changes).allSatisfy { $0.hasPrefix($1) }, "\(recorder.changes)")
            }
            let (_, written) = try shop.quietRun()
            #expect(written == [])
        }
        // Nothing that is there says when or by which run it was deleted, unless a hand left the run.
        let cleared = try shop.rows(
            "SELECT count(*) FROM items WHERE _deleted_at IS NULL AND _deleted_by_run IS NOT NULL")
        #expect(cleared == ["0"] || life.name.contains("taken back here"))
    }

    @Test("The mark says when, in UTC, and which run")
    func timeAndRun() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .soft, maximum: .percent(100)))
        _ = try shop.syncPlanned(Self.both)
        let (report, _) = try shop.syncPlanned(Self.second)
        let marks = try shop.rows("SELECT _deleted_at, _deleted_by_run FROM items WHERE id = 1")
        #expect(marks == ["'\(report.startedAt)'|2"])
        #expect(report.run == 2)
        #expect(report.startedAt.hasSuffix("Z"))
        // Columns of people are left as they are when the row comes back.
        try shop.sql("ALTER TABLE items ADD COLUMN note TEXT; UPDATE items SET note = 'keep' WHERE id = 1")
        _ = try shop.syncPlanned(Self.both)
        #expect(try shop.rows("SELECT * FROM items WHERE id = 1") == ["1|'x'|'y'|NULL|NULL|'keep'"])
    }

    @Test("A key of several columns, in another order than the fields, over several chunks")
    func compositeKeys() throws {
        let shop = try Workshop(
            fields: [try field("b"), try field("v", .int), try field("a", .int)],
            rule: DeleteRule(mode: .soft, maximum: .percent(100)))
        shop.key = ["a", "b"]
        func json(_ range: Range<Int>) -> String {
            "[" + range.map { "{\"a\":\($0 % 7),\"b\":\"k\($0)\",\"v\":\($0)}" }.joined(separator: ",") + "]"
        }
        _ = try shop.syncPlanned(json(0..<2500))
        let (report, _) = try shop.syncPlanned(json(1200..<2600))
        #expect(report.summary.text == "insert 100, delete 1200, unchanged 1300")
        let counts = "SELECT count(*), count(_deleted_at), min(v) FILTER (WHERE _deleted_at IS NULL) FROM items"
        #expect(try shop.rows(counts) == ["2600|1200|1200"])
        let (back, _) = try shop.syncPlanned(json(0..<2600))
        #expect(back.summary.text == "insert 1200, unchanged 1400")
        #expect(try shop.rows(counts) == ["2600|0|0"])
    }

    // MARK: Limits

    @Test("What may be deleted may be marked, and no more", arguments: DeleteTests.limits)
    func limit(_ limit: DeleteTests.Limit) throws {
        var rule = limit.rule
        rule.mode = .soft
        let shop = try Workshop(rule: rule)
        _ = try shop.syncPlanned(DeleteTests.records(1...10))
        let rest = limit.kept == 0 ? "[]" : DeleteTests.records(1...limit.kept)
        let (report, _) = try shop.syncPlanned(rest, allowing: limit.allowed)
        let gone = 10 - limit.kept
        #expect(report.status == (limit.isRefused ? .refused : .succeeded))
        #expect(report.summary.delete == (limit.isRefused ? 0 : gone))
        #expect(try shop.rows("SELECT count(_deleted_at) FROM items") == ["\(limit.isRefused ? 0 : gone)"])
        // Rows that were marked before do not count again.
        let (_, written) = try shop.quietRun(allowing: limit.allowed)
        #expect(written == [])
    }

    @Test("A row that a person added and marked is the same again after undo, also what only the table knows")
    func undoOfARowThatStartsAnew() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .soft, maximum: .percent(100)))
        _ = try shop.syncPlanned(Self.second)
        try shop.sql("ALTER TABLE items ADD COLUMN note TEXT")
        try shop.sql("INSERT INTO items (id, a, b, _deleted_at, note) VALUES (1, 'old', 'row', '2024-01-01', 'ours')")
        let row = "SELECT id, a, b, _deleted_at, note FROM items WHERE id = 1"
        let before = try shop.rows(row)
        let (report, _) = try shop.syncPlanned(Self.both)
        #expect(report.summary.text == "insert 1, unchanged 1")
        #expect(try shop.marked == ["1|x|y", "2|p|q"])
        #expect(try shop.undoPlanned(#require(report.run)).report.status == .succeeded)
        #expect(try shop.rows(row) == before)
        // It is met anew.
        let (again, _) = try shop.syncPlanned(Self.both)
        #expect(again.summary.text == "insert 1, unchanged 1")
    }

    // MARK: Schema

    @Test("A new table has both columns before anything is deleted")
    func created() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .soft))
        let (report, _) = try shop.syncPlanned("[]")
        #expect(
            report.schemaChanges.map(\.sql) == [
                #"CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "a" TEXT, "b" TEXT, "#
                    + #""_deleted_at" TEXT, "_deleted_by_run" INTEGER) STRICT"#
            ])
    }

    @Test("A table that was there before gets them, and so does one whose stream begins to mark")
    func adopted() throws {
        let added = [
            #"ALTER TABLE "items" ADD COLUMN "_deleted_at" TEXT"#,
            #"ALTER TABLE "items" ADD COLUMN "_deleted_by_run" INTEGER"#,
        ]
        let shop = try Workshop(rule: DeleteRule(mode: .soft, maximum: .percent(100)))
        try shop.sql("PRAGMA journal_mode = WAL; CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT)")
        let (adopted, _) = try shop.syncPlanned(Self.both)
        #expect(adopted.schemaChanges.map(\.kind) == [.adoptTable, .addColumn, .addColumn])
        #expect(adopted.schemaChanges.map(\.sql) == [""] + added)

        let other = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        _ = try other.syncPlanned(Self.both)
        other.rule.mode = .soft
        let (report, _) = try other.syncPlanned(Self.second)
        #expect(report.schemaChanges.map(\.sql) == added)
        #expect(try other.marked == ["-1|x|y", "2|p|q"])
        // Whoever marked a row: it is absent, also where rows are deleted now.
        other.rule.mode = .hard
        let (back, _) = try other.syncPlanned(Self.both)
        #expect(back.summary.text == "insert 1, unchanged 1")
        #expect(try other.marked == ["1|x|y", "2|p|q"])
        let (hard, _) = try other.syncPlanned(Self.second)
        #expect(hard.summary.text == "delete 1, unchanged 1")
        #expect(try other.marked == ["2|p|q"])
    }

    @Test("Any table that says when a row was deleted is believed")
    func foreignMark() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .ignore))
        try shop.sql(
            """
            PRAGMA journal_mode = WAL; CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT, _deleted_at TEXT);
            INSERT INTO items VALUES (1, 'old', 'old', 'once'), (2, 'p', 'q', NULL)
            """)
        let (report, _) = try shop.syncPlanned(Self.both)
        #expect(report.summary.text == "insert 1, unchanged 1")
        #expect(try shop.items == ["1|'x'|'y'|NULL", "2|'p'|'q'|NULL"])
        try shop.sql(Self.mark)
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 2")
        #expect(written == [])
    }

    @Test(
        "Columns of another make are named, not used",
        arguments: [
            ("_deleted_at INTEGER", "column `_deleted_at` is INTEGER, and `delete_missing: soft` needs TEXT"),
            ("_deleted_by_run TEXT", "column `_deleted_by_run` is TEXT, and `delete_missing: soft` needs INTEGER"),
            ("_deleted_at TEXT NOT NULL DEFAULT ''", "column `_deleted_at` is NOT NULL"),
        ])
    func unfit(_ column: String, _ message: String) throws {
        let shop = try Workshop(rule: DeleteRule(mode: .soft))
        try shop.sql(
            "PRAGMA journal_mode = WAL; CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT, \(column))")
        let (report, _) = try shop.syncPlanned(Self.both)
        #expect(report.status == .refused)
        #expect(report.problems.first?.message.contains(message) == true, "\(report.problems)")
    }

    @Test("A marked row gives up its unique values, and takes them back only if they are free")
    func uniqueValues() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .soft, maximum: .percent(100)))
        shop.unique = [["a"]]
        let (first, _) = try shop.syncPlanned(Self.both)
        #expect(first.schemaChanges.last?.sql.hasSuffix(#"("a") WHERE "_deleted_at" IS NULL"#) == true)
        // The successor comes in the very run that misses its predecessor.
        let moved = #"[{"id":2,"a":"p","b":"q"},{"id":3,"a":"x","b":"z"}]"#
        let (report, _) = try shop.syncPlanned(moved)
        #expect(report.summary.text == "insert 1, delete 1, unchanged 1")
        #expect(try shop.marked == ["-1|x|y", "2|p|q", "3|x|z"])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
        // Back with a value that another row has by now.
        let (back, recorder) = try shop.syncPlanned(moved.dropLast() + #",{"id":1,"a":"x","b":"y"}]"#)
        #expect(back.summary.text == "unchanged 2, conflict 1")
        #expect(recorder.conflicts.map(\.note) == [#"taken by {"id":3}"#])
        #expect(try shop.marked == ["1|NULL|y", "2|p|q", "3|x|z"])
        // A stream that deletes finds the same index enough.
        shop.rule.mode = .hard
        let (hard, _) = try shop.syncPlanned(moved)
        #expect(hard.schemaChanges == [])
        #expect(hard.status == .succeeded)
    }
}

extension Workshop {
    /// The rows as in `1|x|y`, with `-` in front of one that is marked as deleted.
    var marked: [String] {
        get throws {
            let columns = try rows("SELECT count(*) FROM pragma_table_info('items') WHERE name = '_deleted_at'")
            let mark = columns == ["0"] ? "''" : "CASE WHEN _deleted_at IS NULL THEN '' ELSE '-' END"
            return try rows(
                """
                SELECT \(mark) || id || '|' || coalesce(a, 'NULL') || '|' || coalesce(b, 'NULL') FROM items ORDER BY id
                """
            ).map { String($0.dropFirst().dropLast()) }
        }
    }
}
