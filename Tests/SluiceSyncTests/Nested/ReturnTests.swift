import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import Testing

/// A record that comes back after it was deleted on both sides is a new one, with all that belongs to it.
@Suite struct ReturnTests {
    private static let deletion =
        "DELETE FROM tax WHERE line_invoice_id = 1; DELETE FROM line WHERE invoice_id = 1; DELETE FROM invoice WHERE id = 1"
    private static let second = #"{"id":2,"total":6,"lines":[{"id":10,"note":"c","taxes":[{"id":1,"rate":7}]}]}"#

    /// What somebody deletes, and how the source says that it is gone.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var mode = DeleteRule.Mode.hard
        let edit: String
        let gone: String
    }

    static let cases = [DeleteRule.Mode.hard, .soft].flatMap { mode in
        [("stated", #"[{"id":1,"deleted":true},\#(second)]"#), ("not listed", "[\(second)]")].flatMap { name, gone in
            [
                ("all of it", deletion),
                (
                    "a line alone",
                    "DELETE FROM tax WHERE line_id = 10 AND line_invoice_id = 1; DELETE FROM line WHERE id = 10 AND invoice_id = 1"
                ),
                ("a tax alone", "DELETE FROM tax WHERE line_invoice_id = 1 AND id = 2"),
            ].map { part, edit in
                Case(testDescription: "\(mode): \(part) deleted here, \(name)", mode: mode, edit: edit, gone: gone)
            }
        }
    }

    @Test(arguments: cases)
    func whatBelongsToItComesBackToo(_ known: Case) throws {
        let invoices = try Invoices(mode: known.mode)
        invoices.shop.definition?.streams[0].deletedWhen = ".deleted == true"
        try invoices.run(Invoices.full)
        let all = try invoices.rows()
        try invoices.shop.sql(known.edit)
        try invoices.run(known.gone)
        #expect(try invoices.shop.quietRun().written == [])
        #expect(try invoices.rows() == ["2/10/1=7", "2/10=c", "2=6"])
        let before = try invoices.shop.managed().mapValues { $0.sorted() }
        let report = try invoices.run(Invoices.full)
        #expect(try invoices.rows() == all)
        #expect(try invoices.shop.quietRun().written == [])
        #expect(try invoices.shop.undoPlanned(#require(report.run)).report.status == .succeeded)
        #expect(try invoices.shop.managed().mapValues { $0.sorted() } == before)
    }

    @Test(
        "A list that is one value comes back as it was where the source leaves it out",
        arguments: [ConflictPolicy.remoteWins, .manual])
    func listsThatAreLeftOut(_ policy: ConflictPolicy) throws {
        let scripts = try Scripts(policy: policy)
        try scripts.put(Scripts.play(["a", "b"], tags: ["1x"]))
        try scripts.run()
        try scripts.shop.sql("DELETE FROM line; DELETE FROM tag; DELETE FROM play")
        try scripts.put(#"[{"id":1,"tags":[{"id":1,"note":"y"}]}]"#)
        try scripts.run()
        if policy == .manual { try scripts.resolve(.remote) }
        #expect(try scripts.lines == "0a 1b" && scripts.tags == "1y")
        #expect(try scripts.shop.quietRun().written == [])
    }
}
