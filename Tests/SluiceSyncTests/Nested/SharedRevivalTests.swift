import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// A record of two streams that was deleted here and that one of them brings back: what the other one lists of that which belongs to
/// it comes back as well.
@Suite("What belongs to records that one of several streams brings back")
struct SharedRevivalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How elements are told apart.
        let list: String
        /// Whether a policy brings the record back, and else a decision.
        let isByPolicy: Bool
        /// The stream that says something new.
        let stream: String
        /// The elements in the end.
        let elements: [String]
    }

    static let cases = [false, true].flatMap { isByPolicy in
        ["a", "b"].flatMap { stream in
            let name = "the stream \(stream), by a \(isByPolicy ? "policy" : "decision")"
            return [
                Case(
                    testDescription: "\(name), one by one", list: "key: [k]", isByPolicy: isByPolicy, stream: stream,
                    elements: ["1", "2", "3", "4"]),
                Case(
                    testDescription: "\(name), as one value", list: "ordered: true", isByPolicy: isByPolicy,
                    stream: stream,
                    elements: ["1", "2"]),
            ]
        }
    }

    /// A run in between, which asks about the line alone, does not forget that what is within it was deleted here as well: the stream
    /// that had both is gone by then.
    @Test(arguments: [true, false]) func whatWasDeletedWithinStaysSo(runsBetween: Bool) throws {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {precedence: [a, b]}
            entities:
              Book: {table: books, primary_key: id, fields: {id: int}, children: {lines: {entity: Line, from: "lines[*]", key: [k]}}}
              Line: {table: lines, fields: {k: int, v: string}, children: {notes: {entity: Note, from: "notes[*]", key: [n]}}}
              Note: {table: notes, fields: {n: int}}
            streams:
              - {name: a, entity: Book, path: a.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
              - {name: b, entity: Book, path: b.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        func whole(_ value: String) -> String { #"[{"id":1,"lines":[{"k":1,"v":"\#(value)","notes":[{"n":1}]}]}]"# }
        try shop.put(whole("x"), as: "a.json")
        try shop.put(#"[{"id":1,"lines":[]}]"#, as: "b.json")
        _ = try shop.syncPlanned()
        try shop.sql("DELETE FROM notes; DELETE FROM lines")
        try shop.put("[]", as: "a.json")
        try shop.put(whole("y"), as: "b.json")
        if runsBetween { _ = try shop.syncPlanned() }
        try shop.sql("INSERT INTO lines VALUES (1, 1, 'x')")
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT n FROM notes") == [])
        #expect(try shop.rows("SELECT entity FROM _sluice_conflicts WHERE status = 'open'") == ["'Note'"])
        #expect(try shop.quietRun().written == [])
    }

    @Test(arguments: cases) func lists(_ known: Case) throws {
        let shop = try Workshop()
        let policy = known.isByPolicy ? "remote_wins" : "manual"
        try shop.define(
            "shop",
            """
            merge: {precedence: [a, b]}
            entities:
              Book: {table: books, primary_key: id, on_conflict: {delete_edit: \(policy), default: manual}, fields: {id: int, title: string}, children: {lines: {entity: Line, from: "lines[*]", \(known.list)}}}
              Line: {table: lines, fields: {k: int}}
            streams:
              - {name: a, entity: Book, path: a.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
              - {name: b, entity: Book, path: b.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        func put(_ stream: String, _ title: String) throws {
            let lines = stream == "a" ? #"{"k":1},{"k":2}"# : #"{"k":3},{"k":4}"#
            try shop.put(#"[{"id":1,"title":"\#(title)","lines":[\#(lines)]}]"#, as: "\(stream).json")
        }
        func lines() throws -> [String] { try shop.rows("SELECT k FROM lines ORDER BY k") }
        for stream in ["a", "b"] { try put(stream, "x") }
        #expect(shop.sync().report.status == .succeeded)
        #expect(try lines() == known.elements)
        try shop.sql("DELETE FROM lines; DELETE FROM books")
        try put(known.stream, "y")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        if !known.isByPolicy {
            #expect(try shop.openConflicts.count == 1)
            try decide(shop)
            #expect(try shop.syncPlanned().0.status == .succeeded)
        }
        #expect(try lines() == known.elements)
        #expect(try shop.openConflicts.isEmpty)
        #expect(try shop.quietRun(renewing: true).written == [])
        #expect(try lines() == known.elements)
        var edits = 0
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { _ in edits += 1 }
        #expect(edits == 0)
    }

    /// Takes what the source says. The store is closed in the end: what its last connection tidies up is no change of the next plan.
    private func decide(_ shop: Workshop) throws {
        let store = try shop.open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, .remote) }
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        #expect(decisions.map(\.outcome) == [.resolved])
        try store.commit()
    }
}
