import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// One step of a record's life and everything that it should leave behind.
struct Scenario: CustomTestStringConvertible, Sendable {
    let name: String
    var mode = DeleteRule.Mode.ignore
    var first = "[]"
    var local = ""
    let second: String
    let summary: String
    var status = RunReport.Status.succeeded
    let items: [String]
    let bases: [String]
    var conflicts: [String] = []
    var changes: [String]?
    /// What a third run counts, where it differs from an unchanged source.
    var again: String?

    var testDescription: String { name }
}

@Suite("One record: base, local and remote")
struct RowCaseTests {
    static let one = #"[{"id":1,"a":"x","b":"y"}]"#
    static let two = #"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"p","b":"q"}]"#
    static let onlyTwo = #"[{"id":2,"a":"p","b":"q"}]"#
    static let table = "CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT, mine TEXT);"
    static let localTomb =
        "DELETE FROM items WHERE id = 1; UPDATE _sluice_base_shop_items_Item SET state = 2 WHERE id = 1"

    static let scenarios = [
        Scenario(
            name: "r1 insert", second: one, summary: "insert 1", items: ["1|'x'|'y'"], bases: ["1 live a='x' b='y'"],
            changes: [#"insert insert {"id":1} id:fill(- - 1 1) a:fill(- - "x" "x") b:fill(- - "y" "y")"#]),
        Scenario(
            name: "r1 insert beside others", first: onlyTwo, second: two, summary: "insert 1, unchanged 1",
            items: ["1|'x'|'y'", "2|'p'|'q'"], bases: ["1 live a='x' b='y'", "2 live a='p' b='q'"]),
        Scenario(
            name: "r1 insert with absent and null keys", second: #"[{"id":1,"a":null}]"#, summary: "insert 1",
            items: ["1|NULL|NULL"], bases: ["1 live a=null b=∅"]),
        Scenario(
            name: "r5 unchanged", first: one, second: one, summary: "unchanged 1", items: ["1|'x'|'y'"],
            bases: ["1 live a='x' b='y'"], changes: []),
        Scenario(
            name: "r5 unchanged in other words", first: one, second: #"[ {"b":"\u0079", "new":5, "a":"x", "id":1.0} ]"#,
            summary: "unchanged 1", items: ["1|'x'|'y'"], bases: ["1 live a='x' b='y'"], changes: []),
        Scenario(
            name: "r6 update of what changed", first: one, second: #"[{"id":1,"a":"X","b":"y"}]"#, summary: "update 1",
            items: ["1|'X'|'y'"], bases: ["1 live a='X' b='y'"],
            changes: [#"update update {"id":1} a:remote_update("x" "x" "X" "X")"#]),
        Scenario(
            name: "r6 an absent key writes nothing", first: one, second: #"[{"id":1,"b":"Y"}]"#, summary: "update 1",
            items: ["1|'x'|'Y'"], bases: ["1 live a='x' b='Y'"]),
        Scenario(
            name: "r6 a null clears", first: one, second: #"[{"id":1,"a":null,"b":"y"}]"#, summary: "update 1",
            items: ["1|NULL|'y'"], bases: ["1 live a=null b='y'"]),
        Scenario(
            name: "r7 gone, hard", mode: .hard, first: two, second: onlyTwo, summary: "delete 1, unchanged 1",
            items: ["2|'p'|'q'"], bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"],
            changes: [
                #"delete delete {"id":1} id:unchanged(1 1 - -) a:unchanged("x" "x" - -) b:unchanged("y" "y" - -)"#
            ]),
        Scenario(
            name: "r7 gone, report", mode: .report, first: two, second: onlyTwo, summary: "unchanged 1",
            items: ["1|'x'|'y'", "2|'p'|'q'"], bases: ["1 live a='x' b='y'", "2 live a='p' b='q'"],
            changes: [
                #"delete delete {"id":1} id:unchanged(1 1 - -) a:unchanged("x" "x" - -) b:unchanged("y" "y" - -)"#
            ]),
        Scenario(
            name: "r14 gone, ignore", first: two, second: onlyTwo, summary: "unchanged 1",
            items: ["1|'x'|'y'", "2|'p'|'q'"], bases: ["1 live a='x' b='y'", "2 live a='p' b='q'"], changes: []),
        Scenario(
            name: "r8 a local edit stands", first: one, local: "UPDATE items SET a = 'mine'", second: one,
            summary: "unchanged 1", items: ["1|'mine'|'y'"], bases: ["1 live a='x' b='y'"], changes: []),
        Scenario(
            name: "r9 edits of different fields", first: one, local: "UPDATE items SET a = 'mine'",
            second: #"[{"id":1,"a":"x","b":"Y"}]"#, summary: "update 1", items: ["1|'mine'|'Y'"],
            bases: ["1 live a='x' b='Y'"],
            changes: [
                #"update merge {"id":1} a:local_override("x" "mine" "x" "mine") b:remote_update("y" "y" "Y" "Y")"#
            ]),
        Scenario(
            name: "r9 edits of one field", first: one, local: "UPDATE items SET a = 'mine'",
            second: #"[{"id":1,"a":"X","b":"Y"}]"#, summary: "conflict 1", items: ["1|'mine'|'Y'"],
            bases: ["1 live open a='x' b='Y'"], conflicts: [#"edit_edit a "x" "mine" "X" open 1"#], again: "conflict 1"),
        Scenario(
            name: "r9 the same edit on both sides", first: one, local: "UPDATE items SET a = 'X'",
            second: #"[{"id":1,"a":"X","b":"y"}]"#, summary: "unchanged 1", items: ["1|'X'|'y'"],
            bases: ["1 live a='X' b='y'"], changes: []),
        Scenario(
            name: "r10 gone but edited", mode: .hard, first: two, local: "UPDATE items SET a = 'mine' WHERE id = 1",
            second: onlyTwo, summary: "unchanged 1, conflict 1", items: ["1|'mine'|'y'", "2|'p'|'q'"],
            bases: ["1 live open a='x' b='y'", "2 live a='p' b='q'"],
            conflicts: [#"edit_delete * - {"id":1,"a":"mine","b":"y"} - open 1"#], again: "unchanged 1, conflict 1"),
        Scenario(
            name: "r11 deleted here, stays deleted", first: two, local: "DELETE FROM items WHERE id = 1", second: two,
            summary: "unchanged 2", items: ["2|'p'|'q'"], bases: ["1 live a='x' b='y'", "2 live a='p' b='q'"],
            changes: []),
        Scenario(
            name: "r11 all deleted here", first: one, local: "DELETE FROM items", second: one, summary: "unchanged 1",
            items: [], bases: ["1 live a='x' b='y'"], changes: []),
        Scenario(
            name: "r12 deleted here, changed there", first: one, local: "DELETE FROM items",
            second: #"[{"id":1,"a":"X","b":"y"}]"#, summary: "conflict 1", items: [],
            bases: ["1 live open a='x' b='y'"],
            conflicts: [#"delete_edit * - - {"id":1,"a":"X","b":"y"} open 1"#], again: "conflict 1"),
        Scenario(
            name: "r12 deleted here, changed there, with keys left out", first: one, local: "DELETE FROM items",
            second: #"[{"id":1,"a":"X"}]"#, summary: "conflict 1", items: [],
            bases: ["1 live open a='x' b='y'"],
            conflicts: [#"delete_edit * - - {"id":1,"a":"X","b":"y"} open 1"#], again: "conflict 1"),
        Scenario(
            name: "r12 an absent key is no change", first: one, local: "DELETE FROM items",
            second: #"[{"id":1,"b":"y"}]"#,
            summary: "unchanged 1", items: [], bases: ["1 live a='x' b='y'"]),
        Scenario(
            name: "r13 gone on both sides", mode: .hard, first: two, local: "DELETE FROM items WHERE id = 1",
            second: onlyTwo, summary: "unchanged 1", items: ["2|'p'|'q'"],
            bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"]),
        Scenario(
            name: "r19 a settled local delete", first: one, local: localTomb, second: one, summary: "unchanged 1",
            items: [],
            bases: ["1 localTombstone a='x' b='y'"], changes: []),
        Scenario(
            name: "r20 a settled local delete, changed there", first: one, local: localTomb,
            second: #"[{"id":1,"a":"X","b":"y"}]"#, summary: "conflict 1", items: [],
            bases: ["1 localTombstone open a='x' b='y'"],
            conflicts: [#"delete_edit * - - {"id":1,"a":"X","b":"y"} open 1"#], again: "conflict 1"),
        Scenario(
            name: "r21 a settled local delete, gone", mode: .hard, first: two, local: localTomb, second: onlyTwo,
            summary: "unchanged 1", items: ["2|'p'|'q'"],
            bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"]),
        Scenario(
            name: "r22 a settled local delete, taken back", first: one,
            local: localTomb + "; INSERT INTO items VALUES (1, 'x', 'mine')", second: #"[{"id":1,"a":"X","b":"y"}]"#,
            summary: "update 1", items: ["1|'X'|'mine'"], bases: ["1 live a='X' b='y'"]),
    ]

    @Test("Cases r1 to r22", arguments: scenarios)
    func scenario(_ scenario: Scenario) throws {
        let shop = try Workshop(rule: DeleteRule(mode: scenario.mode, maximum: .percent(100)))
        _ = try shop.syncPlanned(scenario.first)
        if !scenario.local.isEmpty { try shop.sql(scenario.local) }
        let (report, recorder) = try shop.syncPlanned(scenario.second)
        try check(scenario, shop, report, recorder)
    }

    static let adoptions = [
        Scenario(
            name: "r3 adopt an equal row", local: "INSERT INTO items VALUES (1, 'x', 'y', 'z')", second: one,
            summary: "unchanged 1", items: ["1|'x'|'y'|'z'"], bases: ["1 live a='x' b='y'"]),
        Scenario(
            name: "r3 adopt and fill", local: "INSERT INTO items VALUES (1, 'x', NULL, 'z')", second: one,
            summary: "update 1", items: ["1|'x'|'y'|'z'"], bases: ["1 live a='x' b='y'"]),
        Scenario(
            name: "r3 adopt, null does not erase", local: "INSERT INTO items VALUES (1, 'x', 'mine', NULL)",
            second: #"[{"id":1,"a":"x","b":null}]"#, summary: "kept_local 1", items: ["1|'x'|'mine'|NULL"],
            bases: ["1 live a='x' b=null"]),
        Scenario(
            name: "r3 adopt with a conflict", local: "INSERT INTO items VALUES (1, 'x', 'mine', NULL)", second: one,
            summary: "conflict 1", items: ["1|'x'|'mine'|NULL"], bases: ["1 live open a='x' b=∅"],
            conflicts: [#"add_add b - "mine" "y" open 1"#], again: "conflict 1"),
        Scenario(
            name: "r4 rows that were never managed stay", mode: .hard,
            local: "INSERT INTO items VALUES (7, 'own', 'own', 'own')",
            second: one, summary: "insert 1", items: ["1|'x'|'y'|NULL", "7|'own'|'own'|'own'"],
            bases: ["1 live a='x' b='y'"]),
    ]

    @Test("A table that was there before", arguments: adoptions)
    func adoption(_ scenario: Scenario) throws {
        let shop = try Workshop(rule: DeleteRule(mode: scenario.mode, maximum: .percent(100)))
        try shop.sql("PRAGMA journal_mode = WAL; " + Self.table + scenario.local)
        let (report, recorder) = try shop.syncPlanned(scenario.second)
        #expect(report.schemaChanges.map(\.kind) == [.adoptTable])
        try check(scenario, shop, report, recorder)
    }

    private func check(_ scenario: Scenario, _ shop: Workshop, _ report: RunReport, _ recorder: Recorder) throws {
        #expect(report.status == scenario.status)
        #expect(report.problems.filter { $0.severity != .note } == [])
        #expect(report.summary.text == scenario.summary)
        let items = try shop.items
        #expect(items == scenario.items)
        let bases = try shop.bases
        #expect(bases == scenario.bases)
        let conflicts = try shop.conflicts
        #expect(conflicts == scenario.conflicts)
        if let changes = scenario.changes { #expect(recorder.changes == changes) }
        let (again, written) = try shop.quietRun()
        #expect(written == [])
        let seen = again.summary
        if let expected = scenario.again {
            #expect(seen.text == expected)
        } else {
            #expect(seen.unchanged == again.streams[0].read)
            #expect(seen.insert + seen.update + seen.delete + seen.conflict == 0)
        }
    }

    @Test("r15 to r18: gone, and what happens then")
    func afterATombstone() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        _ = try shop.syncPlanned(Self.two)
        _ = try shop.syncPlanned(Self.onlyTwo)
        // r17: present again by hand, still gone there.
        try shop.sql("INSERT INTO items VALUES (1, 'own', 'own')")
        let (kept, _) = try shop.syncPlanned()
        #expect(kept.summary.text == "unchanged 1")
        var items = try shop.items
        #expect(items == ["1|'own'|'own'", "2|'p'|'q'"])
        // r18: present again on both sides is merged with what the tombstone remembers.
        try shop.sql("UPDATE items SET a = 'x', b = 'own' WHERE id = 1")
        let (adopted, _) = try shop.syncPlanned(#"[{"id":1,"a":"X","b":"y"},{"id":2,"a":"p","b":"q"}]"#)
        #expect(adopted.summary.text == "update 1, unchanged 1")
        items = try shop.items
        #expect(items == ["1|'X'|'own'", "2|'p'|'q'"])
        // r15: gone and back.
        try shop.sql("UPDATE items SET b = 'y' WHERE id = 1")
        let (deleted, _) = try shop.syncPlanned(Self.onlyTwo)
        #expect(deleted.summary.text == "delete 1, unchanged 1")
        let (back, recorder) = try shop.syncPlanned(#"[{"id":1,"b":"again"},{"id":2,"a":"p","b":"q"}]"#)
        #expect(back.summary.text == "insert 1, unchanged 1")
        #expect(recorder.changes.first?.hasPrefix("insert resurrect") == true)
        items = try shop.items
        #expect(items == ["1|NULL|'again'", "2|'p'|'q'"])
        let bases = try shop.bases
        #expect(bases == ["1 live a=∅ b='again'", "2 live a='p' b='q'"])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    @Test("The run that wrote a base first stays, the one that changed it last moves on")
    func runs() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(Self.two)
        _ = try shop.syncPlanned()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"X","b":"y"},{"id":2,"a":"p","b":"q"}]"#)
        let runs = try shop.rows("SELECT id, first_run, last_run FROM _sluice_base_shop_items_Item ORDER BY id")
        #expect(runs == ["1|1|3", "2|1|1"])
        let ledger = try shop.rows(
            "SELECT id, command, status, inserted, updated, unchanged FROM _sluice_runs ORDER BY id")
        #expect(ledger == ["1|'run'|'succeeded'|2|0|0", "2|'run'|'succeeded'|0|0|2", "3|'run'|'succeeded'|0|1|1"])
    }
}
