import SluiceJSON
import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Tables that were adopted and refuse single records.
@Suite("Constraints of an adopted table")
struct ConstraintTests {
    private static let good = #"{"id":1,"a":"x"}"#
    private static let bad = #"{"id":2,"a":"bad","other":[1]}"#

    struct Table: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let words: String
    }

    static let tables = [
        Table(
            testDescription: "check",
            sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> 'bad'), b TEXT)",
            words: "CHECK constraint failed: a <> 'bad'"),
        Table(
            testDescription: "not null", sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT NOT NULL)",
            words: "NOT NULL constraint failed: items.b"),
        Table(
            testDescription: "trigger",
            sql: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
                CREATE TRIGGER t BEFORE INSERT ON items WHEN new.a = 'bad' BEGIN SELECT RAISE(ABORT, 'nothing bad'); END
                """, words: "nothing bad"),
        Table(
            testDescription: "datatype",
            sql: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
                CREATE TABLE lengths (n INTEGER) STRICT;
                CREATE TRIGGER t AFTER INSERT ON items WHEN new.a = 'bad' BEGIN INSERT INTO lengths VALUES (new.a); END
                """, words: "cannot store TEXT value in INTEGER column lengths.n"),
    ]

    @Test(
        "A column that takes no null is answered with its field and where its value stands",
        arguments: [
            (
                "address.city", nil,
                #"at `address.city`: give the field `b` an `expr` such as `.address.city // "…"`, or"#
            ),
            ("b", nil, #"at `b`: give the field `b` an `expr` such as `.b // "…"`, or allow null in the column `c`."#),
            ("$['a b']", nil, "at `a b`: give the field `b` an `expr`, or allow null in the column `c`."),
            ("b", ".c.d", #"The field `b` has no value: let its `expr` end with `// "…"`"#),
        ] as [(String, String?, String)])
    func nulls(_ path: String, _ program: String?, _ words: String) throws {
        var taken = try field("b")
        taken.column = "c"
        taken.origin = .path(try JSONPath(parsing: path))
        if let program { taken.origin = .program(program) }
        let shop = try Workshop(fields: [field("id", .int), field("a"), taken])
        try shop.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, c TEXT NOT NULL)")
        let (report, recorder) = try shop.syncPlanned("[\(Self.good)]")
        #expect(report.summary.text == "quarantined 1")
        let message = recorder.quarantine.first?.message ?? ""
        #expect(message.contains("NOT NULL constraint failed: items.c. ") && message.contains(words), "\(message)")
    }

    @Test("One record is quarantined and the others are taken; every run tries it again", arguments: tables)
    func refused(_ table: Table) throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        try shop.sql(table.sql)
        let good = table.testDescription == "not null" ? #"{"id":1,"a":"x","b":""}"# : Self.good
        let (report, recorder) = try shop.syncPlanned("[\(good),\(Self.bad)]")
        #expect(report.status == .succeeded)
        #expect(report.summary.text == "insert 1, quarantined 1")
        #expect(recorder.quarantine.map(\.reason) == ["constraint"])
        #expect(recorder.quarantine.map(\.key) == [#"{"id":2}"#])
        #expect(recorder.quarantine.map { String(decoding: $0.record, as: UTF8.self) } == [Self.bad])
        let message = recorder.quarantine.first?.message ?? ""
        #expect(message.contains("`items` refused it: \(table.words)"), "\(message)")
        #expect(recorder.changes.count == 1)
        #expect(try shop.rows("SELECT id FROM items") == ["1"])
        let (again, quiet) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1, quarantined 1")
        #expect(quiet == [])
        // It is not gone, and comes in once it can.
        guard table.testDescription == "trigger" else { return }
        try shop.sql("DROP TRIGGER t")
        let (cured, _) = try shop.syncPlanned("[\(good),\(Self.bad)]")
        #expect(cured.summary.text == "insert 1, unchanged 1")
        #expect(try shop.rows("SELECT status FROM _sluice_quarantine") == ["'closed'"])
    }

    @Test("A change that is refused leaves row, base and conflicts as they are", arguments: [true, false])
    func refusedChange(_ remoteWins: Bool) throws {
        let shop = try Workshop()
        if remoteWins { shop.adjust = { $0.entities[0].conflictRules.fallback = .remoteWins } }
        try shop.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> 'bad'), b TEXT)")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"y","b":"2"}]"#)
        try shop.sql("UPDATE items SET b = 'mine' WHERE id = 2")
        let (report, recorder) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"bad","b":"two"}]"#)
        #expect(report.summary.text == "unchanged 1, quarantined 1")
        #expect(recorder.changes == [])
        #expect(try shop.items == ["1|'x'|'1'", "2|'y'|'mine'"])
        #expect(try shop.bases == ["1 live a='x' b='1'", "2 live a='y' b='2'"])
        #expect(try shop.conflicts == [])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
        let (mended, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"good","b":"two"}]"#)
        #expect(mended.summary.text == (remoteWins ? "update 1, unchanged 1" : "unchanged 1, conflict 1"))
        #expect(try shop.items.last == "2|'good'|'\(remoteWins ? "two" : "mine")'")
    }

    @Test("Changes are told in the order of the source, whatever the order is in which rows are written")
    func order() throws {
        let shop = try Workshop()
        try shop.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> 'bad'), b TEXT)")
        _ = try shop.syncPlanned(#"[{"id":2,"a":"x"},{"id":4,"a":"x"}]"#)
        let (_, recorder) = try shop.syncPlanned(
            #"[{"id":3,"a":"new"},{"id":4,"a":"y"},{"id":1,"a":"new"},{"id":2,"a":"y"},{"id":5,"a":"bad"}]"#)
        let told = recorder.changes.map { $0.split(separator: " ") }.map { "\($0[0]) \($0[2])" }
        #expect(told == [#"insert {"id":3}"#, #"update {"id":4}"#, #"insert {"id":1}"#, #"update {"id":2}"#])
    }

    @Test("A row that another table needs is not deleted, which is said, and the rest is")
    func refusedDelete() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"y"},{"id":3,"a":"z"}]"#)
        try shop.sql("CREATE TABLE notes (item INTEGER REFERENCES items); INSERT INTO notes VALUES (1)")
        let (report, recorder) = try shop.syncPlanned(#"[{"id":3,"a":"z"}]"#)
        #expect(report.summary.text == "delete 1, unchanged 1")
        #expect(report.problems.map(\.code) == ["delete_rejected"])
        let words = #"{"id":1}. The table `items` refused it: FOREIGN KEY constraint failed."#
        #expect(report.problems.first?.message.contains(words) == true)
        #expect(recorder.changes.count == 1)
        #expect(try shop.rows("SELECT id FROM items") == ["1", "3"])
        #expect(try shop.bases.first == "1 live a='x' b=∅")
        let (again, quiet) = try shop.quietRun()
        #expect(again.problems.count == 1)
        #expect(quiet == [])
    }
}
