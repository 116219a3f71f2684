import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// What later runs made of records stays where an older run is undone.
@Suite("Undo of a run that is not the last")
struct OlderRunUndoTests {
    /// A shop of which the second run updates 1 and 2, deletes 3 and inserts 4.
    private func deleted() throws -> Workshop {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        try shop.put(#"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"x","b":"y"},{"id":3,"a":"x","b":"y"}]"#)
        #expect(shop.sync().report.status == .succeeded)
        try shop.put(#"[{"id":1,"a":"X","b":"y"},{"id":2,"a":"X","b":"Y"},{"id":4,"a":"x","b":"y"}]"#)
        #expect(shop.sync().report.status == .succeeded)
        return shop
    }

    /// What is done after the run that deletes record 3, each with what the source says, or the run that is undone.
    static let histories: [(name: String, steps: [String])] = [
        ("with other values", [#"{"id":3,"a":"q","b":"q"}"#, ""]),
        ("with the first values and one more", [#"{"id":3,"a":"x","b":"q"}"#, ""]),
        ("and changed before", [#"{"id":3,"a":"x","b":"y"}"#, #"{"id":3,"a":"q","b":"y"}"#, ""]),
    ]

    @Test("What a later run brought and deleted again stays deleted", arguments: histories)
    func deletedAgain(_ known: (name: String, steps: [String])) throws {
        let shop = try deleted()
        for record in known.steps {
            try shop.put(
                #"[{"id":1,"a":"X","b":"y"},{"id":2,"a":"X","b":"Y"},{"id":4,"a":"x","b":"y"}\#(record.isEmpty ? "" : ",")\#(record)]"#
            )
            #expect(shop.sync().report.status == .succeeded)
        }
        let undo = try shop.undoPlanned(2)
        #expect(
            undo.recorder.changes.filter { $0.hasPrefix("conflict") } == [
                #"conflict delete_edit {"id":3} id:local_override(- - 3 -) a:local_override(- - "x" -) "#
                    + #"b:local_override(- - "y" -)"#
            ])
        #expect(try shop.items == ["1|'x'|'y'", "2|'x'|'y'"])
        #expect(shop.sync().report.summary.text == "insert 1, update 2")
        #expect(try shop.quietRun(renewing: true).written == [])
        var edits = 0
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { _ in edits += 1 }
        #expect(edits == 0)
    }

    @Test("A row that came back and was edited since is not marked as deleted again", arguments: [false, true])
    func editedSince(byRun: Bool) throws {
        let shop = try Workshop(rule: DeleteRule(mode: .soft, maximum: .percent(100)))
        for records in [#"{"id":1,"a":"x","b":"y"}"#, "", #"{"id":1,"a":"X","b":"y"}"#] {
            try shop.put(#"[{"id":2,"a":"x","b":"y"}\#(records.isEmpty ? "" : ",")\#(records)]"#)
            #expect(shop.sync().report.status == .succeeded)
        }
        if byRun {
            try shop.put(#"[{"id":2,"a":"x","b":"y"},{"id":1,"a":"z","b":"y"}]"#)
            #expect(shop.sync().report.status == .succeeded)
        } else {
            try shop.sql("UPDATE items SET a = 'z' WHERE id = 1")
        }
        #expect(try shop.undoPlanned(3).report.left == 1)
        #expect(try shop.rows("SELECT a FROM items WHERE id = 1 AND _deleted_at IS NULL") == ["'z'"])
        #expect(shop.sync().report.summary.text == "unchanged 2")
        #expect(try shop.rows("SELECT a FROM items WHERE id = 1 AND _deleted_at IS NULL") == ["'z'"])
    }

    @Test("A record that an undo deleted and a later run as well stays deleted")
    func deletedByUndo() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        try shop.put(#"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"x","b":"y"}]"#)
        for _ in 1...2 {
            _ = shop.sync()
            if try shop.rows("SELECT max(id) FROM _sluice_runs") == ["1"] { _ = try shop.undoPlanned(1) }
        }
        try shop.put(#"[{"id":1,"a":"x","b":"y"}]"#)
        #expect(shop.sync().report.summary.text == "delete 1, unchanged 1")
        #expect(try shop.undoPlanned(2).report.left == 1)
        #expect(try shop.items == ["1|'x'|'y'"])
        #expect(try shop.quietRun(renewing: true).written == [])
    }

    @Test(
        "A stated deletion that a later run overruled is not news once its run is undone",
        arguments: ["lists, states", "states, lists"])
    func statedBefore(order: String) throws {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {precedence: [\(order)]}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string}}}
            streams:
              - {name: lists, entity: Book, path: lists.json}
              - {name: states, entity: Book, path: states.json, deleted_when: "true"}
            """)
        try shop.put(#"[{"id":1,"title":"x"}]"#, as: "lists.json")
        try shop.put(#"[{"id":3}]"#, as: "states.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        try shop.put(#"[{"id":1,"title":"y"},{"id":3,"title":"new"}]"#, as: "lists.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        _ = try shop.undoPlanned(1)
        for _ in 1...2 {
            #expect(try shop.syncPlanned().0.status == .succeeded)
            #expect(try shop.rows("SELECT id, title FROM books ORDER BY id") == ["1|'y'", "3|'new'"])
        }
    }
}
