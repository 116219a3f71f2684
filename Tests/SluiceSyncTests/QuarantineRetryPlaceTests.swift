import SluiceJSON
import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Records in quarantine that are not all of what their source said, and those that nothing can mend.
@Suite("Retry of records that are more than their JSON")
struct QuarantineRetryPlaceTests {
    @Test("Unique values that were taken: free now, or still taken", arguments: [true, false], [true, false])
    func uniqueInsert(_ isFreed: Bool, _ isOfOldStore: Bool) throws {
        let shop = try Workshop()
        shop.fields = [try field("id", .int), try field("a", from: "x.a"), try field("b")]
        try shop.sql(
            "PRAGMA journal_mode = WAL; CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE, b TEXT)")
        _ = try shop.syncPlanned(#"[{"id":1,"x":{"a":"x"}},{"id":2,"x":{"a":"x"},"b":"2"}]"#)
        if isFreed { try shop.sql("UPDATE items SET a = 'mine' WHERE id = 1") }
        if isOfOldStore {
            try shop.sql(
                #"UPDATE _sluice_quarantine SET record_hash = 0, record = CAST('{"a":"x","b":"2"}' AS BLOB)"#)
        }
        let (report, _) = try shop.retry()
        #expect(report.summary.text == (isFreed ? "insert 1" : "quarantined 1"))
        #expect(report.retryText == (isFreed ? "left 1, stayed 0" : "left 0, stayed 1") + ", refused none")
        #expect(try shop.items == (isFreed ? ["1|'mine'|NULL", "2|'x'|'2'"] : ["1|'x'|NULL"]))
        #expect(try shop.quarantine == [#"1 {"id":2} unique_collision \#(isFreed ? "closed" : "open")"#])
        if isOfOldStore && !isFreed { return }
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == (isFreed ? "unchanged 2" : "unchanged 1, quarantined 1"))
        #expect(written == [])
    }

    @Test("A record that its table refused, and now takes; records of one key that differ")
    func refusedAndDisputed() throws {
        let shop = try Workshop()
        shop.adjust = { $0.streams[0].onDuplicate = .quarantine }
        try shop.sql(
            "PRAGMA journal_mode = WAL; CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT); CREATE TRIGGER t BEFORE INSERT ON items WHEN new.a = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        _ = try shop.syncPlanned(#"[{"id":1,"a":"bad","b":"1"},{"id":2,"a":"x"},{"id":2,"a":"y"}]"#)
        #expect(try shop.quarantine == [#"1 {"id":1} constraint open"#, #"2 {"id":2} duplicate open"#])
        let (still, _) = try shop.retry()
        #expect(still.retryText == "left 0, stayed 1, refused 2")
        #expect(still.retry?.refused.first?.reason.hasPrefix("it is several records of one key.") == true)
        try shop.sql("DROP TRIGGER t")
        let (report, _) = try shop.retry()
        #expect(report.retryText == "left 1, stayed 0, refused 2")
        #expect(try shop.items == ["1|'bad'|'1'"])
        #expect(try shop.quarantine == [#"1 {"id":1} constraint closed"#, #"2 {"id":2} duplicate open"#])
    }

    @Test("The name of a record's member is its key")
    func memberName() throws {
        let shop = try Workshop(fields: [try field("id"), try field("n", .int)])
        shop.entries = "id"
        shop.records = try JSONPath(parsing: "$")
        _ = try shop.syncPlanned(#"{"one":{"n":"x"},"two":{"n":2}}"#)
        #expect(try shop.quarantine == [#"1 {"id":"one"} type_mismatch open"#])
        shop.fields = [try field("id"), try field("m", from: "n")]
        let (report, _) = try shop.retry()
        #expect(report.retryText == "left 1, stayed 0, refused none")
        #expect(try shop.rows("SELECT id, m FROM items ORDER BY 1") == ["'one'|'x'", "'two'|NULL"])
    }

    @Test("The name of a member, or of a file, that is not kept")
    func lostNames() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("n", .int), try field("name")])
        shop.entries = "name"
        shop.records = try JSONPath(parsing: "$")
        _ = try shop.syncPlanned(#"{"one":{"id":1,"n":"x"}}"#)
        var report = try shop.retry().report
        #expect(report.retryText == "left 0, stayed 0, refused 1")
        #expect(report.retry?.refused.first?.reason.hasPrefix("the name of its member") == true)
        shop.entries = nil
        shop.fields[2].origin = .template(TextTemplate(parts: [.text("in "), .fileStem]))
        report = try shop.retry().report
        #expect(report.retry?.refused.first?.reason.hasPrefix("the name of its file") == true)
        #expect(report.run == nil)
    }

    @Test("The name of a record's file is its key")
    func fileName() throws {
        let shop = try Workshop(fields: [try field("id"), try field("n", .int)])
        shop.fields[0].origin = .template(TextTemplate(parts: [.fileStem]))
        _ = try shop.syncPlanned(#"{"n":"x"}"#)
        #expect(try shop.quarantine == [#"1 {"id":"remote"} type_mismatch open"#])
        shop.fields[1] = try field("m", from: "n")
        #expect(try shop.retry().report.retryText == "left 1, stayed 0, refused none")
        #expect(try shop.rows("SELECT id, m FROM items") == ["'remote'|'x'"])
    }

    @Test("What is no object or no JSON cannot be tried, unless the mapping takes it whole")
    func noObject() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("n", .int)])
        shop.format = .jsonl
        _ = try shop.syncPlanned("{\"id\":1}\n7\n{\"id\":\n{\"id\":2,\"n\":\"x\"}\n")
        var report = try shop.retry().report
        #expect(report.retryText == "left 0, stayed 1, refused 1 2")
        #expect(
            report.retry?.refused.map(\.reason) == [
                "it is no object. Correct `records` or the source, and run again.",
                "it is not valid JSON, whatever the mapping. A run reads it again.",
            ])
        shop.fields = [try field("id", .int, from: "$")]
        report = try shop.retry(QuarantineSelection(ids: [1])).report
        #expect(report.retryText == "left 1, stayed 0, refused none")
        #expect(try shop.rows("SELECT id FROM items ORDER BY 1") == ["1", "7"])
    }

    @Test("JSON that is not kept, a stream that is gone")
    func lost() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("n", .int)])
        _ = try shop.syncPlanned(#"[{"id":1,"n":"x"},{"id":2,"n":"x"},{"id":3,"n":"x"}]"#)
        try shop.sql("UPDATE _sluice_quarantine SET record = x'' WHERE id = 1")
        try shop.sql("UPDATE _sluice_quarantine SET stream = 'old' WHERE id = 2")
        let (report, _) = try shop.retry()
        #expect(report.retryText == "left 0, stayed 1, refused 2 1")
        #expect(
            report.retry?.refused.map(\.reason) == [
                "its stream `old` is no longer in the pipeline.", "its JSON was not kept. A run reads it again.",
            ])
    }
}
