import SluiceReport
import Testing

/// Streams of one table that are merged once more in a run, since one behind them changed what they are compared with.
@Suite("Streams that are merged once more")
struct MergedAgainTests {
    /// Two streams of items, over a table that people made.
    private func shop(_ sql: String, crm: String, billing: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {precedence: [crm, billing]}
            entities:
              Item:
                table: items
                primary_key: id
                unique: [[email]]
                fields: {id: int, t: string, u: string, n: int, email: string}
            streams:
              - {name: crm, entity: Item, path: crm.json}
              - {name: billing, entity: Item, path: billing.json}
            """)
        try shop.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, t TEXT, u TEXT, n INTEGER, email TEXT UNIQUE\(sql)")
        try shop.put(crm, as: "crm.json")
        try shop.put(billing, as: "billing.json")
        return shop
    }

    /// Of item `1` the second stream gives what its row holds, which is no edit then.
    private func shop(_ crm: String) throws -> Workshop {
        try shop(
            "); INSERT INTO items (id, t) VALUES (1, 'x'), (5, 'x')", crm: crm, billing: #"[{"id":1,"t":"x"}]"#)
    }

    /// A record takes it in the same run, whatever else of it was written before.
    @Test("A unique value that a stream behind frees", arguments: ["old", "new"], [#","email":"q""#, ""])
    func isTakenAtOnce(text: String, email: String) throws {
        let shop = try shop(
            ")", crm: #"[{"id":1,"t":"old"}]"#, billing: #"[{"id":2,"u":"a","email":"p"}]"#)
        #expect(shop.sync().report.status == .succeeded)
        try shop.put(#"[{"id":1,"t":"\#(text)","email":"p"}]"#, as: "crm.json")
        // The one behind says another value, or that there is none.
        try shop.put(#"[{"id":2,"u":"b"\#(email.isEmpty ? #","email":null"# : email)}]"#, as: "billing.json")
        let report = shop.sync().report
        #expect(report.summary.update == 2 && report.summary.conflict == 0)
        #expect(try shop.rows("SELECT t, email FROM items WHERE id = 1") == ["'\(text)'|'p'"])
        #expect(try shop.conflicts.allSatisfy { !$0.contains("open") })
    }

    /// What a stream gives, and what its records count as.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let crm: String
        var update = 1
        var conflict = 0
        var inPart = 0
    }

    static let cases = [
        Case(testDescription: "in conflict before", crm: #"[{"id":1,"t":"y"}]"#),
        Case(testDescription: "written in part before", crm: #"[{"id":1,"t":"y","u":"q"}]"#),
        Case(
            testDescription: "written in part before, beside one that stays in conflict",
            crm: #"[{"id":1,"t":"y","u":"q"},{"id":5,"t":"z"}]"#, conflict: 1),
        Case(
            testDescription: "written in part before, beside one that stays so",
            crm: #"[{"id":1,"t":"y","u":"q"},{"id":5,"t":"z","u":"q"}]"#, conflict: 1, inPart: 1),
        Case(
            testDescription: "in conflict before, beside one that was written in part",
            crm: #"[{"id":1,"t":"y"},{"id":5,"t":"z","u":"q"}]"#, conflict: 1, inPart: 1),
    ]

    @Test("A record counts by what became of it in the end", arguments: cases)
    func counts(_ test: Case) throws {
        let shop = try shop(test.crm)
        let summary = try #require(try shop.syncPlanned().0.streams.first).summary
        #expect(summary.update == test.update)
        #expect(summary.conflict == test.conflict)
        #expect(summary.conflictWritten == test.inPart)
        #expect(summary.unchanged == 0)
        #expect(try shop.quietRun().written == [])
    }

    @Test("A record that cannot be taken is told once")
    func quarantine() throws {
        let shop = try shop(#"[{"id":1,"t":"y"},{"id":2,"n":"abc"}]"#)
        let (report, recorder) = try shop.syncPlanned()
        #expect(report.summary.quarantined == 1)
        #expect(recorder.quarantine.count == 1)
        #expect(try shop.quietRun().written == [])
    }

    @Test("A record that is taken the second time counts so, and leaves the quarantine")
    func takenOut() throws {
        let shop = try shop(
            " NOT NULL)", crm: "[]", billing: #"[{"id":1,"email":"a"}]"#)
        #expect(shop.sync().report.status == .succeeded)
        try shop.put(#"[{"id":2,"email":"a"}]"#, as: "crm.json")
        try shop.put(#"[{"id":1,"email":"b"}]"#, as: "billing.json")
        let summary = try shop.syncPlanned().0.summary
        #expect(summary.insert == 1 && summary.update == 1 && summary.quarantined == 0)
        #expect(try shop.rows("SELECT id, email FROM items ORDER BY id") == ["1|'b'", "2|'a'"])
        #expect(try shop.rows("SELECT status FROM _sluice_quarantine") == ["'closed'"])
        #expect(try shop.quietRun().written == [])
    }
}
