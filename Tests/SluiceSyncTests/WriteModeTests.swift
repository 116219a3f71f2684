import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// What `write_mode` makes of the same table and the same source.
@Suite("write_mode")
struct WriteModeTests {
    /// 1 unchanged, 2 edited here, 3 changed there, 4 edited and changed, 5 deleted here, 6 deleted here and changed,
    /// 7 gone, 8 gone and edited, 9 new, 10 new and here already, 11 here alone.
    private static let first =
        #"[{"id":1,"a":"1"},{"id":2,"a":"2"},{"id":3,"a":"3"},{"id":4,"a":"4","b":"b"},{"id":5,"a":"5"},{"id":6,"a":"6"},{"id":7,"a":"7"},{"id":8,"a":"8"}]"#
    private static let edits = """
        UPDATE items SET a = 'mine' WHERE id IN (2, 4, 8); DELETE FROM items WHERE id IN (5, 6);
        INSERT INTO items (id, a) VALUES (10, 'own'), (11, 'own')
        """
    private static let second =
        #"[{"id":1,"a":"1"},{"id":2,"a":"2"},{"id":3,"a":"new"},{"id":4,"a":"new","b":"bb"},{"id":5,"a":"5"},{"id":6,"a":"new"},{"id":9,"a":"9"},{"id":10,"a":"10","b":"x"}]"#

    struct Case: Sendable, CustomTestStringConvertible {
        let mode: WriteMode
        /// What becomes of records that are gone.
        var gone = DeleteRule.Mode.ignore
        let summary: String
        /// The rows as id and `a`, and `b` where it has a value.
        let items: String
        /// Kinds of changes by id.
        let changes: [String]
        var conflicts: [String] = []
        var quarantine: [String] = []
        var problems: [String] = []
        var again = ""
        var testDescription: String { "\(mode.rawValue), delete_missing: \(gone.rawValue)" }
    }

    static let cases = [
        Case(
            mode: .merge, gone: .hard, summary: "insert 1, update 1, delete 1, unchanged 3, conflict 4",
            items: "1:1 2:mine 3:new 4:mine:bb 8:mine 9:9 10:own:x 11:own",
            changes: [
                "3 update update", "4 conflict merge", "6 conflict delete_edit", "9 insert insert", "10 conflict adopt",
                "7 delete delete", "8 conflict edit_delete",
            ],
            conflicts: ["4 a edit_edit open", "6 * delete_edit open", "8 * edit_delete open", "10 a add_add open"],
            again: "unchanged 5, conflict 4"),
        Case(
            mode: .insertOnly, summary: "insert 1, unchanged 3, kept_local 4",
            items: "1:1 2:mine 3:3 4:mine:b 7:7 8:mine 9:9 10:own 11:own", changes: ["9 insert insert"],
            again: "unchanged 8"),
        Case(
            mode: .append, summary: "insert 1, unchanged 3, kept_local 3, quarantined 1",
            items: "1:1 2:mine 3:3 4:mine:b 7:7 8:mine 9:9 10:own 11:own", changes: ["9 insert insert"],
            quarantine: [#"{"id":10} key_taken"#], problems: ["changed_after_append"],
            again: "unchanged 7, quarantined 1"),
        Case(
            mode: .replace, gone: .hard, summary: "insert 3, update 4, delete 2, unchanged 1",
            items: "1:1 2:2 3:new 4:new:bb 5:5 6:new 9:9 10:10:x 11:own",
            changes: [
                "2 update update", "3 update update", "4 update update", "5 insert resurrect", "6 insert resurrect",
                "9 insert insert", "10 update adopt", "7 delete delete", "8 delete delete",
            ], again: "unchanged 8"),
        Case(
            mode: .replace, gone: .report, summary: "insert 3, update 4, unchanged 1",
            items: "1:1 2:2 3:new 4:new:bb 5:5 6:new 7:7 8:mine 9:9 10:10:x 11:own",
            changes: [
                "2 update update", "3 update update", "4 update update", "5 insert resurrect", "6 insert resurrect",
                "9 insert insert", "10 update adopt", "7 delete delete", "8 delete delete",
            ], again: "unchanged 8"),
    ]

    private func shop(_ mode: WriteMode, _ gone: DeleteRule.Mode) throws -> Workshop {
        let shop = try Workshop(rule: DeleteRule(mode: gone, maximum: .percent(100)))
        shop.adjust = { $0.streams[0].writeMode = mode }
        return shop
    }

    private func items(_ shop: Workshop) throws -> String {
        try shop.rows("SELECT id || ':' || a || coalesce(':' || b, '') FROM items ORDER BY id").map {
            String($0.dropFirst().dropLast())
        }.joined(separator: " ")
    }

    @Test("One table, one source, and each mode", arguments: cases)
    func modes(_ test: Case) throws {
        let shop = try shop(test.mode, test.gone)
        let (initial, _) = try shop.syncPlanned(Self.first)
        #expect(initial.summary.text == "insert 8")
        try shop.sql(Self.edits)
        let (report, recorder) = try shop.syncPlanned(Self.second)
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(report.summary.text == test.summary)
        #expect(try items(shop) == test.items)
        let changes = recorder.changes.map { change -> String in
            let words = change.split(separator: " ")
            return "\(words[2].dropFirst(6).dropLast()) \(words[0]) \(words[1])"
        }
        #expect(changes == test.changes)
        let open = try shop.rows(
            "SELECT json_extract(key, '$.id') || ' ' || coalesce(field, '*') || ' ' || kind || ' ' || status FROM _sluice_conflicts WHERE status = 'open' ORDER BY json_extract(key, '$.id')"
        ).map { String($0.dropFirst().dropLast()) }
        #expect(open == test.conflicts)
        #expect(recorder.quarantine.map { "\($0.key ?? "") \($0.reason)" } == test.quarantine)
        #expect(report.problems.map(\.code) == test.problems)
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == test.again)
        #expect(again.problems.isEmpty)
        #expect(!again.hasChanges || test.gone == .report)
        #expect(written == [])
    }

