import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceSync
import TestSupport
import Testing

/// What is gone, and how much of it may go.
@Suite("Deletes and their limits")
struct DeleteTests {
    static func records(_ ids: some Sequence<Int>, _ a: String = "x") -> String {
        "[" + ids.map { "{\"id\":\($0),\"a\":\"\(a)\",\"b\":\"y\"}" }.joined(separator: ",") + "]"
    }

    struct Limit: CustomTestStringConvertible, Sendable {
        let name: String
        let rule: DeleteRule
        var allowed: Int?
        /// Of the records 1 to 10.
        let kept: Int
        let isRefused: Bool
        var testDescription: String { name }
    }

    static func hard(_ limit: DeleteRule.Limit, _ minimum: Int = 1) -> DeleteRule {
        DeleteRule(mode: .hard, maximum: limit, minimumRecords: minimum)
    }

    static let limits = [
        Limit(name: "10% of ten is one", rule: hard(.percent(10)), kept: 9, isRefused: false),
        Limit(name: "two are more than 10%", rule: hard(.percent(10)), kept: 8, isRefused: true),
        Limit(name: "25% of ten are two", rule: hard(.percent(25)), kept: 8, isRefused: false),
        Limit(name: "three are more than 25%", rule: hard(.percent(25)), kept: 7, isRefused: true),
        Limit(name: "0% is none", rule: hard(.percent(0)), kept: 9, isRefused: true),
        Limit(name: "100% is all", rule: hard(.percent(100), 0), kept: 0, isRefused: false),
        Limit(name: "N = 3, three", rule: hard(.count(3)), kept: 7, isRefused: false),
        Limit(name: "N = 3, four", rule: hard(.count(3)), kept: 6, isRefused: true),
        Limit(name: "N = 0", rule: hard(.count(0)), kept: 9, isRefused: true),
        Limit(name: "an empty source is fewer than min_records", rule: hard(.percent(100)), kept: 0, isRefused: true),
        Limit(name: "min_records reached", rule: hard(.percent(100), 5), kept: 5, isRefused: false),
        Limit(name: "min_records missed", rule: hard(.percent(100), 6), kept: 5, isRefused: true),
        Limit(name: "allowed by number", rule: hard(.count(0)), allowed: 4, kept: 6, isRefused: false),
        Limit(name: "allowed too few", rule: hard(.count(0)), allowed: 3, kept: 6, isRefused: true),
        Limit(
            name: "allowed stands over min_records", rule: hard(.percent(10)), allowed: 10, kept: 0, isRefused: false),
        Limit(
            name: "allowed less than the rule permits anyway", rule: hard(.percent(50)), allowed: 1, kept: 6,
            isRefused: false),
    ]

    @Test(arguments: [8, 7])
    func rowsAreCountedFirstWhereTheyCannotBeReadBeside(_ kept: Int) throws {
        let shop = try Workshop(rule: Self.hard(.percent(25)))
        _ = try shop.syncPlanned(Self.records(1...10))
        // Without a write-ahead log one connection would wait for the other.
        try shop.sql("PRAGMA journal_mode = DELETE")
        try shop.put(Self.records(1...kept, "new"))
        shop.adjustOptions = { $0.leastBytesBeside = 1 }
        let (report, recorder) = shop.sync(.plan)
        #expect(report.status == (kept == 8 ? .succeeded : .refused))
        #expect(report.summary.update == kept && report.summary.delete == (kept == 8 ? 2 : 0))
        #expect(recorder.changes.filter { $0.hasPrefix("delete") }.count == report.summary.delete)
        #expect(report.refusedDeletes?.count == (kept == 8 ? nil : 3))
    }

    @Test(arguments: [1, Int.max])
    func manyGoneRecordsAreFoundAsFewAre(_ leastBytes: Int) throws {
        let shop = try Workshop(rule: Self.hard(.percent(100), 0))
        shop.adjustOptions = { $0.leastBytesBeside = leastBytes }
        var before = Set(-500...1_500)
        try shop.put(Self.records(before.sorted()))
        #expect(shop.sync().report.summary.insert == 2_001)
        // A few here and there, then more than are looked at one by one.
        for kept in [before.filter { $0 % 100 != 7 }, Set(-100...100)] {
            try shop.put(Self.records(kept.sorted()))
            // A plan learns of the records from what counts edits beside it.
            let planned = shop.sync(.plan).report
            #expect(planned.summary.delete == before.subtracting(kept).count && planned.edits == EditCounts())
            #expect(shop.sync().report.summary.delete == before.subtracting(kept).count)
            #expect(try shop.rows("SELECT count(*) FROM items") == ["\(kept.count)"])
            before = kept
        }
    }

