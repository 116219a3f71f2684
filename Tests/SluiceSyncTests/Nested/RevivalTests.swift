import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// A decision about a record is one about what belongs to it, at every level.
@Suite struct RevivalTests {
    private static let first = ["1/10/1=7", "1/10/2=19", "1/10=a", "1/11=b"]
    private static let second = ["2/10/1=7", "2/10=c", "2=6"]

    /// A conflict of a whole invoice, and how it is decided.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var mode = DeleteRule.Mode.hard
        /// What somebody does between the runs.
        let edit: String
        /// What the source says then.
        let remote: String
        let resolution: Resolution
        let rows: [String]
    }

    private static let gone = #"[{"id":2,"total":6,"lines":[{"id":10,"note":"c","taxes":[{"id":1,"rate":7}]}]}]"#
    private static let changed = Invoices.full.replacing(#""total":5"#, with: #""total":8"#)
    private static let deletion =
        "DELETE FROM tax WHERE line_invoice_id = 1; DELETE FROM line WHERE invoice_id = 1; DELETE FROM invoice WHERE id = 1"
    private static let marking = """
        UPDATE tax SET _deleted_at = 'now' WHERE line_invoice_id = 1;
        UPDATE line SET _deleted_at = 'now' WHERE invoice_id = 1;
        UPDATE invoice SET _deleted_at = 'now' WHERE id = 1
        """

    static let cases =
        [DeleteRule.Mode.hard, .soft].flatMap { mode in
            [
                Case(
                    testDescription: "\(mode): edited here, gone there, stays", mode: mode,
                    edit: "UPDATE invoice SET total = 9 WHERE id = 1", remote: gone, resolution: .local,
                    rows: first + ["1=9"] + second),
                Case(
                    testDescription: "\(mode): edited here, gone there, goes", mode: mode,
                    edit: "UPDATE invoice SET total = 9 WHERE id = 1", remote: gone, resolution: .remote, rows: second),
                Case(
                    testDescription: "\(mode): a tax edited here, gone there, goes", mode: mode,
                    edit: "UPDATE tax SET rate = 0 WHERE line_invoice_id = 1 AND id = 2", remote: gone,
                    resolution: .remote, rows: second),
                Case(
                    testDescription: "\(mode): deleted here, changed there, stays deleted", mode: mode, edit: deletion,
                    remote: changed, resolution: .local, rows: second),
                Case(
                    testDescription: "\(mode): deleted here, changed there, comes back", mode: mode, edit: deletion,
                    remote: changed, resolution: .remote, rows: first + ["1=8"] + second),
                Case(
                    testDescription: "\(mode): a line deleted here, changed there, comes back", mode: mode,
                    edit:
                        "DELETE FROM tax WHERE line_invoice_id = 1; DELETE FROM line WHERE invoice_id = 1 AND id = 10",
                    remote: Invoices.full.replacing(#""note":"a""#, with: #""note":"x""#), resolution: .remote,
                    rows: ["1/10/1=7", "1/10/2=19", "1/10=x", "1/11=b", "1=5"] + second),
            ]
        } + [
            Case(
                testDescription: "marked here, changed there, comes back", mode: .soft, edit: marking, remote: changed,
                resolution: .remote, rows: first + ["1=8"] + second),
            Case(
                testDescription: "marked here alone, changed there, comes back", mode: .soft,
                edit: "UPDATE invoice SET _deleted_at = 'now' WHERE id = 1", remote: changed, resolution: .remote,
                rows: first + ["1=8"] + second),
        ]

    @Test(arguments: cases)
    func aDecisionHoldsForWhatBelongsToTheRecord(_ known: Case) throws {
        let invoices = try Invoices(mode: known.mode)
        try invoices.run(Invoices.full)
        try invoices.shop.sql(known.edit)
        try invoices.run(known.remote)
        let open = try (invoices.rows(), managed(invoices))
        let run = try invoices.resolve(known.resolution)
        #expect(try invoices.rows() == known.rows)
        #expect(try invoices.shop.rows("PRAGMA foreign_key_check") == [])
        // What a text leaves out is known by its fingerprint from the run behind the next one on.
        _ = try invoices.shop.quietRun()
        let (quiet, written) = try invoices.shop.quietRun()
        #expect(written == [], "\(quiet)")
        #expect(try invoices.shop.undoPlanned(run).report.status == .succeeded)
        #expect(try invoices.rows() == open.0)
        #expect(try managed(invoices) == open.1)
    }

    @Test("A record stays with all that belongs to it where some of that is refused", arguments: [false, true])
    func aDecisionIsCarriedOutWholeOrNotAtAll(isOnPostgres: Bool) throws {
        let invoices = try Invoices()
        if isOnPostgres { invoices.shop.database = try WorkshopSchema() }
        try invoices.run(Invoices.full)
        try invoices.shop.sql("UPDATE invoice SET total = 9 WHERE id = 1")
        try invoices.run(Self.gone)
        let open = try (invoices.rows(), invoices.shop.conflicts)
        try invoices.shop.sql(
            isOnPostgres
                ? """
                CREATE FUNCTION keeps() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN IF old.id = 2 THEN RAISE EXCEPTION ''kept here''; END IF; RETURN old; END';
                CREATE TRIGGER keeps BEFORE DELETE ON tax FOR EACH ROW EXECUTE FUNCTION keeps()
                """
                : """
                CREATE TRIGGER keeps BEFORE DELETE ON tax WHEN old.id = 2
                BEGIN SELECT raise(ABORT, 'kept here'); END
                """)
        do {
            let store = try invoices.shop.open(.settling)
            try store.begin()
            var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, .remote) }
            #expect(try ConflictResolver(store: store).carryOut(&decisions, who: "ada").ids == [])
            try store.commit()
            guard case .refused(let reason)? = decisions.first?.outcome else {
                Issue.record("\(decisions)")
                return
            }
            #expect(reason.contains("Tax {") && reason.contains("kept here"), "\(reason)")
        }
        #expect(try invoices.rows() == open.0)
        #expect(try invoices.shop.conflicts == open.1)
        try invoices.shop.sql(isOnPostgres ? "DROP TRIGGER keeps ON tax" : "DROP TRIGGER keeps")
        _ = try invoices.resolve(.remote)
        #expect(try invoices.rows().filter { $0.hasPrefix("1") } == [])
    }

    @Test func whatStandsInTheWayOfARecordMayGoWithALaterOne() throws {
        let invoices = try Invoices()
        try invoices.run(Invoices.full)
        try invoices.shop.sql(
            """
            UPDATE invoice SET total = 9;
            CREATE TRIGGER second_first BEFORE DELETE ON invoice WHEN old.id = 1 AND EXISTS (SELECT 1 FROM invoice WHERE id = 2)
            BEGIN SELECT raise(ABORT, 'not before 2'); END
            """)
        try invoices.run("[]")
        _ = try invoices.resolve(.remote)
        #expect(try invoices.rows() == [])
        #expect(try invoices.shop.quietRun().written == [])
    }

    @Test func whatTheBaseDoesNotHoldComesWithTheNextRun() throws {
        let long = Invoices.full.replacing(#""note":"a""#, with: #""note":"a note that is too long to be kept""#)
        let invoices = try Invoices()
        try invoices.run(long)
        try invoices.shop.sql(Self.deletion)
        let before = try invoices.rows()
        try invoices.run(long.replacing(#""total":5"#, with: #""total":8"#))
        let run = try invoices.resolve(.remote)
        #expect(try invoices.rows() == ["1/11=b", "1=8"] + Self.second)
        try invoices.run()
        let note = "1/10=a note that is too long to be kept"
        #expect(try invoices.rows() == ["1/10/1=7", "1/10/2=19", note, "1/11=b", "1=8"] + Self.second)
        #expect(try invoices.shop.quietRun().written == [])
        #expect(try invoices.shop.undoPlanned(run + 1).report.status == .succeeded)
        #expect(try invoices.shop.undoPlanned(run).report.status == .succeeded)
        #expect(try invoices.rows() == before)
    }

    /// All that an undo puts back, whatever place the rows have in their files.
    private func managed(_ invoices: Invoices) throws -> [String: [String]] {
        try invoices.shop.managed().mapValues { $0.sorted() }
    }

    /// What the source says of an invoice that was deleted here with all that belongs to it, and what it is then.
    struct Return: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let remote: String
        let rows: [String]
    }

    static let returns = [
        Return(
            testDescription: "nothing of its lines", remote: #"{"id":1,"total":8}"#,
            rows: ["1/10/1=7", "1/10/2=19", "1/10=a", "1/11=b", "1=8"]),
        Return(testDescription: "that it has no lines", remote: #"{"id":1,"total":8,"lines":[]}"#, rows: ["1=8"]),
        Return(
            testDescription: "one line less", remote: #"{"id":1,"total":8,"lines":[{"id":11,"note":"b"}]}"#,
            rows: ["1/11=b", "1=8"]),
        Return(
            testDescription: "nothing of a line's note and taxes",
            remote: #"{"id":1,"total":8,"lines":[{"id":10},{"id":11,"note":"c"}]}"#,
            rows: ["1/10/1=7", "1/10/2=19", "1/10=a", "1/11=c", "1=8"]),
        Return(
            testDescription: "nothing of one tax's rate, and another one",
            remote: #"{"id":1,"total":8,"lines":[{"id":10,"note":"x","taxes":[{"id":1},{"id":3,"rate":5}]}]}"#,
            rows: ["1/10/1=7", "1/10/3=5", "1/10=x", "1=8"]),
        Return(
            testDescription: "something else of a tax alone",
            remote: #"{"id":1,"total":5,"lines":[{"id":10,"taxes":[{"id":2,"rate":20}]},{"id":11}]}"#,
            rows: ["1/10/2=20", "1/10=a", "1/11=b", "1=5"]),
        Return(
            testDescription: "something else of a line alone",
            remote: #"{"id":1,"lines":[{"id":10,"note":"x"},{"id":11,"note":"b"}]}"#,
            rows: ["1/10/1=7", "1/10/2=19", "1/10=x", "1/11=b", "1=5"]),
    ]

    @Test(
        "A record comes back with what the source says, by a policy as by a decision", arguments: returns,
        [ConflictPolicy.remoteWins, .manual])
    func aRecordIsWhatTheSourceSays(_ known: Return, _ policy: ConflictPolicy) throws {
        let invoices = try Invoices(policy: policy)
        try invoices.run(Invoices.full)
        try invoices.shop.sql(Self.deletion)
        let before = try (invoices.rows(), managed(invoices))
        let report = try invoices.run(Self.gone.replacing("[{\"id\":2", with: "[\(known.remote),{\"id\":2"))
        let asked = try managed(invoices)
        let run = policy == .manual ? try invoices.resolve(.remote) : try #require(report.run)
        #expect(try invoices.rows() == known.rows + Self.second)
        // What a text leaves out is known by its fingerprint from the run behind the next one on.
        _ = try invoices.shop.quietRun()
        let (quiet, written) = try invoices.shop.quietRun()
        #expect(written == [], "\(quiet)")
        #expect(try invoices.shop.undoPlanned(run).report.status == .succeeded)
        #expect(try invoices.rows() == before.0)
        #expect(try managed(invoices) == (policy == .manual ? asked : before.1))
    }

    @Test(arguments: [DeleteRule.Mode.hard, .soft])
    func aPolicyBringsBackWhatBelongsToTheRecord(_ mode: DeleteRule.Mode) throws {
        let invoices = try Invoices(mode: mode, policy: .remoteWins)
        try invoices.run(Invoices.full)
        try invoices.shop.sql(Self.deletion)
        let before = try (invoices.rows(), managed(invoices))
        let report = try invoices.run(Self.changed)
        #expect(try invoices.rows() == Self.first + ["1=8"] + Self.second)
        #expect(report.entities["Line"]?.insert == 2)
        #expect(report.entities["Tax"]?.insert == 2)
        #expect(try invoices.shop.quietRun().written == [])
        #expect(try invoices.shop.undoPlanned(#require(report.run)).report.status == .succeeded)
        #expect(try invoices.rows() == before.0)
        #expect(try managed(invoices) == before.1)
    }
}