    @Test("replace reports each value that it overwrites")
    func lostValues() throws {
        let shop = try shop(.replace, .hard)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y"}]"#)
        try shop.sql("UPDATE items SET a = 'mine', b = NULL")
        let (report, recorder) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"z"}]"#)
        #expect(report.summary.text == "update 1")
        #expect(
            recorder.changes == [
                #"update update {"id":1} a:drift_overwritten("x" "mine" "x" "x") b:drift_overwritten("y" null "z" "z")"#
            ])
        #expect(try shop.conflicts == [])
        // What the source does not speak of stays.
        try shop.sql("UPDATE items SET b = 'mine'")
        let (silent, _) = try shop.syncPlanned(#"[{"id":1,"a":"x"}]"#)
        #expect(silent.summary.text == "unchanged 1")
        #expect(try shop.items == ["1|'x'|'mine'"])
    }

    @Test("replace reports what was edited in a row that goes", arguments: [WriteMode.replace, .merge])
    func lostRows(_ mode: WriteMode) throws {
        let shop = try shop(mode, .hard)
        shop.rules = ConflictRules(fallback: .remoteWins)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y"},{"id":2}]"#)
        try shop.sql("UPDATE items SET a = 'mine' WHERE id = 1")
        let (report, recorder) = try shop.syncPlanned(#"[{"id":2}]"#)
        #expect(report.summary.text == "delete 1, unchanged 1")
        let (kind, fieldClass) =
            mode == .replace ? ("delete", "drift_overwritten") : ("edit_delete", "local_override")
        #expect(recorder.changes.count == 1)
        #expect(recorder.changes[0].hasPrefix(#"delete \#(kind) {"id":1} "#), "\(recorder.changes)")
        #expect(recorder.changes[0].contains(#" a:\#(fieldClass)("x" "mine" - -)"#), "\(recorder.changes)")
    }

    @Test("replace deletes within the guards alone, and nothing after half a scan")
    func guards() throws {
        let shop = try shop(.replace, .hard)
        shop.rule.maximum = .percent(10)
        _ = try shop.syncPlanned(Self.first)
        let (refused, _) = try shop.syncPlanned(#"[{"id":1,"a":"new"}]"#)
        #expect(refused.status == .refused)
        #expect(refused.summary.text == "update 1")
        let (lost, _) = try shop.syncPlanned(#"[{"id":1,"a":"new"},{"a":"without a key"}]"#, allowing: 100)
        #expect(lost.problems.map(\.code) == ["incomplete_scan"])
        #expect(lost.summary.text == "unchanged 1, quarantined 1")
        let (allowed, _) = try shop.syncPlanned(#"[{"id":1,"a":"new"}]"#, allowing: 7)
        #expect(allowed.summary.text == "delete 7, unchanged 1")
    }

    @Test("A change of mode takes on what the mode before left", arguments: WriteMode.allCases)
    func changeOfMode(_ mode: WriteMode) throws {
        let shop = try shop(.merge, .ignore)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"y"}]"#)
        try shop.sql("UPDATE items SET a = 'mine'; DELETE FROM items WHERE id = 2")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"new"},{"id":2,"a":"new"}]"#)
        #expect(try shop.rows("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["2"])
        shop.adjust = { $0.streams[0].writeMode = mode }
        let (report, _) = try shop.syncPlanned()
        let expected: [WriteMode: (String, [String], [String])] = [
            .merge: ("conflict 2", ["1|'mine'|NULL"], ["'open'", "'open'"]),
            .insertOnly: ("kept_local 2", ["1|'mine'|NULL"], ["'auto'", "'auto'"]),
            .append: ("kept_local 2", ["1|'mine'|NULL"], ["'auto'", "'auto'"]),
            .replace: ("insert 1, update 1", ["1|'new'|NULL", "2|'new'|NULL"], ["'auto'", "'auto'"]),
        ]
        #expect(report.summary.text == expected[mode]?.0)
        #expect(try shop.items == expected[mode]?.1)
        #expect(try shop.rows("SELECT status FROM _sluice_conflicts ORDER BY id") == expected[mode]?.2)
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    @Test("append tells each distinct change once")
    func changesAfterAppend() throws {
        let shop = try shop(.append, .ignore)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"y"}]"#)
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"new"},{"id":2,"a":"new"},{"id":3,"a":"z"}]"#)
        #expect(report.summary.text == "insert 1, kept_local 2")
        #expect(
            report.problems.first?.message.hasPrefix(
                #"2 records of `items` changed after they were added, for example {"id":1}."#) == true)
        let (again, written) = try shop.quietRun()
        #expect(again.problems.isEmpty)
        #expect(again.summary.text == "unchanged 3")
        #expect(written == [])
        let (newer, _) = try shop.syncPlanned(#"[{"id":1,"a":"newer"},{"id":2,"a":"new"},{"id":3,"a":"z"}]"#)
        #expect(newer.problems.count == 1)
        #expect(try shop.rows("SELECT a FROM items ORDER BY id") == ["'x'", "'y'", "'z'"])
    }

    @Test("A unique value that is taken, in each mode", arguments: WriteMode.allCases)
    func uniqueValues(_ mode: WriteMode) throws {
        let shop = try shop(mode, .ignore)
        shop.unique = [["a"]]
        let (report, _) = try shop.syncPlanned(#"[{"id":2,"a":"x"},{"id":1,"a":"x"}]"#)
        #expect(report.summary.text == "insert 1, conflict 1")
        let (_, written) = try shop.quietRun()
        #expect(written == [])
        try shop.sql("UPDATE items SET a = 'free' WHERE id = 1")
        let (free, _) = try shop.syncPlanned()
        // `replace` puts the edit back first.
        #expect(free.summary.text == (mode == .replace ? "update 1, conflict 1" : "update 1, unchanged 1"))
        #expect(try shop.rows("SELECT id FROM items WHERE a = 'x'") == [mode == .replace ? "1" : "2"])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
    }
}