    @Test("Limits", arguments: limits)
    func limit(_ limit: Limit) throws {
        let shop = try Workshop(rule: limit.rule)
        _ = try shop.syncPlanned(Self.records(1...10))
        let rest = limit.kept == 0 ? "[]" : Self.records(1...limit.kept, "new")
        let (report, recorder) = try shop.syncPlanned(rest, allowing: limit.allowed)
        let gone = 10 - limit.kept
        #expect(report.status == (limit.isRefused ? .refused : .succeeded))
        #expect(report.summary.delete == (limit.isRefused ? 0 : gone))
        // What was refused does not hold back the rest.
        #expect(report.summary.update == limit.kept)
        let count = try shop.rows("SELECT count(*), count(*) FILTER (WHERE a = 'new') FROM items")
        #expect(count == ["\(limit.isRefused ? 10 : limit.kept)|\(limit.kept)"])
        #expect(recorder.changes.filter { $0.hasPrefix("delete") }.count == (limit.isRefused ? 0 : gone))
        if limit.isRefused {
            #expect(report.refusedDeletes?.count == gone)
            #expect(report.problems.map(\.code) == ["deletes_refused"])
            #expect(report.problems.first?.message.contains("--allow-deletes \(gone)") == true)
            // Those that would have gone are named.
            #expect(report.problems.first?.keys == (limit.kept + 1...10).map { "{\"id\":\($0)}" })
            #expect(report.problems.first?.entity == "Item")
            // The remedy works, once.
            let (allowed, _) = try shop.syncPlanned(allowing: gone)
            #expect(allowed.status == .succeeded)
            #expect(allowed.summary.delete == gone)
        } else {
            #expect(report.refusedDeletes == nil)
            #expect(report.problems == [])
        }
        let (again, written) = try shop.quietRun()
        #expect(again.status == .succeeded)
        #expect(written == [])
    }

    @Test("Percent count what was live before the run, not what it added")
    func percentOfLive() throws {
        let shop = try Workshop(rule: Self.hard(.percent(10)))
        _ = try shop.syncPlanned(Self.records(1...10))
        let (report, _) = try shop.syncPlanned(Self.records(Array(3...10) + Array(100...200)))
        #expect(report.status == .refused)
        #expect(report.summary.text == "insert 101, unchanged 8")
        // What the refused run added does not make the same deletes pass, nor does what comes later.
        let (again, _) = try shop.syncPlanned()
        #expect(again.status == .refused)
        #expect(again.problems.first?.message.contains("10% of the 10 rows before the first run") == true)
        let (later, _) = try shop.syncPlanned(Self.records(Array(3...10) + Array(100...300)))
        #expect(later.status == .refused)
        let (allowed, _) = try shop.syncPlanned(allowing: 2)
        #expect(allowed.status == .succeeded)
        // From then on the rows of each run count again.
        let (next, _) = try shop.syncPlanned(Self.records(Array(3...10) + Array(120...300)))
        #expect(next.status == .succeeded)
        #expect(next.summary.delete == 20)
    }

    @Test("Fewer missing records end what a refusal holds")
    func backWithinLimit() throws {
        let shop = try Workshop(rule: Self.hard(.percent(10)))
        _ = try shop.syncPlanned(Self.records(1...10))
        #expect(try shop.syncPlanned(Self.records(3...100)).0.status == .refused)
        #expect(try shop.syncPlanned(Self.records(2...100)).0.summary.delete == 1)
        #expect(try shop.syncPlanned(Self.records(11...100)).0.summary.delete == 9)
    }

    @Test("An undone refusal holds nothing")
    func undoneRefusal() throws {
        let shop = try Workshop(rule: Self.hard(.percent(10)))
        _ = try shop.syncPlanned(Self.records(1...10))
        _ = try shop.syncPlanned(Self.records(3...100))
        #expect(try shop.rows("SELECT value FROM _sluice_state WHERE name LIKE 'rows_before%'") == ["'10'"])
        #expect(shop.undo(2).report.status == .succeeded)
        #expect(try shop.rows("SELECT value FROM _sluice_state WHERE name LIKE 'rows_before%'") == [])
    }

