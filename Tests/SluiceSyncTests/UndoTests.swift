import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import Testing

@Suite("Undo")
struct UndoTests {
    private static let first = #"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"x","b":"y"},{"id":3,"a":"x","b":"y"}]"#
    private static let second = #"[{"id":1,"a":"X","b":"y"},{"id":2,"a":"X","b":"Y"},{"id":4,"a":"x","b":"y"}]"#

    /// A shop after two runs: the second one updates 1 and 2, deletes 3 and inserts 4.
    private func shop(edit: String = "", unique: [[String]] = []) throws -> Workshop {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        shop.unique = unique
        try shop.put(Self.first)
        #expect(shop.sync().report.status == .succeeded)
        if !edit.isEmpty { try shop.sql(edit) }
        try shop.put(Self.second)
        #expect(shop.sync().report.status == .succeeded)
        return shop
    }

    private static let undone = ["1|'x'|'y'", "2|'x'|'y'", "3|'x'|'y'"]

    /// What is done between the run and its undo, what the table holds then, and what is told of what is left.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var edit = ""
        var remote: String?
        var items = UndoTests.undone
        var left: [String] = []
        var problems: [String] = []
    }

    static let cases = [
        Case(testDescription: "nothing"),
        Case(
            testDescription: "a field is edited", edit: "UPDATE items SET a = 'mine' WHERE id = 1",
            items: ["1|'mine'|'y'", "2|'x'|'y'", "3|'x'|'y'"],
            left: [#"conflict merge {"id":1} a:edit_edit("X" "mine" "x" "mine")"#]),
        Case(
            testDescription: "one of two fields is edited", edit: "UPDATE items SET a = 'mine' WHERE id = 2",
            items: ["1|'x'|'y'", "2|'mine'|'y'", "3|'x'|'y'"],
            left: [#"conflict merge {"id":2} a:edit_edit("X" "mine" "x" "mine") b:remote_update("Y" "Y" "y" "y")"#]),
        Case(
            testDescription: "another field is edited", edit: "UPDATE items SET b = 'mine' WHERE id = 1",
            items: ["1|'x'|'mine'", "2|'x'|'y'", "3|'x'|'y'"]),
        Case(testDescription: "a field is set back already", edit: "UPDATE items SET a = 'x' WHERE id = 1"),
        Case(
            testDescription: "an updated row is deleted", edit: "DELETE FROM items WHERE id = 1",
            items: ["2|'x'|'y'", "3|'x'|'y'"],
            left: [#"conflict delete_edit {"id":1} a:local_override("X" - "x" -)"#]),
        Case(
            testDescription: "an inserted row is edited", edit: "UPDATE items SET b = 'mine' WHERE id = 4",
            items: undone + ["4|'x'|'mine'"],
            left: [#"conflict edit_delete {"id":4} b:local_override("y" "mine" - "mine")"#]),
        Case(
            testDescription: "an inserted row is deleted", edit: "DELETE FROM items WHERE id = 4",
            problems: [#"deletion_forgotten {"id":4}"#]),
        Case(
            testDescription: "a deleted row is there again as it was",
            edit: "INSERT INTO items VALUES (3, 'x', 'y')"),
        Case(
            testDescription: "another row has the key of a deleted one", edit: "INSERT INTO items VALUES (3, 'x', 'z')",
            items: ["1|'x'|'y'", "2|'x'|'y'", "3|'x'|'z'"],
            left: [#"conflict adopt {"id":3} b:local_override(- "z" "y" "z")"#]),
        Case(
            testDescription: "a later run changes another field",
            remote: #"[{"id":1,"a":"X","b":"Z"},{"id":2,"a":"X","b":"Y"},{"id":4,"a":"x","b":"y"}]"#,
            items: ["1|'x'|'Z'", "2|'x'|'y'", "3|'x'|'y'"]),
        Case(
            testDescription: "a later run changes the same field",
            remote: #"[{"id":1,"a":"Q","b":"y"},{"id":2,"a":"X","b":"Y"},{"id":4,"a":"x","b":"y"}]"#,
            items: ["1|'Q'|'y'", "2|'x'|'y'", "3|'x'|'y'"],
            left: [#"conflict merge {"id":1} a:edit_edit("X" "Q" "x" "Q")"#]),
        Case(
            testDescription: "a later run changes an inserted row",
            remote: #"[{"id":1,"a":"X","b":"y"},{"id":2,"a":"X","b":"Y"},{"id":4,"a":"x","b":"Z"}]"#,
            items: undone + ["4|'x'|'Z'"], left: [#"conflict edit_delete {"id":4}"#]),
        Case(
            testDescription: "a later run deletes an inserted row",
            remote: #"[{"id":1,"a":"X","b":"y"},{"id":2,"a":"X","b":"Y"}]"#),
        Case(
            testDescription: "a later run brings a deleted row back",
            remote:
                #"[{"id":1,"a":"X","b":"y"},{"id":2,"a":"X","b":"Y"},{"id":3,"a":"q","b":"y"},{"id":4,"a":"x","b":"y"}]"#,
            items: ["1|'x'|'y'", "2|'x'|'y'", "3|'q'|'y'"],
            left: [#"conflict adopt {"id":3} a:local_override(- "q" "x" "q")"#]),
    ]

    @Test(arguments: cases) func whatWasTouchedSinceStays(_ item: Case) throws {
        let shop = try shop()
        if !item.edit.isEmpty { try shop.sql(item.edit) }
        if let remote = item.remote {
            try shop.put(remote)
            #expect(shop.sync().report.status == .succeeded)
        }
        let touched = try shop.items
        let undo = try shop.undoPlanned(2)
        #expect(try shop.items == item.items)
        #expect(undo.report.left == item.left.count)
        #expect(undo.report.status == (item.left.isEmpty ? .succeeded : .partial))
        let left = undo.recorder.changes.filter { $0.hasPrefix("conflict") }
        #expect(left == item.left)
        let problems = undo.report.problems.filter { $0.code == "deletion_forgotten" }.map { problem in
            "\(problem.code) \(problem.keys.joined(separator: " "))"
        }
        #expect(problems == item.problems)
        // And the undo is undone.
        let number = try #require(undo.report.run)
        #expect(try shop.undoPlanned(number).report.left == 0)
        #expect(try shop.items == touched)
    }

    /// A row that was there before the run and that people deleted since is named, as one that the run inserted is.
    @Test func aRowThatWasTakenOverAndDeletedSinceIsNamed() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned("[]")
        try shop.sql("INSERT INTO items (id, a, b) VALUES (1, 'x', 'y'), (2, 'x', 'y')")
        #expect(try shop.syncPlanned(Self.first).0.summary.text == "insert 1, unchanged 2")
        try shop.sql("DELETE FROM items WHERE id IN (1, 3)")
        let undo = try shop.undoPlanned(2)
        let named = undo.report.problems.filter { $0.code == "deletion_forgotten" }.flatMap(\.keys)
        #expect(named == [#"{"id":1}"#, #"{"id":3}"#])
    }

    @Test func theNextRunDoesTheSameAgain() throws {
        let shop = try shop(edit: "UPDATE items SET b = 'mine' WHERE id = 2")
        let after = try (shop.items, shop.bases, shop.conflicts)
        #expect(after.2 == ["edit_edit b \"y\" \"mine\" \"Y\" open 1"])
        let undo = try shop.undoPlanned(2)
        #expect(undo.report.withdrawnConflicts == [1])
        #expect(try shop.conflicts == [])
        #expect(undo.report.summary.text == "insert 1, update 2, delete 1")
        let (report, _) = try shop.syncPlanned()
        #expect(report.summary.text == "insert 1, update 1, delete 1, conflict 1")
        #expect(try (shop.items, shop.bases, shop.conflicts) == after)
        // Which is another run: the undone one stays undone.
        #expect(shop.undo(2).report.problems.map(\.code) == ["undone_already"])
        #expect(shop.undo(4).report.status == .succeeded)
    }

    @Test func aFirstRunLeavesEmptyTables() throws {
        let shop = try Workshop()
        try shop.put(Self.first)
        _ = shop.sync()
        let undo = try shop.undoPlanned(1)
        #expect(undo.report.summary.text == "delete 3")
        #expect(try shop.items == [] && shop.bases == [])
        #expect(try shop.undoPlanned(2).report.summary.text == "insert 3")
        #expect(try shop.items == Self.undone)
        #expect(try shop.quietRun(renewing: true).written == [])
        // What an undone undo had taken back can be taken back again.
        #expect(shop.undo(1).report.summary.text == "delete 3")
        #expect(
            try shop.rows("SELECT id, command, undoes, undone_by FROM _sluice_runs ORDER BY id") == [
                "1|'run'|NULL|6", "2|'undo'|1|3", "3|'undo'|2|NULL", "4|'run'|NULL|NULL", "5|'run'|NULL|NULL",
                "6|'undo'|1|NULL",
            ])
    }

    @Test func aRowThatWasAdoptedStays() throws {
        let shop = try Workshop()
        try shop.sql(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO items VALUES (1, 'x', NULL), (2, 'x', 'y'), (3, 'x', 'z')"
        )
        let before = try shop.items
        try shop.put(Self.first)
        _ = shop.sync()
        #expect(try shop.items == ["1|'x'|'y'", "2|'x'|'y'", "3|'x'|'z'"])
        let undo = try shop.undoPlanned(1)
        #expect(undo.report.status == .succeeded)
        #expect(try shop.items == before)
        #expect(try shop.bases == [] && shop.conflicts == [])
    }

    @Test func anAdoptedRowThatWasEditedSinceIsNotDeleted() throws {
        let shop = try Workshop()
        try shop.sql(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO items VALUES (1, 'x', NULL)")
        try shop.put(Self.first)
        _ = shop.sync()
        try shop.sql("UPDATE items SET b = 'mine' WHERE id = 1")
        let undo = try shop.undoPlanned(1)
        #expect(undo.report.left == 1)
        #expect(try shop.items == ["1|'x'|'mine'"])
    }

    @Test func columnsThatNoFieldFillsComeBack() throws {
        let shop = try shop(
            edit: "ALTER TABLE items ADD COLUMN remark ANY; UPDATE items SET remark = x'00FF' WHERE id = 3")
        _ = try shop.undoPlanned(2)
        #expect(try shop.items == ["1|'x'|'y'|NULL", "2|'x'|'y'|NULL", "3|'x'|'y'|x0,ff"])
    }

    @Test func aColumnThatIsGoneByNowIsLeftOut() throws {
        let shop = try shop(edit: "ALTER TABLE items ADD COLUMN remark ANY; UPDATE items SET remark = 1")
        try shop.sql("ALTER TABLE items DROP COLUMN remark")
        #expect(try shop.undoPlanned(2).report.status == .succeeded)
        #expect(try shop.items == Self.undone)
    }

    @Test func uniqueValuesSwapBack() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        shop.unique = [["a"]]
        try shop.put(#"[{"id":1,"a":"p"},{"id":2,"a":"q"},{"id":3,"a":"r"}]"#)
        _ = shop.sync()
        try shop.put(#"[{"id":1,"a":"q"},{"id":2,"a":"p"},{"id":4,"a":"r"}]"#)
        #expect(shop.sync().report.summary.text == "insert 1, update 2, delete 1")
        let after = try shop.managed()
        #expect(try shop.undoPlanned(2).report.summary.text == "insert 1, update 2, delete 1")
        #expect(try shop.items == ["1|'p'|NULL", "2|'q'|NULL", "3|'r'|NULL"])
        #expect(try shop.undoPlanned(3).report.left == 0)
        #expect(try shop.managed() == after)
    }

    @Test func aUniqueValueThatIsTakenByNowIsLeftAndSaid() throws {
        let shop = try shop(unique: [["b", "a"]])
        try shop.sql("DELETE FROM items; INSERT INTO items VALUES (1, 'X', 'y'), (9, 'x', 'y')")
        let undo = try shop.undoPlanned(2)
        #expect(undo.report.status == .partial)
        #expect(try shop.items.contains("1|'X'|'y'"))
        #expect(
            undo.report.problems.contains { $0.message.contains("are taken by {\"id\":9}") }, "\(undo.report.problems)")
    }

    @Test func aRowThatOthersReferToIsLeftAndSaid() throws {
        let shop = try shop()
        try shop.sql("CREATE TABLE lines (item INTEGER REFERENCES items); INSERT INTO lines VALUES (4)")
        let undo = try shop.undoPlanned(2)
        #expect(undo.report.left == 1)
        #expect(undo.report.problems.map(\.code) == ["left"])
        #expect(undo.report.problems.first?.keys == [#"{"id":4}"#] && undo.report.problems.first?.entity == "Item")
        #expect(try shop.items == Self.undone + ["4|'x'|'y'"])
    }

    /// It may have another name, and an undo that reached a part alone would be used up.
    @Test func aTableThatIsGoneStandsAgainstTheUndo() throws {
        let shop = try shop()
        try shop.sql("DROP TABLE items")
        for _ in 0..<2 {
            let undo = shop.undo(2)
            #expect(undo.report.status != .succeeded && undo.report.run == nil)
            #expect(undo.report.problems.first?.message.contains("The table of `Item` is missing") == true)
        }
    }

    @Test func aColumnThatIsNewSinceIsFilledAllTheSame() throws {
        let shop = try shop()
        shop.fields.append(try field("c"))
        try shop.put(
            #"[{"id":1,"a":"X","b":"y","c":"z"},{"id":2,"a":"X","b":"Y","c":"z"},{"id":4,"a":"x","b":"y","c":"z"}]"#)
        _ = shop.sync()
        let undo = try shop.undoPlanned(2)
        #expect(undo.report.left == 1, "the inserted one was changed since")
        #expect(try shop.items.prefix(3) == ["1|'x'|'y'|'z'", "2|'x'|'y'|'z'", "3|'x'|'y'|NULL"])
        _ = shop.sync()
        #expect(try shop.items == ["1|'X'|'y'|'z'", "2|'X'|'Y'|'z'", "4|'x'|'y'|'z'"])
    }

    @Test func aConflictThatWasClosedIsOpenAgain() throws {
        let shop = try shop(edit: "UPDATE items SET a = 'mine' WHERE id = 1")
        let open = try (shop.managed(), shop.conflicts)
        try shop.put(Self.second.replacing("\"X\",\"b\":\"y\"", with: "\"x\",\"b\":\"y\""))
        _ = shop.sync()
        #expect(try shop.conflicts == ["edit_edit a \"x\" \"mine\" \"X\" obsolete 1"])
        let undo = try shop.undoPlanned(3)
        #expect(undo.recorder.conflicts.map(\.status) == [.open])
        #expect(try shop.conflicts == open.1)
        #expect(try shop.managed() == open.0)
    }

    /// Without a base a conflict could neither be decided nor be brought up to date.
    @Test("A conflict that a later run changed closes where undo takes its record's base", arguments: [false, true])
    func aConflictWithoutABase(isOnPostgres: Bool) throws {
        let shop = try Workshop()
        if isOnPostgres { shop.database = try WorkshopSchema() }
        func managed() throws -> [String] {
            try shop.rows("SELECT id FROM \"_sluice_base_shop_items_Item\" ORDER BY id")
        }
        _ = try shop.syncPlanned(#"[{"id":2,"a":"x"}]"#)
        try shop.sql("INSERT INTO items (id, a) VALUES (1, 'mine')")
        let run = try #require(try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"x"}]"#).0.run)
        #expect(try shop.conflicts == [#"add_add a - "mine" "x" open 1"#])
        _ = try shop.syncPlanned(#"[{"id":1,"a":"y"},{"id":2,"a":"x"}]"#)
        let open = try shop.conflicts
        #expect(open == [#"add_add a - "mine" "y" open 2"#])
        let undo = try shop.undoPlanned(run)
        #expect(undo.report.status == .succeeded && undo.report.left == 0, "\(undo.report)")
        #expect(
            undo.report.problems.count { $0.message.hasPrefix("Conflict 1 has changed since, and was closed") } == 1)
        #expect(undo.recorder.conflicts.map(\.status) == [.obsolete])
        #expect(try managed() == ["2"])
        let closed = #"add_add a - "mine" "y" obsolete 2"#
        #expect(try shop.conflicts == [closed])
        // The undo can be taken back as well.
        let redo = try shop.undoPlanned(#require(undo.report.run))
        #expect(redo.report.status == .succeeded, "\(redo.report)")
        #expect(try managed() == ["1", "2"])
        #expect(try shop.conflicts == open)
        #expect(try shop.undoPlanned(#require(redo.report.run)).report.status == .succeeded)
        #expect(try shop.conflicts == [closed])
        // The next run meets the row as one that was there, and asks again.
        #expect(try shop.syncPlanned().0.status == .succeeded)
        #expect(try managed() == ["1", "2"])
        #expect(try shop.conflicts == [closed, #"add_add a - "mine" "y" open 1"#])
    }

    /// Who has written down a number must not find another conflict under it.
    @Test func theNumberOfAConflictThatIsGoneIsNotGivenAgain() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"}]"#)
        try shop.sql("UPDATE items SET a = 'mine'")
        func number() throws -> [String] { try shop.rows("SELECT id FROM _sluice_conflicts") }
        for expected in 1...3 {
            let run = try #require(try shop.syncPlanned(#"[{"id":1,"a":"y"}]"#).0.run)
            #expect(try number() == ["\(expected)"])
            #expect(try shop.undoPlanned(run).report.withdrawnConflicts == [Int64(expected)])
        }
        let run = try #require(shop.sync().report.run)
        let undo = try #require(shop.undo(run).report.run)
        _ = shop.undo(undo)
        #expect(try number() == ["4"])
    }

    @Test func aDecisionIsTakenBackAndWhatItDecidedIsLeftToTheRun() throws {
        let shop = try shop(edit: "UPDATE items SET a = 'mine' WHERE id = 1")
        let open = try shop.managed()
        do {
            let store = try SQLiteRecordStore(path: shop.store, mode: .settling)
            try store.begin()
            var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, .remote) }
            #expect(try ConflictResolver(store: store).carryOut(&decisions, who: "ada").ids == [3])
            try store.commit()
        }
        let decided = try shop.managed()
        #expect(try shop.items.first == "1|'X'|'y'")
        // The run that opened the conflict cannot take it back any more: what was decided stays.
        let run = shop.undo(2)
        #expect(run.report.left == 0 && run.report.leftEntries == 1, "\(run.report)")
        #expect(try shop.items == ["1|'X'|'y'", "2|'x'|'y'", "3|'x'|'y'"])
        #expect(shop.undo(4).report.status == .succeeded)
        #expect(try shop.managed() == decided)
        #expect(try shop.undoPlanned(3).report.summary.text == "update 1")
        #expect(try shop.managed() == open)
    }

    /// What the quarantine held before is kept nowhere, so an undo says that it has what the run read.
    @Test func aRecordThatWasInQuarantineBeforeIsTold() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("a", .int)])
        try shop.put(#"[{"id":1,"a":1},{"id":2,"a":"x"}]"#)
        _ = shop.sync()
        try shop.put(#"[{"id":1,"a":1},{"id":2,"a":"y"}]"#)
        _ = shop.sync()
        #expect(
            try shop.undoPlanned(2).report.problems.map(\.message) == [
                #"The quarantine keeps Item {"id":2} as run 2 read it. The next run that reads it renews this."#
            ])
        // What the first run put there is let go, which is all that there is to be told.
        #expect(
            try shop.undoPlanned(1).report.problems.map(\.message) == [
                "1 record that run 1 put in quarantine leaves it."
            ])
    }

    @Test func whatWasPutIntoQuarantineIsLetGoAndTheOtherWayRound() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("a", .int)])
        func quarantine() throws -> [String] { try shop.rows("SELECT status FROM _sluice_quarantine ORDER BY id") }
        try shop.put(#"[{"id":1,"a":1},{"id":2,"a":"x"}]"#)
        _ = shop.sync()
        try shop.put(#"[{"id":1,"a":1},{"id":2,"a":2}]"#)
        _ = shop.sync()
        #expect(try quarantine() == ["'closed'"])
        #expect(try shop.undoPlanned(2).report.summary.text == "delete 1")
        #expect(try quarantine() == ["'open'"])
        #expect(try shop.undoPlanned(1).report.summary.text == "delete 1")
        #expect(try quarantine() == ["'closed'"])
    }

    @Test func aRowThatWasMarkedAsDeletedIsMarkedNoLonger() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .soft, maximum: .percent(100)))
        try shop.put(Self.first)
        _ = shop.sync()
        let before = try shop.managed()
        try shop.put(Self.second)
        #expect(shop.sync().report.summary.text == "insert 1, update 2, delete 1")
        let after = try shop.managed()
        #expect(try shop.undoPlanned(2).report.left == 0)
        #expect(try shop.managed() == before)
        #expect(try shop.undoPlanned(3).report.left == 0)
        #expect(try shop.managed() == after)
    }

    @Test func aValueInClearIsKeptOnlyAsItsFieldAllows() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        shop.fields[1].redaction = .mask
        shop.rules = ConflictRules(fallback: .remoteWins)
        try shop.put(#"[{"id":1,"a":"first secret text","b":"y"},{"id":2,"a":"x","b":"y"}]"#)
        _ = shop.sync()
        try shop.sql("UPDATE items SET a = 'typed in clear'")
        try shop.put(#"[{"id":1,"a":"other secret words","b":"y"}]"#)
        #expect(shop.sync().report.summary.text == "update 1, delete 1")
        #expect(try shop.items == ["1|'***ords'|'y'"])
        let undo = try shop.undoPlanned(2)
        #expect(undo.report.left == 0)
        #expect(try shop.items == ["1|'***lear'|'y'", "2|'***lear'|'y'"])
        let kept = try shop.rows("SELECT old, new, hex(row) FROM _sluice_changes").joined()
        let clear = "typed in clear".utf8.map { String($0, radix: 16, uppercase: true) }.joined()
        #expect(!kept.contains("typed in clear") && !kept.contains(clear), "\(kept)")
        #expect(!"\(undo.recorder.changes)".contains("clear"), "only the end of it is shown")
    }

    @Test(
        "A run from before a field was redacted is taken back with what the source said",
        arguments: FieldRedaction.allCases, [3, 90])
    func runsFromBeforeRedaction(_ redaction: FieldRedaction, _ length: Int) throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        let (first, second) = (String(repeating: "A", count: length), String(repeating: "B", count: length))
        func kept(_ text: String) -> String {
            guard case .text(let bytes) = redaction.kept(FieldValue(text), comparison: .exact) else { return "NULL" }
            return "'\(String(decoding: bytes, as: UTF8.self))'"
        }
        try shop.put(#"[{"id":1,"a":"\#(first)","b":"y"},{"id":2,"a":"\#(first)","b":"y"}]"#)
        _ = shop.sync()
        try shop.put(#"[{"id":1,"a":"\#(second)","b":"y"}]"#)
        #expect(shop.sync().report.summary.text == "update 1, delete 1")
        shop.fields[1].redaction = redaction
        #expect(shop.sync().report.status == .succeeded)
        #expect(try shop.items == ["1|\(kept(second))|'y'"])
        let undo = try shop.undoPlanned(2)
        #expect(undo.report.left == 0, "\(undo.report)")
        #expect(try shop.items == ["1|\(kept(first))|'y'", "2|\(kept(first))|'y'"])
        // Nobody edited anything, and the next run does the same again.
        let again = shop.sync().report.summary.text
        #expect(again == (kept(first) == kept(second) ? "delete 1, unchanged 1" : "update 1, delete 1"))
        #expect(try shop.items == ["1|\(kept(second))|'y'"])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    // MARK: What cannot be undone

    @Test func aRunThatChangedNothingIsNoMatter() throws {
        let shop = try shop()
        _ = shop.sync()
        let undo = try shop.undoPlanned(3)
        #expect(undo.report.status == .succeeded && undo.report.run == nil)
        #expect(try shop.rows("SELECT count(*) FROM _sluice_runs") == ["3"])
    }

    @Test(arguments: [
        ("UPDATE _sluice_runs SET status = 'failed', changes = NULL", "nothing_to_undo"),
        ("UPDATE _sluice_runs SET changes = 'pruned'", "history_pruned"),
        ("UPDATE _sluice_runs SET changes = 'pruning'", "history_pruned"),
        ("UPDATE _sluice_runs SET changes = NULL", "no_history"),
        ("UPDATE _sluice_runs SET undone_by = 9", "undone_already"), ("DELETE FROM _sluice_runs", "unknown_run"),
    ])
    func whatCannotBeUndoneIsToldAndNothingHappens(_ sql: String, _ code: String) throws {
        let shop = try shop()
        try shop.sql(sql)
        let before = try shop.contents()
        for command in [RunReport.Command.plan, .run] {
            let report = shop.undo(2, command).report
            #expect(report.status == .failed && report.problems.map(\.code) == [code])
        }
        #expect(try shop.contents() == before)
    }

    @Test func aRunUnderWayIsWaitedForThenTold() throws {
        let shop = try shop()
        let isMerging = Recorder()
        var report: RunReport?
        isMerging.onProgress = { _ in if report == nil { report = shop.undo(2).report } }
        _ = shop.sync(recorder: isMerging)
        #expect(report?.status == .locked)
        #expect(try shop.items == ["1|'X'|'y'", "2|'X'|'Y'", "4|'x'|'y'"])
    }

    @Test func aChangeThatFailsInTheMiddleChangesNothing() throws {
        let shop = try shop()
        try shop.sql(
            "CREATE TRIGGER strict BEFORE DELETE ON items WHEN old.id = 4 BEGIN SELECT raise(ROLLBACK, 'no'); END")
        let before = try shop.contents()
        #expect(shop.undo(2).report.status == .failed)
        #expect(try shop.contents() == before)
    }
}
