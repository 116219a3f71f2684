import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import Testing

/// A default is what the pipeline says where its source says nothing, and nothing that a source could be in conflict for.
@Suite struct DefaultTests {
    private static let record = #"[{"id":1,"a":"x"}]"#

    private func shop(_ row: String?) throws -> Workshop {
        let shop = try Workshop(fields: [field("id", .int), field("a"), field("b", default: #""new""#)])
        if let row {
            try shop.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT NOT NULL DEFAULT 'old')")
            try shop.sql("INSERT INTO items VALUES (\(row))")
        }
        return shop
    }

    @Test func fillsARowThatIsNew() throws {
        let shop = try shop(nil)
        #expect(try shop.syncPlanned(Self.record).0.summary.text == "insert 1")
        #expect(try shop.items == ["1|'x'|'new'"])
    }

    @Test func leavesWhatARowHasThatWasThereBefore() throws {
        let shop = try shop("1, 'x', 'kept'")
        let (report, recorder) = try shop.syncPlanned(Self.record)
        #expect(report.summary.conflict == 0 && recorder.conflicts.isEmpty, "\(report.summary.text)")
        #expect(try shop.items == ["1|'x'|'kept'"])
        #expect(try shop.quietRun().written == [])
        // What the source itself says is another matter.
        let (said, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"said"}]"#)
        #expect(said.summary.text == "conflict 1")
        #expect(try shop.items == ["1|'x'|'kept'"])
    }

    @Test func isTheSameAsWhatARowHas() throws {
        let shop = try shop("1, 'x', 'new'")
        #expect(try shop.syncPlanned(Self.record).0.summary.text == "unchanged 1")
        #expect(try shop.quietRun().written == [])
        #expect(try shop.syncPlanned(#"[{"id":1,"a":"x","b":"said"}]"#).0.summary.text == "update 1")
    }

    @Test func doesNotContestAnEdit() throws {
        let shop = try shop(nil)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"said"}]"#)
        try shop.sql("UPDATE items SET b = 'mine'")
        let (report, _) = try shop.syncPlanned(Self.record)
        #expect(report.summary.conflict == 0, "\(report.summary.text)")
        #expect(try shop.items == ["1|'x'|'mine'"])
        // Nobody changed this one, so the value that its source took back goes.
        try shop.sql("UPDATE items SET b = 'said'")
        #expect(try shop.syncPlanned(Self.record).0.summary.text == "update 1")
        #expect(try shop.items == ["1|'x'|'new'"])
    }

    @Test(arguments: [true, false])
    func standsWhereTheSourceAloneHasASay(byOwner: Bool) throws {
        let shop = try shop(nil)
        if byOwner { shop.fields[2].owner = .remote } else { shop.adjust = { $0.streams[0].writeMode = .replace } }
        _ = try shop.syncPlanned(Self.record)
        try shop.sql("UPDATE items SET b = 'mine'")
        #expect(try shop.syncPlanned(Self.record).0.summary.text == "update 1")
        #expect(try shop.items == ["1|'x'|'new'"])
    }

    @Test func isNoChangeAtTheSourceOfARowThatWasDeletedHere() throws {
        let shop = try shop(nil)
        _ = try shop.syncPlanned(Self.record)
        try shop.sql("DELETE FROM items")
        shop.fields[2] = try field("b", default: #""newer""#)
        let (report, _) = try shop.syncPlanned(Self.record)
        #expect(report.summary.text == "unchanged 1")
        #expect(try shop.syncPlanned(#"[{"id":1,"a":"y"}]"#).0.summary.text == "conflict 1")
    }

    /// What the source gave before stands no longer, in a row that is there as in one that comes back.
    @Test(arguments: [true, false])
    func standsInARowThatComesBack(isDecided: Bool) throws {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {on_conflict: \(isDecided ? "manual" : "remote_wins")}
            entities: {R: {table: r, primary_key: id, fields: {id: int, x: string, y: {type: string, default: d}}}}
            streams: [{name: a, entity: R, path: a.json}]
            """)
        try shop.put(#"[{"id":2,"x":"b","y":"s"}]"#, as: "a.json")
        _ = try shop.syncPlanned()
        try shop.sql("DELETE FROM r")
        try shop.put(#"[{"id":2,"x":"c"}]"#, as: "a.json")
        _ = try shop.syncPlanned()
        if isDecided { try shop.resolve(all: .remote) }
        #expect(try shop.rows("SELECT x, y FROM r") == ["'c'|'d'"])
        #expect(try shop.syncPlanned().0.summary.text == "unchanged 1")
        #expect(try shop.rows("SELECT x, y FROM r") == ["'c'|'d'"])
    }

    /// Two streams of one table with a default, of which `b` states deletions.
    private func shared(_ precedence: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {precedence: [\(precedence)]}
            entities: {R: {table: r, primary_key: id, fields: {id: int, x: string, y: {type: string, default: d}}}}
            streams:
              - {name: a, entity: R, path: a.json}
              - {name: b, entity: R, path: b.json, deleted_when: .del}
            """)
        return shop
    }

    /// A record that its source lists as before is not listed with something new in the run in which another one states its deletion.
    @Test(arguments: ["a, b", "b, a"])
    func isNothingNewBesideAStatement(precedence: String) throws {
        let shop = try shared(precedence)
        try shop.put(#"[{"id":3,"x":"c"}]"#, as: "a.json")
        try shop.put(#"[{"id":3,"x":"c","y":"t"}]"#, as: "b.json")
        _ = try shop.syncPlanned()
        try shop.put(#"[{"id":3,"del":true}]"#, as: "b.json")
        #expect(try shop.syncPlanned().0.problems.map(\.code) == [])
        #expect(try shop.rows("SELECT id FROM r") == [])
    }

    /// That another source lists a record with a default again is no answer to the question whether its row goes.
    @Test(arguments: ["a, b", "b, a"])
    func isNoNewsOfARecordThatAnotherSourceStatesToBeDeleted(precedence: String) throws {
        let shop = try shared(precedence)
        try shop.put("[]", as: "a.json")
        try shop.put(#"[{"id":3,"x":"c","y":"t"}]"#, as: "b.json")
        _ = try shop.syncPlanned()
        try shop.sql("UPDATE r SET x = 'h'")
        try shop.put(#"[{"id":3,"x":"c"}]"#, as: "a.json")
        try shop.put(#"[{"id":3,"del":true}]"#, as: "b.json")
        for _ in 1...3 {
            _ = try shop.syncPlanned()
            let open = try shop.rows("SELECT kind FROM _sluice_conflicts WHERE status = 'open' AND field IS NULL")
            #expect(open == ["'edit_delete'"])
        }
    }

    /// A row that stands for a record which another source states to be deleted stays one.
    @Test func fillsNoStubOfARecordThatIsStatedToBeDeleted() throws {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {precedence: [b, a]}
            entities:
              R: {table: r, primary_key: id, fields: {id: int, x: string, y: {type: string, default: d}}}
              Q: {table: q, primary_key: id, fields: {id: int, r: {ref: R, upsert: false, on_dangling: stub}}}
            streams:
              - {name: a, entity: R, path: a.json}
              - {name: b, entity: R, path: b.json, deleted_when: .del}
              - {name: q, entity: Q, path: q.json}
            """)
        for (b, a, q) in [
            (#"[{"id":3,"x":"c","y":"t"}]"#, "[]", "[]"),
            (#"[{"id":3,"x":"c","y":"t"}]"#, #"[{"id":3,"x":"c"}]"#, "[]"),
            (#"[{"id":3,"del":true}]"#, #"[{"id":3,"x":"c"}]"#, "[]"),
            (#"[{"id":3,"del":true}]"#, #"[{"id":3,"x":"c"}]"#, #"[{"id":1,"r":3}]"#),
        ] {
            for (file, text) in [("a", a), ("b", b), ("q", q)] { try shop.put(text, as: "\(file).json") }
            _ = try shop.syncPlanned()
        }
        for _ in 1...2 {
            #expect(try shop.rows("SELECT * FROM r") == ["3|NULL|NULL"])
            _ = try shop.syncPlanned()
        }
    }
}
