import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Values that must be unique and that several records have.
@Suite("Unique collisions over several runs")
struct UniqueCollisionTests {
    private func shop(_ fields: [FieldDefinition]? = nil) throws -> Workshop {
        let shop = try Workshop(fields: fields, rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        shop.unique = [["a"]]
        return shop
    }

    private func notes(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT key || ' ' || note || ' ' || policy || ' ' || status FROM _sluice_conflicts ORDER BY id")
    }

    @Test("A new record is written without the value that is taken, which it gets when it is free")
    func newRecord() throws {
        let shop = try shop()
        let both = #"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"x","b":"2"}]"#
        let (first, recorder) = try shop.syncPlanned(both)
        #expect(first.summary.text == "insert 1, conflict 1")
        var items = try shop.items
        #expect(items == ["1|'x'|'1'", "2|NULL|'2'"])
        #expect(
            recorder.changes == [
                #"insert insert {"id":1} id:fill(- - 1 1) a:fill(- - "x" "x") b:fill(- - "1" "1")"#,
                #"conflict insert {"id":2} id:fill(- - 2 2) a:unique_collision(- - "x" null) b:fill(- - "2" "2")"#,
            ])
        #expect(try shop.conflicts == [#"unique_collision a - null "x" open 1"#])
        #expect(try notes(shop) == [#"'{"id":2} taken by {"id":1} manual open'"#])
        #expect(try shop.bases == ["1 live a='x' b='1'", "2 live open a=∅ b='2'"])
        let (again, quiet) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1, conflict 1")
        #expect(!again.hasChanges)
        #expect(quiet == [])
        // Other fields go on.
        let (other, _) = try shop.syncPlanned(both.replacing("\"2\"}", with: "\"two\"}"))
        #expect(other.summary.text == "unchanged 1, conflict 1")
        items = try shop.items
        #expect(items == ["1|'x'|'1'", "2|NULL|'two'"])
        // The holder is edited by hand, so that the value is free.
        try shop.sql("UPDATE items SET a = 'mine' WHERE id = 1")
        let (free, told) = try shop.syncPlanned(both.replacing("\"2\"}", with: "\"two\"}"))
        #expect(free.summary.text == "update 1, unchanged 1")
        #expect(told.changes == [#"update update {"id":2} a:fill(- null "x" "x")"#])
        items = try shop.items
        #expect(items == ["1|'mine'|'1'", "2|'x'|'two'"])
        #expect(try shop.conflicts == [#"unique_collision a - null "x" converged 1"#])
        let (_, settled) = try shop.quietRun()
        #expect(settled == [])
    }

    @Test("A new record whose required value is taken waits in quarantine, and is taken when the value is free")
    func newRecordThatNeedsTheValue() throws {
        let shop = try Workshop(
            fields: [try field("id", .int), try field("a", required: true), try field("b")])
        shop.unique = [["a"]]
        let both = #"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"x","b":"2"}]"#
        let (first, _) = try shop.syncPlanned(both)
        #expect(first.summary.text == "insert 1, quarantined 1")
        #expect(try shop.items == ["1|'x'|'1'"])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
        // A row that is there keeps the value that it has.
        let (_, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"y","b":"2"}]"#)
        let (held, _) = try shop.syncPlanned(both)
        #expect(held.summary.conflict == 1)
        #expect(try shop.items == ["1|'x'|'1'", "2|'y'|'2'"])
        let (_, _) = try shop.syncPlanned(#"[{"id":1,"a":"z","b":"1"},{"id":2,"a":"x","b":"2"}]"#)
        #expect(try shop.items == ["1|'z'|'1'", "2|'x'|'2'"])
        #expect(try shop.rows("SELECT count(*) FROM _sluice_quarantine WHERE status = 'open'") == ["0"])
    }

