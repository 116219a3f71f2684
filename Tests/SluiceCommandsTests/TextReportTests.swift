import SluiceCommands
import SluiceMerge
import SluiceStore
import SluiceSync
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

    @Test func aRunShowsEachChangeFieldByField() throws {
        let text = try Sample.text(of: Sample.textRecorder(), Sample.report(), everything)
        #expect(
            text == """
                Run 3 of shop: 1 inserted, 1 updated, 1 conflict, 1 not valid, 2 unchanged  (0.4 s)

                + Book 16  title "New", stock true
                ~ Book 17
                    title  "Mine"  (edited here, kept; the source says "Old")
                    price  "12.50" → "13.90"
                ! Book 18
                    title  base    "A"
                           local   "B"  (kept, conflict 81)
                           remote  "C"
                    stock  false → true
                  Book 5 title: conflict 80 closes, since both sides say the same
                ! Book 19 is not valid (quarantine 4)
                    /price  "x"  Expected a decimal.

                1 record is in conflict: what the store holds stands until somebody decides. \
                See `sluice conflicts list --store sqlite:shop.db`.
                To see a record that is not valid: `sluice quarantine show 4 --store sqlite:shop.db`.

                """)
    }

    @Test func aPlanSpeaksOfWhatWouldHappen() throws {
        let text = try Sample.text(of: Sample.textRecorder(), Sample.report(.plan)) { _ in }
        #expect(text.hasPrefix("Plan for shop: 1 to insert, 1 to update, 1 conflict, 1 not valid, 2 unchanged\n"))
        #expect(!text.contains("conflicts list"))
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

    @Test func refusedDeletesAreVisible() throws {
        var report = Sample.report()
        report.status = .refused
        report.refusedDeletes = 12
        report.problems = [
            RunProblem(code: "incomplete_scan", severity: .warning, message: "A warning."),
            RunProblem(code: "deletes_refused", severity: .error, message: "Use `--allow-deletes 12`."),
        ]
        let text = try Sample.text(of: Sample.textRecorder(), report) { _ in }
        #expect(text.contains(", 12 deletes refused"))
        #expect(text.hasSuffix("warning: A warning.\nerror: Use `--allow-deletes 12`.\n"))
    }

    @Test func changesBeyondTheLimitAreCounted() throws {
        let text = try Sample.text(of: Sample.textRecorder(limit: 2), Sample.report()) { recorder in
            for id in 1...5 as ClosedRange<Int64> {
                if recorder.wantsChanges {
                    recorder.changed(Sample.insert(id: id, title: "T"), schema: Sample.schema)
                } else {
                    recorder.skippedChange()
                }
            }
        }
        #expect(text.contains("+ Book 2  "))
        #expect(!text.contains("+ Book 3  "))
        #expect(text.contains("  … and 3 more changes; list more with `--changes N` or `--changes all`\n"))
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
                    title  base    "A"
                           local   "B"  (kept, conflict 81)
                           remote  "C"
                ! Book 20  gone from the source, edited here: the row stays, conflict 82

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
            recorder.changed(Sample.insert(id: 1, title: "a\u{1B}[2J\u{9B}\nb\u{202E}"), schema: Sample.schema)
        }
        #expect(text.contains(#"title "a\u001b[2J\u{9B}\nb\u{202E}""#))
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
                  stream   read  insert  update  conflict  not valid  unchanged
                  books       6       1       1         1          1          2
                  tags    1,200       0       0         0          0      1,200

                """))
    }
}