    /// Who runs the same again gets the same, whatever the refused run brought in.
    @Test("What is refused stays refused", arguments: 0..<40)
    func refusalIsStable(_ round: Int) throws {
        let seed = UInt64(round) &* 7919 &+ 17
        var random = SeededGenerator(seed: seed)
        let (percent, count) = (Double.random(in: 0...60, using: &random), Int.random(in: 1...40, using: &random))
        let confirmations = Int.random(in: 0...2, using: &random)
        var rule = Self.hard(.percent(percent), Int.random(in: 0...20, using: &random))
        rule.confirmation = .scans(confirmations)
        let shop = try Workshop(rule: rule)
        _ = try shop.syncPlanned(Self.records(1...count))
        let kept = (1...count).filter { _ in Bool.random(using: &random) }
        let added = Int.random(in: 0...200, using: &random)
        let input = Self.records(kept + (1000..<1000 + added))
        let gone = count - kept.count
        let isTooMany =
            gone > 0
            && (kept.count + added < rule.minimumRecords || Double(gone) > percent / 100 * Double(count))
        for run in 0..<confirmations + 3 {
            let (report, _) = try shop.syncPlanned(input)
            let isBelieved = kept.count + added >= rule.minimumRecords
            let isDue = run >= confirmations && (isBelieved || confirmations == 0)
            let expected: RunReport.Status = isTooMany && isDue ? .refused : .succeeded
            #expect(report.status == expected, "seed \(seed), run \(run), \(report.problems)")
        }
        let left = try shop.rows("SELECT count(*) FROM items WHERE id <= \(count)")
        #expect(left == ["\(isTooMany ? count : kept.count)"], "seed \(seed)")
    }

    @Test("Of many refused deletes the first are named")
    func manyRefused() throws {
        let shop = try Workshop(rule: Self.hard(.count(100)))
        _ = try shop.syncPlanned(Self.records(1...2500))
        try shop.sql("UPDATE items SET a = 'mine' WHERE id = 3; DELETE FROM items WHERE id = 4")
        let (report, _) = try shop.syncPlanned(Self.records(2100...2500))
        #expect(report.status == .refused)
        #expect(report.refusedDeletes?.count == 2098)
        #expect(report.problems.first?.keys == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11].map { "{\"id\":\($0)}" })
        #expect(report.problems.first?.unlisted == 2088)
        // Nothing of the delete phase is written, so no conflict either.
        #expect(try shop.conflicts == [])
    }

    @Test(
        "What is asked of people is no delete; that people deleted a row is not forgotten beyond the limit",
        arguments: [1, 2])
    func whatCounts(most: Int) throws {
        let shop = try Workshop(rule: Self.hard(.count(most)))
        _ = try shop.syncPlanned(Self.records(1...10))
        try shop.sql("DELETE FROM items WHERE id = 1; UPDATE items SET a = 'mine' WHERE id = 2")
        let (report, _) = try shop.syncPlanned(Self.records(4...10))
        if most == 2 {
            #expect(report.status == .succeeded)
            #expect(report.summary.text == "delete 1, unchanged 7, conflict 1")
        } else {
            #expect(report.status == .refused)
            #expect(report.problems.first?.keys == [#"{"id":1}"#, #"{"id":3}"#])
            let words = "1 of them people deleted here, which would be forgotten."
            #expect(report.problems.first?.message.contains(words) == true, "\(report.problems)")
        }
    }

    /// What people did to the rows that a scan of too few records misses.
    enum Edit: String, CaseIterable, Sendable { case deleted, edited, both }

    @Test("Too few records say nothing, also of rows that people edited or deleted", arguments: Edit.allCases, [0, 1])
    func tooFewForEdits(_ edit: Edit, confirmations: Int) throws {
        var rule = Self.hard(.percent(100), 3)
        if confirmations > 0 { rule.confirmation = .scans(confirmations) }
        let shop = try Workshop(rule: rule)
        _ = try shop.syncPlanned(Self.records(1...4))
        switch edit {
        case .deleted: try shop.sql("DELETE FROM items")
        case .edited: try shop.sql("UPDATE items SET a = 'mine'")
        case .both: try shop.sql("DELETE FROM items WHERE id < 3; UPDATE items SET a = 'mine'")
        }
        let rows = try shop.items
        for _ in 0...confirmations + 1 {
            let (report, _) = try shop.syncPlanned("[]")
            #expect(report.status == .refused, "\(report.problems)")
            #expect(report.refusedDeletes?.count == 4)
        }
        #expect(try shop.conflicts == [])
        // All of it is known as it was: the source is whole again, and nothing comes back.
        let (report, _) = try shop.syncPlanned(Self.records(1...4))
        #expect(report.status == .succeeded)
        #expect(try shop.items == rows)
    }

