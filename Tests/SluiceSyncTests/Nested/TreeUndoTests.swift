import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// What a run inserted is taken back record by record: what was touched since stays, and so does what it belongs to.
@Suite struct TreeUndoTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var mode = DeleteRule.Mode.hard
        /// What the source said before the run, if anything.
        var before = "[]"
        /// What somebody does between the run and its undo.
        let edit: String
        /// What remains.
        let rows: [String]
        /// What is told of what stays.
        let told: [String]
        var counts = ""
    }

    static let cases = [
        Case(testDescription: "nothing was touched", edit: "", rows: [], told: []),
        Case(
            testDescription: "a line was edited",
            edit: "UPDATE line SET note = 'mine' WHERE invoice_id = 1 AND id = 11",
            rows: ["1/11=mine", "1=5"],
            told: [
                #"conflict edit_delete {"invoice_id":1,"id":11} note:local_override("b" "mine" - "mine")"#,
                #"conflict held_below {"id":1}"#,
            ]),
        Case(
            testDescription: "a tax was edited",
            edit: "UPDATE tax SET rate = 0 WHERE line_invoice_id = 1 AND id = 2",
            rows: ["1/10/2=0", "1/10=a", "1=5"],
            told: [
                #"conflict edit_delete {"line_invoice_id":1,"line_id":10,"id":2} rate:local_override(19 0 - 0)"#,
                #"conflict held_below {"invoice_id":1,"id":10}"#, #"conflict held_below {"id":1}"#,
            ]),
        Case(
            testDescription: "a line was added", edit: "INSERT INTO line VALUES (1, 12, 'mine')",
            rows: ["1/12=mine", "1=5"], told: [#"conflict held_below {"id":1}"#]),
        Case(
            testDescription: "a line was deleted",
            edit: "DELETE FROM tax WHERE line_invoice_id = 1; DELETE FROM line WHERE invoice_id = 1 AND id = 10",
            rows: [], told: []),
        Case(
            testDescription: "an invoice was edited", edit: "UPDATE invoice SET total = 0 WHERE id = 1",
            rows: ["1=0"], told: [#"conflict edit_delete {"id":1} total:local_override(5 0 - 0)"#]),
        Case(
            testDescription: "a line that another run brought stays with its invoice", mode: .soft,
            edit: "INSERT INTO line (invoice_id, id, note, _deleted_at) VALUES (1, 12, 'mine', 'now')",
            rows: ["1=5"], told: [#"conflict held_below {"id":1}"#]),
        Case(
            testDescription: "the invoice came back, and a line of it was edited",
            before: Invoices.full,
            edit: "UPDATE line SET note = 'mine' WHERE invoice_id = 1 AND id = 11",
            rows: ["1/11=mine", "1=5"],
            told: [
                #"conflict edit_delete {"invoice_id":1,"id":11} note:local_override("b" "mine" - "mine")"#,
                #"conflict held_below {"id":1}"#,
            ]),
    ]

    @Test(arguments: cases)
    func aTreeIsTakenBackAsFarAsNothingWasTouched(_ known: Case) throws {
        let invoices = try Invoices(mode: known.mode)
        try invoices.run(known.before)
        if known.before != "[]" { try invoices.run("[]") }
        let run = try #require(try invoices.run(Invoices.full).run)
        try invoices.shop.sql(known.edit)
        let (report, recorder) = try invoices.shop.undoPlanned(run)
        #expect(report.status == (known.told.isEmpty ? .succeeded : .partial), "\(report)")
        #expect(report.left == known.told.count)
        #expect(recorder.changes.filter { $0.hasPrefix("conflict") }.sorted() == known.told.sorted())
        #expect(try invoices.rows() == known.rows)
        #expect(try invoices.shop.rows("PRAGMA foreign_key_check") == [])
        // What was taken back comes again, and what stayed is as it is.
        guard let undo = report.run else { return }
        #expect(invoices.shop.undo(undo).report.status == .succeeded)
        #expect(try invoices.shop.rows("PRAGMA foreign_key_check") == [])
        #expect(try invoices.shop.quietRun().0.summary.hasWrites == false)
    }
}
