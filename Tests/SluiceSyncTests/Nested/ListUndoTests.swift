import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// A list with an order is one value: an undo sets it back as a whole, or leaves it as a whole and says so.
@Suite("Undo of lists that are one value")
struct ListUndoTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The list that the source gives in each run, `-` where it has no such record; the second run is undone.
        var source = [["a", "b", "c"], ["b", "a", "c"]]
        /// What somebody does before the undo.
        var edit = ""
        /// The list after the undo.
        let lines: String
        /// What is told of what stays.
        var told: [String] = []
        /// The list once the source has said the same again.
        var again: String?
    }

    private static let list = #"conflict merge {"script_id":1}"#

    static let cases = [
        Case(testDescription: "nothing was touched", lines: "0a 1b 2c", again: "0b 1a 2c"),
        Case(
            testDescription: "the list grew, and nothing was touched", source: [["a"], ["b", "a", "c"]], lines: "0a",
            again: "0b 1a 2c"),
        Case(
            testDescription: "the list shrank, and nothing was touched", source: [["a", "b", "c"], ["c"]],
            lines: "0a 1b 2c", again: "0c"),
        Case(
            testDescription: "a later run changed the same element",
            source: [["a", "b", "c"], ["b", "a", "c"], ["x", "a", "c"]], lines: "0x 1a 2c", told: [list]),
        Case(
            testDescription: "a later run changed another element",
            source: [["a", "b", "c"], ["b", "a", "c"], ["b", "a", "d"]], lines: "0b 1a 2d", told: [list]),
        Case(
            testDescription: "a later run added an element",
            source: [["a", "b", "c"], ["b", "a", "c"], ["b", "a", "c", "d"]], lines: "0b 1a 2c 3d", told: [list]),
        Case(
            testDescription: "a later run took an element away that the run had not touched",
            source: [["a", "b", "c"], ["b", "a", "c"], ["b", "a"]], lines: "0b 1a", told: [list]),
        Case(
            testDescription: "a later run moved the elements once more",
            source: [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]], lines: "0c 1a 2b", told: [list]),
        Case(
            testDescription: "an element that the run had not touched was edited",
            edit: "UPDATE line SET text = 'mine' WHERE position = 2", lines: "0b 1a 2mine", told: [list]),
        Case(
            testDescription: "an element was deleted", edit: "DELETE FROM line WHERE position = 2", lines: "0b 1a",
            told: [list]),
        Case(
            testDescription: "an element was added", edit: "INSERT INTO line VALUES (1, 3, 'mine')",
            lines: "0b 1a 2c 3mine", told: [list]),
        Case(
            testDescription: "the run brought the record, and its list was changed since",
            source: [["-"], ["b", "a"], ["b", "c"]], lines: "0b 1c",
            told: [list, #"conflict held_below {"id":1}"#]),
        Case(
            testDescription: "the run deleted the record, and nothing was touched", source: [["a", "b"], ["-"]],
            lines: "0a 1b", again: ""),
        Case(
            testDescription: "a later run brought the record back with another list",
            source: [["a", "b"], ["-"], ["b", "c"]], lines: "0b 1c", told: [list]),
    ]

    /// What was changed within elements is no matter where the run changed nothing of them.
    @Test(
        "Lists within elements",
        arguments: [
            ("DELETE FROM word WHERE line_position = 0", "SELECT 1", true),
            ("UPDATE word SET text = 'mine' WHERE line_position = 0", "SELECT 1", true),
            ("SELECT 1", "UPDATE word SET text = 'mine' WHERE line_position = 0", true),
            ("SELECT 1", "UPDATE word SET text = 'mine' WHERE line_position = 1", false),
            ("SELECT 1", "INSERT INTO word VALUES (1, 1, 1, 'mine')", false),
        ])
    func listsWithin(before: String, after: String, isSetBack: Bool) throws {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            entities:
              Script: {table: script, primary_key: id, fields: {id: int}, children: {lines: {entity: Line, from: "lines[*]", ordered: true}}}
              Line: {table: line, fields: {text: string}, children: {words: {entity: Word, from: "words[*]", ordered: true}}}
              Word: {table: word, fields: {text: string}}
            streams: [{name: scripts, entity: Script, path: remote.json}]
            """)
        func source(_ second: String) -> String {
            #"[{"id":1,"lines":[{"text":"a","words":[{"text":"x"}]},{"text":"\#(second)","words":[{"text":"y"}]}]}]"#
        }
        _ = try shop.syncPlanned(source("b"))
        try shop.sql(before)
        _ = try shop.syncPlanned(source("c"))
        try shop.sql(after)
        let words = try shop.rows("SELECT * FROM word ORDER BY 1, 2, 3")
        _ = try shop.undoPlanned(2)
        #expect(try shop.rows("SELECT text FROM line WHERE position = 1") == [isSetBack ? "'b'" : "'c'"])
        #expect(try shop.rows("SELECT * FROM word ORDER BY 1, 2, 3") == words)
    }

    /// What belongs to a record whose unique value another record of the run took comes back with it.
    @Test(
        "Records that come back once another one has gone",
        arguments: [
            (#"[{"id":4,"m":"r","xs":[{"k":1,"ys":[{"n":1}]},{"k":2}]}]"#, #"[{"id":3,"m":"r"}]"#),
            (
                #"[{"id":1,"m":"a"},{"id":2,"m":"b"},{"id":3,"m":"c","xs":[{"k":1}]}]"#,
                #"[{"id":1,"m":"b"},{"id":2,"m":"c"}]"#
            ),
        ], [StoreKind.file, .schema])
    func comesBackOnceAnotherOneHasGone(_ source: (first: String, second: String), _ kind: StoreKind) throws {
        let shop = try Workshop()
        if kind == .schema { shop.database = try WorkshopSchema() }
        try shop.define(
            "shop",
            """
            entities:
              T: {table: t, primary_key: [id], unique: [[m]], fields: {id: int, m: string}, children: {xs: {entity: X, from: "xs[*]", key: [k]}}}
              X: {table: x, fields: {k: int}, children: {ys: {entity: Y, from: "ys[*]", ordered: true}}}
              Y: {table: y, fields: {n: int}}
            streams: [{name: a, entity: T, path: remote.json, delete_missing: {mode: hard, max_delete: 100%}}]
            """)
        func rows() throws -> [[String]] {
            try [
                shop.rows("SELECT * FROM t ORDER BY 1"), shop.rows("SELECT * FROM x ORDER BY 1, 2"),
                shop.rows("SELECT * FROM y"),
            ]
        }
        _ = try shop.syncPlanned(source.first)
        let before = try rows()
        _ = try shop.syncPlanned(source.second)
        let (report, _) = try shop.undoPlanned(2)
        #expect(report.left == 0 && report.status == .succeeded)
        #expect(try rows() == before)
    }

    /// The same one level further down.
    @Test(arguments: [StoreKind.file, .schema])
    func comesBackLevelByLevel(_ kind: StoreKind) throws {
        let shop = try Workshop()
        if kind == .schema { shop.database = try WorkshopSchema() }
        try shop.define(
            "shop",
            """
            entities:
              T: {table: t, primary_key: [id], fields: {id: int}, children: {xs: {entity: X, from: "xs[*]", key: [k]}}}
              X: {table: x, unique: [[u]], fields: {k: int, u: string}, children: {ys: {entity: Y, from: "ys[*]", key: [j]}}}
              Y: {table: y, fields: {j: int, w: string}}
            streams: [{name: a, entity: T, path: remote.json, delete_missing: {mode: hard, max_delete: 100%}}]
            """)
        func rows() throws -> [[String]] {
            try [
                shop.rows("SELECT id FROM t ORDER BY 1"), shop.rows("SELECT * FROM x ORDER BY 1, 2"),
                shop.rows("SELECT * FROM y ORDER BY 1, 2, 3"),
            ]
        }
        _ = try shop.syncPlanned(
            #"[{"id":4,"xs":[{"k":1,"u":"r","ys":[{"j":1,"w":"one"},{"j":2,"w":"two"}]}]},{"id":5,"xs":[]}]"#)
        let before = try rows()
        _ = try shop.syncPlanned(#"[{"id":5,"xs":[{"k":1,"u":"r"}]}]"#)
        let (report, _) = try shop.undoPlanned(2)
        #expect(report.left == 0 && report.status == .succeeded)
        #expect(try rows() == before)
    }

    @Test(arguments: Seeds.pairs(cases, in: [StoreKind.file, .schema]))
    func aListIsSetBackOrLeftAsAWhole(_ known: Case, _ kind: StoreKind) throws {
        let shop = try Workshop()
        if kind == .schema { shop.database = try WorkshopSchema() }
        try shop.define(
            "shop",
            """
            entities:
              Script: {table: script, primary_key: id, fields: {id: int}, children: {lines: {entity: Line, from: "lines[*]", ordered: true}}}
              Line: {table: line, fields: {text: string}}
            streams:
              - {name: scripts, entity: Script, path: remote.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        func lines() throws -> String {
            try shop.values("SELECT position || text FROM line ORDER BY position").joined().joined(separator: " ")
        }
        for list in known.source {
            let lines = list.map { #"{"text":"\#($0)"}"# }.joined(separator: ",")
            let report = try shop.syncPlanned(list == ["-"] ? "[]" : #"[{"id":1,"lines":[\#(lines)]}]"#).0
            #expect(report.status == .succeeded, "\(report)")
        }
        if !known.edit.isEmpty { try shop.sql(known.edit) }
        let touched = try lines()
        let (report, recorder) = try shop.undoPlanned(2)
        #expect(try lines() == known.lines)
        #expect(recorder.changes.filter { $0.hasPrefix("conflict") }.sorted() == known.told.sorted())
        #expect(report.left == known.told.count)
        // The next run does the same again, and what stayed is as it is.
        #expect(shop.sync().report.status == .succeeded)
        #expect(try lines() == known.again ?? touched)
        #expect(try shop.quietRun(renewing: true).written == [])
        var edits = 0
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { _ in edits += 1 }
        #expect(edits == (known.edit.isEmpty ? 0 : 1))
    }

    /// A list within a record that people deleted with all that belongs to it, and that the source changes: bases are written, and no
    /// rows.
    @Test(
        "The undo of a run that wrote no row of a list has nothing to leave",
        arguments: [
            ([], ["a"]), (["a"], ["a", "b"]), (["a", "b"], ["c"]), (["a", "b"], []), (["a"], ["b", "c"]),
        ])
    func withoutRows(_ first: [String], _ second: [String]) throws {
        let scripts = try Scripts()
        try scripts.run(first)
        try scripts.shop.sql("DELETE FROM line; DELETE FROM play")
        func known() throws -> [String: [String]] { try scripts.shop.managed().mapValues { $0.sorted() } }
        func edits() throws -> [RecordEdit] {
            var found: [RecordEdit] = []
            try EditReader(store: scripts.shop.open(.reading)).edits(pipelines: nil, entity: nil) { found.append($0) }
            return found
        }
        let before = try (known(), edits())
        let report = try scripts.run(second)
        let (undo, recorder) = try scripts.shop.undoPlanned(#require(report.run))
        #expect(undo.status == .succeeded && recorder.changes == [], "\(recorder.changes)")
        #expect(undo.problems.filter { $0.severity == .warning } == [])
        #expect(try known() == before.0)
        #expect(try edits() == before.1)
    }
}