    @Test("`report` lists what is gone, run after run, and counts no delete")
    func reportMode() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .report, maximum: .count(0)))
        _ = try shop.syncPlanned(Self.records(1...10))
        for _ in 0..<2 {
            let (report, recorder) = try shop.syncPlanned(Self.records(1...8))
            #expect(report.status == .succeeded)
            #expect(report.summary.text == "unchanged 8")
            #expect(report.streams[0].reportedGone == 2)
            #expect(recorder.changes.count == 2)
            let (_, written) = try shop.quietRun()
            #expect(written == [])
        }
    }

    @Test("A record without its key makes the scan incomplete, so nothing is gone")
    func keyless() throws {
        let shop = try Workshop(rule: Self.hard(.percent(100)))
        _ = try shop.syncPlanned(Self.records(1...10))
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y"},{"a":"who"}]"#)
        #expect(report.status == .succeeded)
        #expect(report.summary.text == "unchanged 1, quarantined 1")
        #expect(!report.streams[0].isComplete)
        #expect(report.problems.map(\.code) == ["incomplete_scan"])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    @Test("A quarantined record with a readable key is there")
    func quarantinedIsSeen() throws {
        var fields = [try field("id", .int), try field("a"), try field("b")]
        fields.append(try field("n", .int))
        let shop = try Workshop(fields: fields, rule: Self.hard(.percent(100)))
        _ = try shop.syncPlanned(Self.records(1...3))
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"new","n":"many"}]"#)
        #expect(report.summary.text == "delete 1, unchanged 1, quarantined 1")
        #expect(report.streams[0].isComplete)
        let items = try shop.items
        #expect(items == ["1|'x'|'y'|NULL", "2|'x'|'y'|NULL"])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    struct Key: CustomTestStringConvertible, Sendable {
        let type: String
        let values: [String]
        var testDescription: String { type }
    }

    @Test(
        "Keys of every type are found again",
        arguments: [
            Key(type: "string", values: [#""a""#, #""""#, #""e\u0301""#, #""é""#, #""👨‍👩‍👧""#, #""A""#, #""a\u0000b""#]),
            Key(
                type: "int",
                values: ["0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808", "1e3"]),
            Key(type: "double", values: ["0.5", "-0.25", "1e300", "3", "1e-300"]),
            Key(
                type: "decimal", values: ["1.10", "2", "-0.50", "1e400", "1234567890123456789012345678901234567890.10"]),
            Key(type: "bool", values: ["true", "false"]),
            Key(
                type: "uuid",
                values: [#""9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C11""#, #""00000000-0000-0000-0000-000000000000""#]),
            Key(type: "date", values: [#""2026-01-01""#, #""0001-01-01""#]),
            Key(type: "datetime", values: [#""2026-01-01T00:00:00+01:00""#, #""2026-01-01T00:00:00.10Z""#]),
            Key(type: "url", values: [#""https://a.example/""#, #""https://A.example/""#]),
            Key(type: "bytes", values: [#""AAEC""#, #""""#]),
        ])
    func keys(_ key: Key) throws {
        let type = try #require(FieldType(rawValue: key.type))
        let shop = try Workshop(fields: [try field("id", type), try field("a")], rule: Self.hard(.percent(100)))
        func json(_ values: some Sequence<String>) -> String {
            "[" + values.map { "{\"id\":\($0),\"a\":\"x\"}" }.joined(separator: ",") + "]"
        }
        let (first, _) = try shop.syncPlanned(json(key.values))
        #expect(first.summary.text == "insert \(key.values.count)")
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == "unchanged \(key.values.count)")
        #expect(written == [])
        let (report, _) = try shop.syncPlanned(json(key.values.dropFirst()))
        #expect(report.summary.text == "delete 1" + (key.values.count > 1 ? ", unchanged \(key.values.count - 1)" : ""))
    }

    @Test("Composite keys, in another order than the fields, over several batches")
    func compositeKeys() throws {
        let shop = try Workshop(
            fields: [try field("b"), try field("v", .int), try field("a", .int)], rule: Self.hard(.percent(100)))
        shop.key = ["a", "b"]
        func json(_ range: Range<Int>) -> String {
            "[" + range.map { "{\"a\":\($0 % 7),\"b\":\"k\($0)\",\"v\":\($0)}" }.joined(separator: ",") + "]"
        }
        _ = try shop.syncPlanned(json(0..<2500))
        let (report, _) = try shop.syncPlanned(json(1200..<2600))
        #expect(report.summary.text == "insert 100, delete 1200, unchanged 1300")
        let rows = try shop.rows("SELECT min(v), max(v), count(*) FROM items")
        #expect(rows == ["1200|2599|1400"])
    }
}
