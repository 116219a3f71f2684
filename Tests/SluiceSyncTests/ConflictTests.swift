import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// The life of a conflict over several runs.
@Suite("Conflicts from opening to closing")
struct ConflictTests {
    private func record(_ a: String, _ b: String = "y") -> String { "[{\"id\":1,\"a\":\"\(a)\",\"b\":\"\(b)\"}]" }

    /// A shop whose field `a` is in conflict: base x, local mine, remote X.
    private func divergent() throws -> Workshop {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        _ = try shop.syncPlanned(record("x"))
        try shop.sql("UPDATE items SET a = 'mine'")
        let (report, recorder) = try shop.syncPlanned(record("X"))
        #expect(report.summary.text == "conflict 1")
        #expect(report.hasChanges)
        #expect(recorder.conflicts.map(\.status) == [.open])
        return shop
    }

    private func expect(
        _ shop: Workshop, _ json: String, _ summary: String, conflicts expected: [String], items: [String],
        bases: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (report, _) = try shop.syncPlanned(json)
        #expect(report.summary.text == summary, sourceLocation: sourceLocation)
        let conflicts = try shop.conflicts
        #expect(conflicts == expected, sourceLocation: sourceLocation)
        let rows = try shop.items
        #expect(rows == items, sourceLocation: sourceLocation)
        let remembered = try shop.bases
        #expect(remembered == bases, sourceLocation: sourceLocation)
        let (_, written) = try shop.quietRun()
        #expect(written == [], sourceLocation: sourceLocation)
    }

