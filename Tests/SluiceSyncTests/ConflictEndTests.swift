import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Why conflicts are over that nobody decided.
@Suite("Ends of conflicts without a decision")
struct ConflictEndTests {
    /// What happens to a record whose field `a` is in conflict: base x, local mine, remote X.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        /// SQL of a person, or what the source says, by turns: each text of the source is read by a run.
        let steps: [Step]
        /// The end of each conflict as the ledger keeps it; nil of an open one, and of one that has none.
        let ends: [String?]

        init(_ name: String, _ steps: [Step], _ ends: [String?]) {
            (testDescription, self.steps, self.ends) = (name, steps, ends)
        }
    }

    enum Step {
        case sql(String)
        case source(String)
    }

    private static let two = #"{"id":2,"a":"p","b":"q"}"#
    private static func says(_ a: String) -> Step { .source(#"[{"id":1,"a":"\#(a)","b":"y"},\#(two)]"#) }
    private static let gone = Step.source("[\(two)]")

    static let cases = [
        Case("the source takes its change back", [says("x")], ["source_reverted"]),
        Case("the edit is taken back", [.sql("UPDATE items SET a = 'x' WHERE id = 1"), says("X")], ["local_reverted"]),
        Case("both come to say the same", [says("mine")], [nil]),
        Case(
            "the row is deleted here", [.sql("DELETE FROM items WHERE id = 1"), says("X")], ["record_conflict 2", nil]),
        Case(
            "the row is deleted here and the source takes its change back",
            [.sql("DELETE FROM items WHERE id = 1"), says("x")], ["row_deleted"]),
        Case(
            "deleted here, and then the source takes its change back",
            [.sql("DELETE FROM items WHERE id = 1"), says("X"), says("x")], ["record_conflict 2", "source_reverted"]),
        Case(
            "deleted here, and brought back",
            [
                .sql("DELETE FROM items WHERE id = 1"), says("X"), .sql("INSERT INTO items VALUES (1, 'x', 'y')"),
                says("X"),
            ], ["record_conflict 2", "row_returned"]),
        Case(
            "deleted here, and then gone at the source", [.sql("DELETE FROM items WHERE id = 1"), says("X"), gone],
            ["record_conflict 2", "gone_at_source"]),
        Case("the record is gone at the source", [gone], ["record_conflict 2", nil]),
        Case("gone at the source, and listed again", [gone, says("x")], ["record_conflict 2", "listed_again"]),
        Case(
            "gone at the source, and the edit is taken back",
            [gone, .sql("UPDATE items SET a = 'x' WHERE id = 1"), gone], ["record_conflict 2", "local_reverted"]),
        Case(
            "gone at the source, and deleted here", [gone, .sql("DELETE FROM items WHERE id = 1"), gone],
            ["record_conflict 2", "row_deleted"]),
        Case(
            "the edit is taken back before the record is gone",
            [.sql("UPDATE items SET a = 'x' WHERE id = 1"), gone], ["gone_at_source"]),
    ]

    @Test(arguments: cases)
    func isKept(_ test: Case) throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y"},\#(Self.two)]"#)
        try shop.sql("UPDATE items SET a = 'mine' WHERE id = 1")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"X","b":"y"},\#(Self.two)]"#)
        for step in test.steps {
            switch step {
            case .sql(let text): try shop.sql(text)
            case .source(let text): _ = try shop.syncPlanned(text)
            }
        }
        let ends = try shop.rows("SELECT coalesce(resolution, '-') FROM _sluice_conflicts ORDER BY id")
        #expect(ends == test.ends.map { "'\($0 ?? "-")'" })
    }

    @Test("The ledger keeps each end, and reads none where it knows no such one")
    func namesAreRead() {
        for name in ConflictEnd.names { #expect(ConflictEnd(rawValue: name)?.name == name) }
        #expect(ConflictEnd(rawValue: "record_conflict 9") == .record(9))
        #expect(
            ConflictEnd.record(9).rawValue == "record_conflict 9" && ConflictEnd.record(9).name == "record_conflict")
        for text in ["", "record_conflict x", "remote", "source_reverted 1"] {
            #expect(ConflictEnd(rawValue: text) == nil, "\(text)")
        }
    }
}
