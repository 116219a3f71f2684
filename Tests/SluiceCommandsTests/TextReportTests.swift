import SluiceCommands
import SluiceReport
import SluiceStore
import Testing

@Suite struct TextReportTests {
    private func everything(_ recorder: any ReportRecorder) {
        recorder.changed(Sample.insert(id: 16, title: "New"), schema: Sample.schema)
        recorder.changed(Sample.update, schema: Sample.schema)
        recorder.conflict(Sample.conflict(id: 81))
        recorder.changed(Sample.conflictChange, schema: Sample.schema)
        recorder.conflict(Sample.conflict(id: 80, key: "{\"id\":5}", status: .converged))
        recorder.quarantined(Sample.quarantined)
    }

    @Test func aRunShowsEachChangeFieldByFieldAndWhatToDoNext() throws {
        let text = try Sample.text(of: Sample.textRecorder(), Sample.report(), everything)
        #expect(
            text == """
                Run 3 of shop: 1 inserted, 1 updated, 1 in conflict, 1 not written, 2 unchanged  (0.4 s)

                1 inserted into books
                + Book 16  title "New", stock true

                1 updated in books
                ~ Book 17
                    title  "Mine"  (edited here, stays; the source says "Old")
                    price  "12.50" → "13.90"

                1 conflict of books no longer open
                  Book 5, title: conflict 80, closed: both sides say the same

                1 record in conflict in books: changed here and at the source
                  base: the source before; local: the table now, kept until a decision; remote: the source now
                ! Book 18
                    title  base "A"   local "B"   remote "C"  (conflict 81)
                    stock  false → true

                1 not written to books: kept in quarantine. All other records go on.
                ! Book 19 is not written (quarantine 4)
                    /price  "x"  Expected a decimal.

                1 record is in conflict; what the table holds stays until somebody decides:
                  sluice conflicts show 81 --store sqlite:shop.db                   # what each decision would do
                  sluice conflicts resolve 81 --take local --store sqlite:shop.db   # keeps what the table holds
                  sluice conflicts resolve 81 --take remote --store sqlite:shop.db  # takes what the source says
                  sluice conflicts list --store sqlite:shop.db                      # all that are open
                To see a record that is not written, and why:
                  sluice quarantine show 4 --store sqlite:shop.db

                """)
    }

    @Test func aPlanSpeaksOfWhatWouldHappen() throws {
        var report = Sample.report(.plan)
        report.streams[0].newConflicts = 1
        let text = try Sample.text(of: Sample.textRecorder(), report) { recorder in
            recorder.changed(Sample.insert(id: 16, title: "New"), schema: Sample.schema)
        }
        #expect(
            text == """
                Plan for shop: 1 to insert, 1 to update, 1 in conflict, 1 not written, 2 unchanged

                1 to insert into books
                + Book 16  title "New", stock true

                Nothing was written yet. To do it:
                  sluice run shop.yaml --store sqlite:shop.db
                1 record in conflict: the run writes everything else and asks for a decision. After it:
                  sluice conflicts list --store sqlite:shop.db

                """)
    }

    @Test func aPlanTellsOfConflictsThatWereThereBefore() throws {
        var report = Sample.report(.plan)
        report.streams[0].summary = RunSummary()
        report.streams[0].summary.conflict = 2
        let text = try Sample.text(of: Sample.textRecorder(), report) { _ in }
        #expect(
            text == """
                Plan for shop: nothing to change, 2 in conflict

                2 records in conflict since an earlier run. To see and decide that:
                  sluice conflicts list --store sqlite:shop.db

                """)
    }

    @Test func aRunWithoutChangesIsOneLine() throws {
        var report = Sample.report()
        report.streams[0].summary = RunSummary()
        report.streams[0].summary.unchanged = 1_234_567
        let text = try Sample.text(of: Sample.textRecorder(), report) { _ in }
        #expect(text == "Run 3 of shop: nothing changed, 1,234,567 unchanged  (0.4 s)\n")
    }

    @Test func aFailedRunShowsItsErrorAndNoChanges() throws {
        var report = RunReport(pipeline: "shop", command: .run, startedAt: "")
        report.status = .failed
        report.problems = [RunProblem(code: "fetch_failed", severity: .error, message: "No \u{1B}[2Janswer.")]
        let text = try Sample.text(of: Sample.textRecorder(), report, everything)
        #expect(text == "Run of shop: failed, the store is as before\nerror: No \\u{1B}[2Janswer.\n")
    }

    /// A statement that was interrupted has the code that a stopped run has, and only the latter is told by the headline alone.
    @Test(arguments: [RunReport.Status.failed, .interrupted])
    func anInterruptedStatementIsToldAsAnError(_ status: RunReport.Status) throws {
        var report = RunReport(pipeline: "shop", command: .run, startedAt: "")
        report.status = status
        report.problems = [
            RunProblem(code: "interrupted", severity: .error, message: "The work on `shop` was interrupted.")
        ]
        let text = try Sample.text(of: Sample.textRecorder(), report, everything)
        #expect(text.contains("error: The work on `shop` was interrupted.\n") == (status == .failed), "\(text)")
    }

    /// Whether something was kept is not claimed where that is not known.
    @Test func aRunWhoseCommitGotNoAnswer() throws {
        var report = RunReport(pipeline: "shop", command: .run, startedAt: "")
        report.status = .failed
        report.problems = [RunProblem(code: "outcome_unknown", severity: .error, message: "No answer.")]
        let text = try Sample.text(of: Sample.textRecorder(), report, everything)
        #expect(text == "Run of shop: failed, and it is not known whether the store has it\nerror: No answer.\n")
    }

    @Test func aProblemNamesItsStreamOnce() throws {
        var report = Sample.report()
        var other = RunProblem(code: "fetch_failed", severity: .error, message: "No answer.")
        var own = RunProblem(code: "token_held", severity: .warning, message: "The token of `books` stays.")
        (other.stream, own.stream) = ("books", "books")
        report.problems = [other, own]
        let text = try Sample.text(of: Sample.textRecorder(), report) { _ in }
        #expect(text.contains("\nerror: stream `books`: No answer.\nwarning: The token of `books` stays.\n"), "\(text)")
    }

    @Test func refusedDeletesAreVisible() throws {
        var report = Sample.report()
        report.status = .refused
        report.refusedDeletes = RefusedDeletes(count: 12, needsFull: false)
        report.streams[0].summary.deleteRefused = 12
        report.problems = [
            RunProblem(code: "incomplete_scan", severity: .warning, message: "A warning."),
            RunProblem(code: "deletes_refused", severity: .error, message: "Use `--allow-deletes 12`."),
        ]
        let text = try Sample.text(of: Sample.textRecorder(), report) { _ in }
        #expect(text.contains(", 12 deletes refused"))
        #expect(text.contains("\nwarning: A warning.\nerror: Use `--allow-deletes 12`.\n"))
        #expect(
            text.contains(
                """
                To see what would be deleted, and to delete it after all:
                  sluice plan shop.yaml --store sqlite:shop.db --allow-deletes 12  # lists what would be deleted
                  sluice run shop.yaml --store sqlite:shop.db --allow-deletes 12   # deletes them

                """))
    }

    @Test func changesBeyondTheLimitAreCounted() throws {
        var report = Sample.report()
        report.streams[0].summary.insert = 5
        let text = try Sample.text(of: Sample.textRecorder(limit: 2), report) { recorder in
            for id in 1...5 as ClosedRange<Int64> {
                if recorder.wantsChanges {
                    recorder.changed(Sample.insert(id: id, title: "T"), schema: Sample.schema)
                } else {
                    recorder.skippedChange(of: Sample.schema)
                }
            }
        }
        #expect(text.contains("\n5 inserted into books, the first 2 of them listed\n"))
        #expect(text.contains("+ Book 2  "))
        #expect(!text.contains("+ Book 3  "))
        let listing = "`sluice history 3 --limit all --store sqlite:shop.db`"
        #expect(text.contains("  … and 3 more changes; list more with \(listing)\n"))
    }

    @Test func aConflictOfWhichNothingElseChangesIsListedOnItsOwn() throws {
        let text = try Sample.text(of: Sample.textRecorder(), Sample.report()) { recorder in
            recorder.conflict(Sample.conflict(id: 81))
            recorder.conflict(Sample.conflict(id: 82, key: "{\"id\":20}", field: nil, kind: "edit_delete"))
        }
        #expect(
            text.contains(
                """
                ! Book 18
                    title  base "A"   local "B"   remote "C"  (conflict 81)
                ! Book 20  (conflict 82)
                    edited here, gone from the source: the row stays until somebody decides

                """))
    }

    @Test func aRestartVoidsWhatWasSaid() throws {
        let text = try Sample.text(of: Sample.textRecorder(), Sample.report()) { recorder in
            everything(recorder)
            recorder.restart()
            recorder.changed(Sample.insert(id: 99, title: "T"), schema: Sample.schema)
        }
        #expect(text.contains("+ Book 99"))
        #expect(!text.contains("Book 16"))
        #expect(!text.contains("quarantine show"))
    }

    @Test func valuesCannotReachTheTerminal() throws {
        let text = try Sample.text(of: Sample.textRecorder(), Sample.report()) { recorder in
            recorder.changed(Sample.insert(id: 1, title: "a\u{1B}[2J\u{9B}\u{202E}"), schema: Sample.schema)
        }
        #expect(text.contains(#"title "a\u001b[2J\u{9B}\u{202E}""#))
        #expect(
            text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)) })
    }

    @Test func coloursAreThereWhereAskedFor() throws {
        let text = try Sample.text(of: Sample.textRecorder(isColored: true), Sample.report(), everything)
        for code in ["\u{1B}[32m+", "\u{1B}[33m~", "\u{1B}[35m!"] { #expect(text.contains(code)) }
    }

    @Test func severalStreamsHaveATable() throws {
        var report = Sample.report()
        var other = StreamReport(stream: "tags", entity: "Tag")
        other.read = 1200
        other.summary.unchanged = 1200
        report.streams.append(other)
        let text = try Sample.text(of: Sample.textRecorder(), report) { _ in }
        #expect(
            text.contains(
                """
                  stream   read  insert  update  conflict  not written  unchanged
                  books       6       1       1         1            1          2
                  tags    1,200       0       0         0            0      1,200

                """))
    }
}