    @Test("A new remote value updates the open conflict instead of adding one")
    func movesOn() throws {
        let shop = try divergent()
        try expect(
            shop, record("Z"), "conflict 1", conflicts: [#"edit_edit a "x" "mine" "Z" open 2"#],
            items: ["1|'mine'|'y'"],
            bases: ["1 live open a='x' b='y'"])
    }

    @Test("A new local value is shown too")
    func localMovesOn() throws {
        let shop = try divergent()
        try shop.sql("UPDATE items SET a = 'other'")
        try expect(
            shop, record("X"), "conflict 1", conflicts: [#"edit_edit a "x" "other" "X" open 1"#],
            items: ["1|'other'|'y'"],
            bases: ["1 live open a='x' b='y'"])
    }

    @Test("The source back at the base closes it as obsolete")
    func obsolete() throws {
        let shop = try divergent()
        try expect(
            shop, record("x"), "unchanged 1", conflicts: [#"edit_edit a "x" "mine" "X" obsolete 1"#],
            items: ["1|'mine'|'y'"], bases: ["1 live a='x' b='y'"])
    }

    @Test("The local edit taken back lets the remote value in")
    func takenBack() throws {
        let shop = try divergent()
        try shop.sql("UPDATE items SET a = 'x'")
        try expect(
            shop, record("X"), "update 1", conflicts: [#"edit_edit a "x" "mine" "X" obsolete 1"#], items: ["1|'X'|'y'"],
            bases: ["1 live a='X' b='y'"])
    }

    @Test("Both sides saying the same closes it as converged", arguments: ["local", "remote"])
    func converged(_ mover: String) throws {
        let shop = try divergent()
        if mover == "local" { try shop.sql("UPDATE items SET a = 'X'") }
        let value = mover == "local" ? "X" : "mine"
        try expect(
            shop, record(value), "unchanged 1", conflicts: [#"edit_edit a "x" "mine" "X" converged 1"#],
            items: ["1|'\(value)'|'y'"], bases: ["1 live a='\(value)' b='y'"])
    }

    @Test("An absent key leaves it open")
    func absent() throws {
        let shop = try divergent()
        try expect(
            shop, #"[{"id":1,"b":"Y"}]"#, "conflict 1", conflicts: [#"edit_edit a "x" "mine" "X" open 1"#],
            items: ["1|'mine'|'Y'"], bases: ["1 live open a='x' b='Y'"])
    }

    @Test("It never holds back other fields or records")
    func others() throws {
        let shop = try divergent()
        try expect(
            shop, #"[{"id":1,"a":"X","b":"new"},{"id":2,"a":"p","b":"q"}]"#, "insert 1, conflict 1",
            conflicts: [#"edit_edit a "x" "mine" "X" open 1"#], items: ["1|'mine'|'new'", "2|'p'|'q'"],
            bases: ["1 live open a='x' b='new'", "2 live a='p' b='q'"])
    }

    @Test("Two fields of a record are two conflicts, closed one by one")
    func twoFields() throws {
        let shop = try divergent()
        try shop.sql("UPDATE items SET b = 'mine too'")
        try expect(
            shop, record("X", "Y"), "conflict 1",
            conflicts: [#"edit_edit a "x" "mine" "X" open 1"#, #"edit_edit b "y" "mine too" "Y" open 1"#],
            items: ["1|'mine'|'mine too'"], bases: ["1 live open a='x' b='y'"])
        try expect(
            shop, record("x", "Y"), "conflict 1",
            conflicts: [#"edit_edit a "x" "mine" "X" obsolete 1"#, #"edit_edit b "y" "mine too" "Y" open 1"#],
            items: ["1|'mine'|'mine too'"], bases: ["1 live open a='x' b='y'"])
    }

    @Test("Deleted here: a conflict of the record takes the place of its fields'")
    func deleteEdit() throws {
        let shop = try divergent()
        try shop.sql("DELETE FROM items")
        let field = #"edit_edit a "x" "mine" "X" obsolete 1"#
        try expect(
            shop, record("X"), "conflict 1", conflicts: [field, #"delete_edit * - - {"id":1,"a":"X","b":"y"} open 1"#],
            items: [], bases: ["1 live open a='x' b='y'"])
        try expect(
            shop, record("Z"), "conflict 1", conflicts: [field, #"delete_edit * - - {"id":1,"a":"Z","b":"y"} open 2"#],
            items: [], bases: ["1 live open a='x' b='y'"])
        try expect(
            shop, record("x"), "unchanged 1",
            conflicts: [field, #"delete_edit * - - {"id":1,"a":"Z","b":"y"} obsolete 2"#],
            items: [], bases: ["1 live a='x' b='y'"])
    }

    @Test("Deleted here, changed there, then put back here")
    func deleteEditPutBack() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(record("x"))
        try shop.sql("DELETE FROM items")
        _ = try shop.syncPlanned(record("X"))
        try shop.sql("INSERT INTO items VALUES (1, 'x', 'y')")
        try expect(
            shop, record("X"), "update 1", conflicts: [#"delete_edit * - - {"id":1,"a":"X","b":"y"} obsolete 1"#],
            items: ["1|'X'|'y'"], bases: ["1 live a='X' b='y'"])
    }

    @Test("Deleted here, changed there, then gone there")
    func deleteEditGone() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        _ = try shop.syncPlanned(record("x"))
        try shop.sql("DELETE FROM items")
        _ = try shop.syncPlanned(record("X"))
        try expect(
            shop, #"[{"id":2,"a":"p","b":"q"}]"#, "insert 1",
            conflicts: [#"delete_edit * - - {"id":1,"a":"X","b":"y"} obsolete 1"#], items: ["2|'p'|'q'"],
            bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"])
    }

    @Test("Gone there but edited here, and what may become of it", arguments: ["back", "taken back", "deleted"])
    func editDelete(_ ending: String) throws {
        let shop = try divergent()
        let two = #"{"id":2,"a":"p","b":"q"}"#
        let field = #"edit_edit a "x" "mine" "X" obsolete 1"#
        let whole = #"edit_delete * - {"id":1,"a":"mine","b":"y"} - "#
        try expect(
            shop, "[\(two)]", "insert 1, conflict 1", conflicts: [field, whole + "open 1"],
            items: ["1|'mine'|'y'", "2|'p'|'q'"], bases: ["1 live open a='x' b='y'", "2 live a='p' b='q'"])
        switch ending {
        case "back":
            try expect(
                shop, #"[{"id":1,"a":"x","b":"y"},\#(two)]"#, "unchanged 2", conflicts: [field, whole + "obsolete 1"],
                items: ["1|'mine'|'y'", "2|'p'|'q'"], bases: ["1 live a='x' b='y'", "2 live a='p' b='q'"])
        case "taken back":
            try shop.sql("UPDATE items SET a = 'x' WHERE id = 1")
            try expect(
                shop, "[\(two)]", "delete 1, unchanged 1", conflicts: [field, whole + "obsolete 1"],
                items: ["2|'p'|'q'"],
                bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"])
        default:
            try shop.sql("DELETE FROM items WHERE id = 1")
            try expect(
                shop, "[\(two)]", "unchanged 1", conflicts: [field, whole + "obsolete 1"], items: ["2|'p'|'q'"],
                bases: ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"])
        }
    }

    @Test("A local value that is none of its type is an edit, shown as text")
    func invalidLocal() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("n", .decimal), try field("at", .datetime)])
        _ = try shop.syncPlanned(#"[{"id":1,"n":1.5,"at":"2026-01-01T00:00:00Z"}]"#)
        try shop.sql("UPDATE items SET n = 'many', at = 'soon'")
        let (kept, _) = try shop.syncPlanned()
        #expect(kept.summary.text == "unchanged 1")
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"n":2.5,"at":"2026-01-01T00:00:00Z"}]"#)
        #expect(report.summary.text == "conflict 1")
        let conflicts = try shop.conflicts
        #expect(conflicts == [#"edit_edit n "1.5" "many" "2.5" open 1"#])
    }

    @Test("A local value in another spelling is no edit")
    func spelling() throws {
        let shop = try Workshop(fields: [
            try field("id", .int), try field("n", .decimal), try field("j", .json), try field("at", .datetime),
            try field("u", .uuid),
        ])
        let json =
            #"[{"id":1,"n":1.50,"j":{"a":1,"b":2},"at":"2026-01-01T00:00:00Z","u":"9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"}]"#
        _ = try shop.syncPlanned(json)
        try shop.sql(
            #"UPDATE items SET n = '1.5', j = '{ "b": 2.0, "a": 1 }', at = '2026-01-01T01:00:00+01:00', u = upper(u)"#)
        let (report, _) = try shop.syncPlanned(json.replacing("1.50", with: "1.75"))
        #expect(report.summary.text == "update 1")
    }
}
