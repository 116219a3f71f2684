import SluiceModel
import SluicePipeline
import SluiceReconcile
import SluiceReport
import SluiceStore
import SluiceSync
import Testing

/// What `on_duplicate` makes of a key that comes more than once in a run.
@Suite("on_duplicate")
struct DuplicateRuleTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let rule: StreamDefinition.DuplicateRule
        /// The records of key 1: the value and the time of each.
        let records: [(a: String, at: String?)]
        /// The value that stands.
        let stands: String
        var testDescription: String { name }
    }

    private static let cases = [
        Case(name: "last", rule: .last, records: [("x", nil), ("y", nil), ("z", nil)], stands: "z"),
        Case(name: "first", rule: .first, records: [("x", nil), ("y", nil), ("z", nil)], stands: "x"),
        Case(
            name: "newest in the middle", rule: .newest,
            records: [
                ("x", "2024-01-01T00:00:00Z"), ("y", "2024-03-01T00:00:00Z"), ("z", "2024-02-01T00:00:00Z"),
            ], stands: "y"),
        Case(
            name: "newest by moment, not by text", rule: .newest,
            records: [("x", "2024-01-01T01:00:00Z"), ("y", "2024-01-01T02:30:00+02:00")], stands: "x"),
        Case(
            name: "of equals the last", rule: .newest,
            records: [("x", "2024-01-01T00:00:00Z"), ("y", "2024-01-01T00:00:00Z")], stands: "y"),
        Case(
            name: "a time before none", rule: .newest,
            records: [("x", "2024-01-01T00:00:00Z"), ("y", nil), ("z", nil)], stands: "x"),
        Case(name: "no times: the last", rule: .newest, records: [("x", nil), ("y", nil)], stands: "y"),
        Case(
            name: "identical, fail", rule: .fail, records: [("x", nil), ("x", nil)], stands: "x"),
        Case(
            name: "identical, quarantine", rule: .quarantine, records: [("x", nil), ("x", nil), ("x", nil)],
            stands: "x"),
    ]

    private func shop(_ rule: StreamDefinition.DuplicateRule) throws -> Workshop {
        let shop = try Workshop(
            fields: [try field("id", .int), try field("a"), try field("at", .datetime)],
            rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        shop.adjust = { pipeline in
            pipeline.streams[0].onDuplicate = rule
            pipeline.entities[0].newestField = "at"
        }
        return shop
    }

    /// 1500 other records, with those of key 1 spread among them, so that they fall into several batches.
    private func json(_ records: [(a: String, at: String?)]) -> String {
        var all = (2...1501).map { #"{"id":\#($0),"a":"v"}"# }
        for (index, record) in records.enumerated() {
            let time = record.at.map { #","at":"\#($0)""# } ?? ""
            all.insert(#"{"id":1,"a":"\#(record.a)"\#(time)}"#, at: index * 700)
        }
        return "[" + all.joined(separator: ",\n") + "]"
    }

    @Test("Which record stands", arguments: cases)
    func stands(_ test: Case) throws {
        let shop = try shop(test.rule)
        let (report, recorder) = try shop.syncPlanned(json(test.records))
        #expect(report.summary.text == "insert 1501")
        #expect(report.streams[0].duplicates == test.records.count - 1)
        #expect(recorder.changes.count == 1501)
        let items = try shop.rows("SELECT a FROM items WHERE id = 1")
        #expect(items == ["'\(test.stands)'"])
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1501")
        #expect(written == [])
        // Against a base that says something else.
        _ = try shop.syncPlanned(json([("old", nil)]))
        let (second, _) = try shop.syncPlanned(json(test.records))
        #expect(second.summary.text == "update 1, unchanged 1500")
        let now = try shop.rows("SELECT a FROM items WHERE id = 1")
        #expect(now == ["'\(test.stands)'"])
    }

    struct Difference: CustomTestStringConvertible, Sendable {
        let name: String
        var rule = StreamDefinition.DuplicateRule.last
        var isDecided = false
        var key = ["id"]
        /// The records, as JSON.
        let records: String
        /// What the report says; nil for nothing.
        let says: String?
        var keys: [String] = []
        var testDescription: String { name }
    }

    @Test(
        "Records that share a key and differ are told with count and keys",
        arguments: [
            Difference(
                name: "three of one key", records: #"{"id":1,"a":"x"},{"id":1,"a":"y"},{"id":1,"a":"z"}"#,
                says: "3 of 3 records of `items` share a key and differ; the last is kept.", keys: [#"{"id":1}"#]),
            Difference(
                name: "two keys beside others",
                records: #"{"id":1,"a":"x"},{"id":2,"a":"p"},{"id":3,"a":"q"},{"id":2,"a":"r"},{"id":1}"#,
                says: "4 of 5 records of `items` share a key and differ; the last is kept.",
                keys: [#"{"id":2}"#, #"{"id":1}"#]),
            Difference(
                name: "one that differs among alike", records: #"{"id":1,"a":"x"},{"id":1,"a":"x"},{"id":1,"a":"y"}"#,
                says: "3 of 3 records", keys: [#"{"id":1}"#]),
            Difference(name: "alike", records: #"{"id":1,"a":"x"},{"a":"x","id":1},{"id":1,"a":"x"}"#, says: nil),
            Difference(
                name: "several fields", key: ["id", "a"],
                records: #"{"id":1,"a":"x"},{"id":1,"a":"x","at":"2024-01-01T00:00:00Z"}"#,
                says: "2 of 2 records", keys: [#"{"id":1,"a":"x"}"#]),
            Difference(
                name: "first", rule: .first, records: #"{"id":1,"a":"x"},{"id":1,"a":"y"}"#,
                says: "the first is kept"),
            Difference(
                name: "newest", rule: .newest, records: #"{"id":1,"a":"x"},{"id":1,"a":"y"}"#,
                says: "the newest is kept"),
            Difference(
                name: "as somebody decided", isDecided: true, records: #"{"id":1,"a":"x"},{"id":1,"a":"y"}"#,
                says: "2 of 2 records of `items` share a key and differ; the last is kept."),
            Difference(
                name: "in quarantine", rule: .quarantine, records: #"{"id":1,"a":"x"},{"id":1,"a":"y"}"#, says: nil),
        ])
    func differences(_ test: Difference) throws {
        let shop = try shop(test.rule)
        shop.key = test.key
        let adjust = shop.adjust
        shop.adjust = { pipeline in
            adjust(&pipeline)
            pipeline.streams[0].decidesDuplicates = test.isDecided
        }
        let (report, _) = try shop.syncPlanned("[\(test.records)]")
        let problems = report.problems.filter { $0.code == "differing_duplicates" }
        #expect(problems.count == (test.says == nil ? 0 : 1), "\(report.problems)")
        for problem in problems {
            #expect(problem.message.hasPrefix(test.says ?? "") || problem.message.contains(test.says ?? ""))
            #expect(problem.severity == (test.isDecided ? .note : .warning))
            #expect(test.keys.isEmpty || problem.keys == test.keys)
        }
        #expect(report.needsAttention == (test.says != nil && !test.isDecided || test.rule == .quarantine))
        let (again, written) = try shop.quietRun()
        #expect(again.problems == report.problems.filter { $0.code != "store_private" })
        #expect(written == [])
    }

    @Test("Of many keys the first ones are named and the others counted")
    func manyDifferences() throws {
        let shop = try shop(.last)
        let records = (1...25).flatMap { id in ["a", "b"].map { #"{"id":\#(id),"a":"\#($0)"}"# } }
        let (report, _) = try shop.syncPlanned("[" + records.joined(separator: ",") + "]")
        let problem = try #require(report.problems.first { $0.code == "differing_duplicates" })
        #expect(problem.message.hasPrefix("50 of 50 records of `items` share a key and differ"))
        #expect(problem.keys == (1...10).map { #"{"id":\#($0)}"# })
        #expect(problem.unlisted == 15)
    }

    @Test("Keys that only a temporary file held are told as well")
    func spilledDifferences() throws {
        let shop = try shop(.last)
        shop.adjustOptions = { $0.keyRoom.bytes = 1 }
        let (report, _) = try shop.syncPlanned(json([("x", nil), ("y", nil), ("z", nil)]))
        let problem = try #require(report.problems.first { $0.code == "differing_duplicates" })
        #expect(problem.message.hasPrefix("3 of 1503 records of `items` share a key and differ"))
        #expect(problem.keys == [#"{"id":1}"#])
    }

    @Test("fail: the run ends and names the key and both places, and nothing is written")
    func fail() throws {
        let shop = try shop(.fail)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"}]"#)
        let before = try shop.contents()
        let (report, _) = try shop.syncPlanned(
            """
            [{"id":2,"a":"p"},
             {"id":1,"a":"y"},
             {"id":2,"a":"p"},
             {"id":3,"a":"1"},
             {"id":1,"a":"z"},
             {"id":3,"a":"2"}]
            """)
        #expect(report.status == .failed)
        #expect(report.problems.map(\.code) == ["duplicate_key"])
        let message = report.problems.first?.message ?? ""
        for part in [
            #"`items` have the key {"id":1} and differ"#, "remote.json, line 2, /1, and ", "remote.json, line 5, /4.",
            "1 more key has such records", "`on_duplicate` is `fail`", "`quarantine`",
        ] { #expect(message.contains(part), "\(message)") }
        let after = try shop.contents()
        #expect(after == before)
    }

    @Test("fail: lines are named in a file of lines")
    func failOfLines() throws {
        let shop = try shop(.fail)
        shop.format = .jsonl
        let (report, _) = try shop.syncPlanned("{\"id\":1,\"a\":\"x\"}\n\n{\"id\":1,\"a\":\"y\"}\n")
        #expect(report.problems.first?.message.contains("remote.json, line 1, and ") == true)
        #expect(report.problems.first?.message.contains("remote.json, line 3.") == true)
    }

    @Test("quarantine: none is taken, the row stays, the key counts as seen, and all of it ends with the dispute")
    func quarantine() throws {
        let shop = try shop(.quarantine)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"y"},{"id":3,"a":"z"}]"#)
        let disputed =
            #"[{"id":1,"a":"p"},{"id":2,"a":"y"},{"id":1,"a":"q"},{"id":1,"a":"p"},{"id":4,"a":"1"},{"id":4,"a":"2"}]"#
        let (report, recorder) = try shop.syncPlanned(disputed)
        // 6 read: 2 keys in quarantine, 3 duplicates of theirs, 1 unchanged; 3 is gone, 1 is not.
        #expect(report.summary.text == "delete 1, unchanged 1, quarantined 2")
        #expect(report.streams[0].duplicates == 3)
        #expect(report.streams[0].quarantined == 2)
        #expect(recorder.quarantine.map(\.key) == [#"{"id":1}"#, #"{"id":4}"#])
        #expect(recorder.quarantine.allSatisfy { $0.reason == "duplicate" && $0.message.contains("on_duplicate") })
        #expect(
            recorder.quarantine.map { String(decoding: $0.record, as: UTF8.self) } == [
                #"[{"id":1,"a":"p"},{"id":1,"a":"q"}]"#, #"[{"id":4,"a":"1"},{"id":4,"a":"2"}]"#,
            ])
        let items = try shop.rows("SELECT id, a FROM items ORDER BY id")
        #expect(items == ["1|'x'", "2|'y'"])
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1, quarantined 2")
        #expect(written == [])
        // The other way round it is the same dispute.
        try shop.put(
            #"[{"id":4,"a":"2"},{"id":1,"a":"q"},{"id":2,"a":"y"},{"id":1,"a":"p"},{"id":1,"a":"p"},{"id":4,"a":"1"}]"#)
        let (shuffled, nothing) = try shop.quietRun()
        #expect(shuffled.summary.text == "unchanged 1, quarantined 2")
        #expect(nothing == [])
        let (mended, _) = try shop.syncPlanned(#"[{"id":1,"a":"q"},{"id":2,"a":"y"},{"id":4,"a":"1"}]"#)
        #expect(mended.summary.text == "insert 1, update 1, unchanged 1")
        let states = try shop.rows("SELECT status FROM _sluice_quarantine")
        #expect(states == ["'closed'", "'closed'"])
    }

    @Test("A disputed record keeps its open conflict")
    func conflict() throws {
        let shop = try shop(.quarantine)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"}]"#)
        try shop.sql("UPDATE items SET a = 'mine'")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"y"}]"#)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"p"},{"id":1,"a":"q"}]"#)
        let conflicts = try shop.conflicts
        #expect(conflicts == [#"edit_edit a "x" "mine" "y" open 1"#])
    }
}
