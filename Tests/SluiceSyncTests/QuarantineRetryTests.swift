import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Records that leave the quarantine because their pipeline was mended, not their source.
@Suite("Retry of records in quarantine")
struct QuarantineRetryTests {
    /// Items whose `n` is an int, which is the mistake.
    private func shop(_ fields: [FieldDefinition]? = nil) throws -> Workshop {
        try Workshop(
            fields: try fields ?? [field("id", .int), field("n", .int), field("m")],
            rule: DeleteRule(mode: .hard, maximum: .percent(100)))
    }

    private func mend(_ shop: Workshop) throws {
        shop.fields[1] = try field("n", .int, map: ["x": .json("10"), "y": .json("20")])
    }

    @Test("What fits now is taken, its entry closed, and the next run has nothing to do")
    func taken() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"n":"x"},{"id":2,"n":"5"},{"id":3,"n":"y","m":"z"}]"#)
        try mend(shop)
        let (report, recorder) = try shop.retry()
        #expect(report.status == .succeeded && report.run == 2)
        #expect(report.summary.text == "insert 2")
        #expect(report.streams.map(\.read) == [2] && report.streams.map(\.isComplete) == [false])
        #expect(report.retryText == "left 2, stayed 0, refused none")
        #expect(recorder.changes.count == 2)
        #expect(try shop.items == ["1|10|NULL", "2|5|NULL", "3|20|'z'"])
        #expect(
            try shop.quarantine == [#"1 {"id":1} type_mismatch closed"#, #"2 {"id":3} type_mismatch closed"#])
        #expect(
            try shop.rows("SELECT command, status, inserted, quarantined FROM _sluice_runs")
                == ["'run'|'succeeded'|1|2", "'retry'|'succeeded'|2|0"])
        let (again, written) = try shop.quietRun(renewing: true)
        #expect(again.summary.text == "unchanged 3")
        #expect(written == [])
        let (empty, _) = try shop.retry()
        #expect(empty.retryText == "left 0, stayed 0, refused none")
        #expect(empty.run == nil && empty.streams.isEmpty)
        #expect(try shop.rows("SELECT count(*) FROM _sluice_runs") == ["4"])
    }

    @Test("It is a merge of three sides: a correction by hand stands, and what both changed is a conflict")
    func merged() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"n":1,"m":"a"},{"id":2,"n":2,"m":"a"}]"#)
        try shop.sql("UPDATE items SET m = 'mine'")
        _ = try shop.syncPlanned(#"[{"id":1,"n":"x","m":"a"},{"id":2,"n":"y","m":"b"}]"#)
        #expect(try shop.items == ["1|1|'mine'", "2|2|'mine'"])
        // The mapping gives the field up: its column is of another type.
        shop.fields = [try field("id", .int), try field("m")]
        let (report, recorder) = try shop.retry()
        #expect(report.summary.text == "unchanged 1, conflict 1")
        #expect(report.retryText == "left 2, stayed 0, refused none")
        #expect(recorder.conflicts.map(\.kind) == ["edit_edit"])
        #expect(try shop.items == ["1|1|'mine'", "2|2|'mine'"])
        #expect(try shop.conflicts == [#"edit_edit m "a" "mine" "b" open 1"#])
        let (again, written) = try shop.quietRun(renewing: true)
        #expect(again.summary.text == "unchanged 1, conflict 1")
        #expect(written == [])
    }

    @Test("What still does not fit stays under its number, with the reason of today")
    func stays() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"n":"x"},{"id":2,"n":"y","m":"z"},{"n":"w"}]"#)
        try mend(shop)
        shop.fields[2].isRequired = true
        let (report, recorder) = try shop.retry()
        #expect(report.summary.text == "insert 1, quarantined 2")
        #expect(report.retryText == "left 1, stayed 2, refused none")
        #expect(recorder.quarantine.map(\.id) == [1, 3])
        #expect(
            try shop.quarantine == [
                #"1 {"id":1} missing_value open"#, #"2 {"id":2} type_mismatch closed"#, "3 - missing_key open",
            ])
        #expect(try shop.rows("SELECT first_run, last_run FROM _sluice_quarantine WHERE id = 1") == ["1|2"])
        // The same once more changes nothing but the runs.
        let before = try shop.contents()
        _ = try shop.retry()
        #expect(try shop.contents() == before)
    }

    @Test("Nothing counts as gone, whatever the retry leaves out")
    func noDeletes() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"n":1},{"id":2,"n":2},{"id":3,"n":"x"}]"#)
        shop.fields = [try field("id", .int), try field("m")]
        let (report, _) = try shop.retry()
        #expect(report.summary.text == "insert 1" && report.problems.isEmpty)
        #expect(try shop.rows("SELECT id FROM items ORDER BY 1") == ["1", "2", "3"])
    }

    @Test("A record that a run has read since is not set back, even if its key was not known then")
    func outdated() throws {
        let shop = try shop([try field("id", .int, from: "id"), try field("n")])
        _ = try shop.syncPlanned(#"[{"id":1,"n":"old"}]"#)
        _ = try shop.syncPlanned(#"[{"uid":1,"n":"between"},{"uid":2,"n":"new"}]"#)
        #expect(try shop.items == ["1|'old'"])
        // A scan with a record that has no key is not complete, so the entries stay.
        _ = try shop.syncPlanned(#"[{"id":1,"n":"newest"},{"n":"?"}]"#)
        shop.fields[0] = try field("id", .int, from: "uid")
        let (report, _) = try shop.retry()
        #expect(report.summary.text == "insert 1, quarantined 1")
        #expect(report.retryText == "left 1, stayed 1, refused 1")
        #expect(report.problems.map(\.code) == ["retry_refused"])
        #expect(report.problems.map(\.severity) == [.warning])
        #expect(try shop.items == ["1|'newest'", "2|'new'"])
        #expect(
            try shop.quarantine == ["1 - missing_key open", "2 - missing_key closed", "3 - missing_key open"])
    }

    @Test("A run that reads a key closes what was kept of it before, even where the scan is not complete")
    func readSince() throws {
        let shop = try shop()
        let junk = #"{"m":"no key"}"#
        _ = try shop.syncPlanned(#"[{"id":1,"n":"x"},{"id":2,"n":"x"},\#(junk)]"#)
        shop.fields[2] = try field("m", required: true)
        // Read and taken; read and refused for another reason.
        _ = try shop.syncPlanned(#"[{"id":1,"n":1,"m":"a"},{"id":2,"n":2},\#(junk)]"#)
        #expect(
            try shop.quarantine == [
                #"1 {"id":1} type_mismatch closed"#, #"2 {"id":2} type_mismatch closed"#, "3 - missing_key open",
                #"4 {"id":2} missing_value open"#,
            ])
        let (report, _) = try shop.retry(QuarantineSelection(ids: [1, 2, 77]))
        #expect(report.retryText == "left 0, stayed 0, refused 1 2")
        #expect(report.retry?.known == [1, 2] && report.run == nil)
        #expect(report.problems.first?.message == "Record 1 was not tried again: it left the quarantine in run 2.")
    }

    @Test("Several entries that turn out to be of one key: the last one stands")
    func duplicates() throws {
        let shop = try shop([try field("id", .int), try field("n")])
        _ = try shop.syncPlanned(#"[{"uid":1,"n":"a"},{"uid":2,"n":"b"},{"uid":1,"n":"c"}]"#)
        shop.fields[0] = try field("id", .int, from: "uid")
        let (report, _) = try shop.retry()
        #expect(report.summary.text == "insert 2")
        #expect(report.streams.map(\.duplicates) == [1])
        #expect(report.retryText == "left 3, stayed 0, refused none")
        #expect(try shop.items == ["1|'c'", "2|'b'"])
        let (again, _) = try shop.syncPlanned()
        #expect(again.summary.text == "unchanged 2")
    }

    @Test("Several entries that turn out to be of one key and still do not fit are one")
    func oneEntry() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"uid":1,"n":"x"},{"uid":1,"n":"y"},{"uid":2,"n":3}]"#)
        shop.fields[0] = try field("id", .int, from: "uid")
        let (report, _) = try shop.retry()
        #expect(report.summary.text == "insert 1, quarantined 1")
        #expect(
            try shop.quarantine == [
                #"1 {"id":1} type_mismatch open"#, "2 - missing_key closed", "3 - missing_key closed",
            ])
        #expect(try shop.rows("SELECT value FROM _sluice_quarantine WHERE id = 1") == [#"'"y"'"#])
        let (again, _) = try shop.syncPlanned()
        #expect(again.summary.text == "unchanged 1, quarantined 1")
    }

    @Test("Entries that turn out to be of one key go by the stream's rule", arguments: [true, false])
    func duplicateRule(_ isQuarantined: Bool) throws {
        let shop = try shop([try field("id", .int), try field("n")])
        _ = try shop.syncPlanned(#"[{"uid":1,"n":"a"},{"uid":2,"n":"b"},{"uid":1,"n":"c"}]"#)
        shop.fields[0] = try field("id", .int, from: "uid")
        shop.adjust = { $0.streams[0].onDuplicate = isQuarantined ? .quarantine : .first }
        let (report, recorder) = try shop.retry()
        #expect(report.status == .succeeded)
        if isQuarantined {
            #expect(report.summary.text == "insert 1, quarantined 1")
            #expect(
                recorder.quarantine.map { String(decoding: $0.record, as: UTF8.self) } == [
                    #"[{"uid":1,"n":"a"},{"uid":1,"n":"c"}]"#
                ])
            let again = try shop.retry().report
            #expect(again.retry?.refused.first?.reason.hasPrefix("it is several records of one key") == true)
        } else {
            #expect(report.summary.text == "insert 2")
            #expect(try shop.items == ["1|'a'", "2|'b'"])
        }
    }

    @Test("A thousand records leave in order, with failures between them")
    func many() throws {
        let shop = try shop()
        let records = (1...1500).map { #"{"id":\#($0),"n":"x","m":\#($0 % 100 == 0 ? "[]" : #""m""#)}"# }
        _ = try shop.syncPlanned("[" + records.joined(separator: ",") + "]")
        try mend(shop)
        let (report, recorder) = try shop.retry()
        #expect(report.summary.text == "insert 1485, quarantined 15")
        #expect(report.retryText == "left 1485, stayed 15, refused none")
        #expect(recorder.changes.first?.contains(#"{"id":1}"#) == true)
        #expect(try shop.rows("SELECT count(*) FROM items") == ["1485"])
    }

    @Test("A choice by number, reason or stream leaves the others")
    func selection() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"n":"x"},{"id":2,"n":"y"},{"uid":3}]"#)
        try mend(shop)
        var (report, _) = try shop.retry(QuarantineSelection(ids: [2]))
        #expect(report.retryText == "left 1, stayed 0, refused none")
        (report, _) = try shop.retry(QuarantineSelection(reason: "missing_key"))
        #expect(report.retryText == "left 0, stayed 1, refused none")
        (report, _) = try shop.retry(stream: "others")
        #expect(report.retryText == "left 0, stayed 0, refused none")
        (report, _) = try shop.retry(stream: "items")
        #expect(report.retryText == "left 1, stayed 1, refused none")
    }

    @Test("A conflict whose policy is to fail leaves the store as it was")
    func failing() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"n":1,"m":"a"}]"#)
        try shop.sql("UPDATE items SET m = 'mine'")
        _ = try shop.syncPlanned(#"[{"id":1,"n":"x","m":"b"},{"id":2,"n":"x"}]"#)
        shop.fields = [try field("id", .int), try field("m")]
        shop.fields[1].onConflict = .fail
        let before = try shop.contents()
        let (report, _) = try shop.retry()
        #expect(report.status == .failed && report.problems.map(\.code) == ["conflict"])
        #expect(try shop.contents() == before)
        #expect(try shop.rows("SELECT command, status FROM _sluice_runs").last == "'retry'|'failed'")
    }

    @Test("There is no retry without a store")
    func noStore() throws {
        let shop = try shop()
        let (report, _) = try shop.retry()
        #expect(report.status == .failed && report.problems.map(\.code) == ["store_failed"])
        #expect(shop.storeFiles().isEmpty)
    }
}