    @Test("Of two groups only the one that is taken is held")
    func twoGroups() throws {
        let shop = try Workshop(
            fields: [try field("id", .int), try field("k"), try field("x", .int), try field("y", .int)])
        shop.unique = [["k"], ["x", "y"]]
        func records(_ all: (id: Int, k: Int, x: Int, y: Int)...) -> String {
            "[" + all.map { #"{"id":\#($0.id),"k":"k\#($0.k)","x":\#($0.x),"y":\#($0.y)}"# }.joined(separator: ",")
                + "]"
        }
        _ = try shop.syncPlanned(records((8, 0, 0, 1), (1, 9, 1, 0)))
        let (report, _) = try shop.syncPlanned(records((3, 0, 1, 0), (8, 9, 0, 2), (0, 0, 2, 2), (1, 0, 3, 2)))
        #expect(report.summary.text == "conflict 4")
        #expect(try shop.items == ["0|NULL|2|2", "1|'k9'|3|2", "3|NULL|1|0", "8|'k0'|0|2"])
        #expect(try shop.rows("SELECT DISTINCT field FROM _sluice_conflicts") == ["'k'"])
        #expect(try shop.rows("SELECT * FROM _sluice_quarantine") == [])
        #expect(try shop.quietRun().written == [])
    }

    @Test("A changed record keeps its old value, and takes another one that is free")
    func changedRecord() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"y","b":"2"}]"#)
        let (held, recorder) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"x","b":"two"}]"#)
        #expect(held.summary.text == "unchanged 1, conflict 1")
        #expect(
            recorder.changes == [
                #"conflict update {"id":2} a:unique_collision("y" "y" "x" "y") b:remote_update("2" "2" "two" "two")"#
            ])
        #expect(try shop.items == ["1|'x'|'1'", "2|'y'|'two'"])
        #expect(try shop.bases == ["1 live a='x' b='1'", "2 live open a='y' b='two'"])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
        // The source wants another value that is taken, then one that is free.
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"w","b":"two"},{"id":3,"a":"w"}]"#)
        #expect(
            try shop.conflicts == [
                #"unique_collision a "y" "y" "x" converged 1"#, #"unique_collision a - null "w" open 1"#,
            ])
        #expect(try shop.items == ["1|'x'|'1'", "2|'w'|'two'", "3|NULL|NULL"])
        // And what the source takes back was never in the way.
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"w","b":"two"},{"id":3,"a":null}]"#)
        #expect(try shop.conflicts.last == #"unique_collision a - null "w" converged 1"#)
        #expect(try shop.bases.last == "3 live a=null b=∅")
    }

    @Test("A value that goes back to the base closes its conflict, and an absent key leaves it open")
    func takenBack() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"y"}]"#)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"x"}]"#)
        let (absent, _) = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"b":"b"}]"#)
        #expect(absent.summary.text == "unchanged 1, conflict 1")
        #expect(try shop.conflicts == [#"unique_collision a "y" "y" "x" open 1"#])
        let (back, _) = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"y","b":"b"}]"#)
        #expect(back.summary.text == "unchanged 2")
        #expect(try shop.conflicts == [#"unique_collision a "y" "y" "x" converged 1"#])
    }

    @Test("An edit makes it a conflict of another kind; a record that is gone or deleted here ends it")
    func otherEnds() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"y"},{"id":3,"a":"z"}]"#)
        let wanted = #"[{"id":1,"a":"x"},{"id":2,"a":"x"},{"id":3,"a":"x"}]"#
        _ = try shop.syncPlanned(wanted)
        try shop.sql("UPDATE items SET a = 'mine' WHERE id = 2; DELETE FROM items WHERE id = 3")
        _ = try shop.syncPlanned(wanted)
        #expect(
            try shop.conflicts == [
                #"edit_edit a "y" "mine" "x" open 2"#, #"unique_collision a "z" "z" "x" obsolete 1"#,
                #"delete_edit * - - {"id":3,"a":"x"} open 1"#,
            ])
        #expect(try shop.rows("SELECT note IS NULL FROM _sluice_conflicts WHERE kind = 'edit_edit'") == ["1"])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
        let (gone, _) = try shop.syncPlanned(#"[{"id":1,"a":"x"}]"#)
        #expect(gone.summary.text == "unchanged 1, conflict 1")
        #expect(try shop.items == ["1|'x'|NULL", "2|'mine'|NULL"])
    }

    @Test("A record that is gone gives its conflict up")
    func gone() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"x"}]"#)
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x"}]"#)
        #expect(report.summary.text == "delete 1, unchanged 1")
        #expect(try shop.conflicts == [#"unique_collision a - null "x" obsolete 1"#])
    }

    @Test("Beside a conflict of another field, and under a policy that would overwrite", arguments: [true, false])
    func besideConflicts(_ remoteWins: Bool) throws {
        let shop = try shop()
        if remoteWins { shop.adjust = { $0.entities[0].conflictRules.fallback = .remoteWins } }
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"y","b":"2"}]"#)
        try shop.sql("UPDATE items SET a = 'own', b = 'mine' WHERE id = 2")
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"x","b":"two"}]"#)
        #expect(report.summary.text == "unchanged 1, conflict 1")
        if remoteWins {
            #expect(try shop.items == ["1|'x'|'1'", "2|'own'|'two'"])
            #expect(
                try shop.conflicts == [
                    #"edit_edit b "2" "mine" "two" auto 1"#, #"unique_collision a "y" "own" "x" open 1"#,
                ])
        } else {
            #expect(try shop.items == ["1|'x'|'1'", "2|'own'|'mine'"])
            #expect(
                try shop.conflicts == [
                    #"edit_edit a "y" "own" "x" open 1"#, #"edit_edit b "2" "mine" "two" open 1"#,
                ])
        }
        let (again, quiet) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1, conflict 1")
        #expect(quiet == [])
    }

    @Test("What people alone may change is still inserted once its value is free")
    func ownedByPeople() throws {
        let shop = try shop()
        shop.adjust = { $0.entities[0].fields[1].owner = .local }
        let both = #"[{"id":1,"a":"x"},{"id":2,"a":"x"}]"#
        _ = try shop.syncPlanned(both)
        let (again, quiet) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1, conflict 1")
        #expect(quiet == [])
        try shop.sql("DELETE FROM items WHERE id = 1")
        let (free, _) = try shop.syncPlanned(both)
        #expect(free.summary.text == "update 1, unchanged 1")
        #expect(try shop.items == ["2|'x'|NULL"])
    }

    @Test("Who held a value keeps it; of new ones the smallest key gets it, in whatever order they come")
    func whoGetsIt() throws {
        for order in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] {
            let shop = try shop()
            let records = order.map { "{\"id\":\($0),\"a\":\"x\"}" }.joined(separator: ",")
            let (report, recorder) = try shop.syncPlanned("[\(records)]")
            #expect(report.summary.text == "insert 1, conflict 2")
            #expect(recorder.restarts == 1)
            #expect(try shop.items == ["1|'x'|NULL", "2|NULL|NULL", "3|NULL|NULL"])
            // A smaller key that comes later does not take it away.
            let (later, _) = try shop.syncPlanned("[{\"id\":0,\"a\":\"x\"},\(records)]")
            #expect(later.summary.text == "unchanged 1, conflict 3")
            #expect(try shop.rows("SELECT id FROM items WHERE a = 'x'") == ["1"])
        }
    }

    @Test("Collisions across batches")
    func acrossBatches() throws {
        let shop = try shop()
        var records = (1...1500).map { "{\"id\":\($0),\"a\":\"v\($0)\"}" }
        records[0] = #"{"id":1500,"a":"same"}"#
        records[1499] = #"{"id":1,"a":"same"}"#
        let (report, _) = try shop.syncPlanned("[" + records.joined(separator: ",\n") + "]")
        #expect(report.summary.text == "insert 1499, conflict 1")
        #expect(try shop.rows("SELECT id FROM items WHERE a = 'same'") == ["1"])
        #expect(try shop.rows("SELECT id FROM items WHERE a IS NULL") == ["1500"])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
    }

    @Test("Duplicates and collisions in one run")
    func withDuplicates() throws {
        let shop = try shop()
        let (report, recorder) = try shop.syncPlanned(
            #"[{"id":2,"a":"x"},{"id":1,"a":"y"},{"id":1,"a":"x"},{"id":3,"a":"y"}]"#)
        #expect(report.summary.text == "insert 2, conflict 1")
        #expect(report.streams[0].duplicates == 1)
        #expect(try shop.items == ["1|'x'|NULL", "2|NULL|NULL", "3|'y'|NULL"])
        #expect(recorder.restarts == 2)
    }

    @Test("Where a column takes no null, the record alone goes to quarantine")
    func notHoldable() throws {
        let shop = try shop()
        try shop.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE, b TEXT)")
        let both = #"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"x","b":"2"},{"id":3,"a":"y"},{"id":4,"a":"z"}]"#
        let (report, recorder) = try shop.syncPlanned(both)
        #expect(report.summary.text == "insert 3, quarantined 1")
        #expect(recorder.quarantine.map(\.reason) == ["unique_collision"])
        #expect(recorder.quarantine.map(\.key) == [#"{"id":2}"#])
        #expect(String(decoding: recorder.quarantine[0].record, as: UTF8.self) == #"{"id":2,"a":"x","b":"2"}"#)
        #expect(recorder.quarantine[0].message.contains(#"`a`, which must be unique, are taken by {"id":1}."#))
        let (again, quiet) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 3, quarantined 1")
        #expect(quiet == [])
        // An update keeps its value, which is no null; others swap.
        let (held, _) = try shop.syncPlanned(
            #"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"w","b":"2"},{"id":3,"a":"z"},{"id":4,"a":"y","b":"4"}]"#)
        #expect(held.summary.text == "insert 1, update 2, unchanged 1")
        #expect(try shop.items == ["1|'x'|'1'", "2|'w'|'2'", "3|'z'|NULL", "4|'y'|'4'"])
        #expect(try shop.rows("SELECT status FROM _sluice_quarantine") == ["'closed'"])
        let (kept, _) = try shop.syncPlanned(
            #"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"w","b":"2"},{"id":3,"a":"x","b":"3"},{"id":4,"a":"y","b":"4"}]"#)
        #expect(kept.summary.text == "unchanged 3, conflict 1")
        #expect(try shop.rows("SELECT * FROM items WHERE id = 3") == ["3|'z'|'3'"])
    }

    @Test("A unique group with a field of the key, and letters of either case")
    func groupsOfAdoptedTables() throws {
        let shop = try Workshop()
        shop.key = ["id", "a"]
        try shop.sql(
            """
            CREATE TABLE items (id INTEGER, a TEXT, b TEXT COLLATE NOCASE, PRIMARY KEY (id, a));
            CREATE UNIQUE INDEX i ON items (a, b)
            """)
        let (report, _) = try shop.syncPlanned(
            #"[{"id":2,"a":"s","b":"X"},{"id":1,"a":"s","b":"x"},{"id":3,"a":"t","b":"x"}]"#)
        #expect(report.summary.text == "insert 2, conflict 1")
        #expect(try shop.items == ["1|'s'|'x'", "2|'s'|NULL", "3|'t'|'x'"])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
    }
}
