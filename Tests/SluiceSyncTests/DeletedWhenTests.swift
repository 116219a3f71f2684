import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Records that the source itself says are deleted.
@Suite("deleted_when")
struct DeletedWhenTests {
    static let both = SoftDeleteTests.both
    static let live = ["1 live a='x' b='y'", "2 live a='p' b='q'"]
    static let dead = ["1 remoteTombstone a='x' b='y'", "2 live a='p' b='q'"]
    static let two = #"{"id":2,"a":"p","b":"q"}"#

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var mode = DeleteRule.Mode.ignore
        var policy: ConflictPolicy?
        var first = DeletedWhenTests.both
        var hand = ""
        var source = "[{\"id\":1,\"gone\":true},\(DeletedWhenTests.two)]"
        let summary: String
        var rows = ["2|p|q"]
        var bases = DeletedWhenTests.dead
        var conflicts: [String] = []
        /// What the same source counts again.
        var again = "unchanged 2"
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "ignore: deleted", summary: "delete 1, unchanged 1"),
        Case(name: "report: deleted", mode: .report, summary: "delete 1, unchanged 1"),
        Case(name: "hard: deleted, whatever may be missing", mode: .hard, summary: "delete 1, unchanged 1"),
        Case(name: "soft: marked", mode: .soft, summary: "delete 1, unchanged 1", rows: ["-1|x|y", "2|p|q"]),
        Case(
            name: "with all its values", source: "[{\"id\":1,\"a\":\"X\",\"b\":\"Y\",\"gone\":true},\(two)]",
            summary: "delete 1, unchanged 1"),
        Case(
            name: "false, null and absent are no flag",
            source: #"[{"id":1,"a":"x","b":"y","gone":false},{"id":2,"a":"p","b":"q","gone":null}]"#,
            summary: "unchanged 2", rows: ["1|x|y", "2|p|q"], bases: live),
        Case(
            name: "of an incomplete scan, which proves nothing else", mode: .hard,
            source: #"[{"id":1,"gone":true},{"a":"who"}]"#, summary: "delete 1, quarantined 1",
            again: "unchanged 1, quarantined 1"),
        Case(
            name: "never heard of", first: "[\(two)]", summary: "unchanged 2", bases: ["2 live a='p' b='q'"]),
        Case(
            name: "a row that was never managed", first: "[\(two)]", hand: "INSERT INTO items VALUES (1, 'own', 'own')",
            summary: "unchanged 2", rows: ["1|own|own", "2|p|q"], bases: ["2 live a='p' b='q'"]),
        Case(
            name: "edited here, nobody decided", hand: SoftDeleteTests.edit, summary: "unchanged 1, conflict 1",
            rows: ["1|mine|y", "2|p|q"], bases: ["1 live open a='x' b='y'", "2 live a='p' b='q'"],
            conflicts: [#"edit_delete * - {"id":1,"a":"mine","b":"y"} - open 1"#], again: "unchanged 1, conflict 1"),
        Case(
            name: "edited here, the store decides", policy: .localWins, hand: SoftDeleteTests.edit,
            summary: "unchanged 1, kept_local 1", rows: ["1|mine|y", "2|p|q"]),
        Case(
            name: "edited here, the source decides", policy: .remoteWins, hand: SoftDeleteTests.edit,
            summary: "delete 1, unchanged 1", conflicts: [#"edit_delete * - {"id":1,"a":"mine","b":"y"} - auto 1"#]),
        Case(
            name: "edited here, the source decides, soft", mode: .soft, policy: .remoteWins,
            hand: SoftDeleteTests.edit, summary: "delete 1, unchanged 1", rows: ["-1|mine|y", "2|p|q"],
            conflicts: [#"edit_delete * - {"id":1,"a":"mine","b":"y"} - auto 1"#]),
        Case(
            name: "deleted here as well", hand: "DELETE FROM items WHERE id = 1", summary: "unchanged 2"),
        Case(
            name: "twice, deleted last", source: "[{\"id\":1,\"a\":\"X\",\"b\":\"y\"},\(two),{\"id\":1,\"gone\":true}]",
            summary: "delete 1, unchanged 1"),
        Case(
            name: "twice, there last", source: "[{\"id\":1,\"gone\":true},\(two),{\"id\":1,\"a\":\"X\",\"b\":\"y\"}]",
            summary: "update 1, unchanged 1", rows: ["1|X|y", "2|p|q"], bases: ["1 live a='X' b='y'", live[1]]),
        Case(
            name: "without a key", source: "[{\"gone\":true},\(two)]", summary: "unchanged 1, quarantined 1",
            rows: ["1|x|y", "2|p|q"], bases: live, again: "unchanged 1, quarantined 1"),
        Case(
            name: "hard: others are missing besides", mode: .hard, source: #"[{"id":1,"gone":true}]"#,
            summary: "delete 2", rows: [],
            bases: ["1 remoteTombstone a='x' b='y'", "2 remoteTombstone a='p' b='q'"], again: "unchanged 1"),
    ]

    private func shop(_ mode: DeleteRule.Mode, limit: DeleteRule.Limit = .percent(100)) throws -> Workshop {
        let shop = try Workshop(rule: DeleteRule(mode: mode, maximum: limit))
        shop.fields[1].isRequired = true
        shop.deletedWhen = ".gone == true"
        return shop
    }

    @Test("What becomes of the record", arguments: cases)
    func flagged(_ item: Case) throws {
        let shop = try shop(item.mode)
        shop.rules = ConflictRules(fallback: item.policy)
        _ = try shop.syncPlanned(item.first)
        if !item.hand.isEmpty { try shop.sql(item.hand) }
        let (report, recorder) = try shop.syncPlanned(item.source)
        #expect(report.status == .succeeded)
        #expect(report.summary.text == item.summary)
        #expect(try shop.marked == item.rows)
        #expect(try shop.bases == item.bases)
        #expect(try shop.conflicts == item.conflicts)
        #expect(recorder.changes.filter { $0.hasPrefix("delete") }.count == report.summary.delete)
        let (again, written) = try shop.quietRun()
        #expect(written == [])
        #expect(again.summary.text == item.again)
    }

    /// Two records with one key, of which the source calls one deleted.
    struct Twice: CustomTestStringConvertible, Sendable {
        let rule: StreamDefinition.DuplicateRule
        let records: String
        let summary: String
        var testDescription: String { "\(rule): \(records)" }
    }

    @Test(
        "Of two records with one key it is one as any other",
        arguments: [
            Twice(
                rule: .newest, records: #"{"id":1,"gone":true,"b":"2024-02-01"},{"id":1,"a":"X","b":"2024-01-01"}"#,
                summary: "delete 1"),
            Twice(
                rule: .newest, records: #"{"id":1,"gone":true,"b":"2024-01-01"},{"id":1,"a":"X","b":"2024-02-01"}"#,
                summary: "update 1"),
            Twice(rule: .newest, records: #"{"id":1,"gone":true,"b":"soon"},{"id":1,"a":"X"}"#, summary: "update 1"),
            Twice(rule: .first, records: #"{"id":1,"gone":true},{"id":1,"a":"X"}"#, summary: "delete 1"),
            Twice(
                rule: .quarantine, records: #"{"id":1,"gone":true},{"id":1,"a":"X"}"#, summary: "quarantined 1"),
            Twice(
                rule: .quarantine, records: #"{"id":1,"gone":true,"b":"2024-01-01"},{"id":1,"gone":true}"#,
                summary: "delete 1"),
        ])
    func twice(_ item: Twice) throws {
        let shop = try shop(.ignore)
        shop.fields[2] = try field("b", .date)
        shop.adjust = { pipeline in
            pipeline.streams[0].onDuplicate = item.rule
            pipeline.entities[0].newestField = "b"
        }
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"}]"#)
        let (report, _) = try shop.syncPlanned("[\(item.records)]")
        #expect(report.summary.text == item.summary)
        #expect(try shop.quietRun().written == [])
    }

    @Test("The limits of `delete_missing` are for what is missing, not for what is flagged")
    func limits() throws {
        let shop = try shop(.hard, limit: .count(0))
        shop.rule.minimumRecords = 5
        _ = try shop.syncPlanned(Self.both)
        let (report, _) = try shop.syncPlanned("[{\"id\":1,\"gone\":true},\(Self.two)]")
        #expect(report.status == .succeeded)
        #expect(report.summary.text == "delete 1, unchanged 1")
        let (refused, _) = try shop.syncPlanned(#"[{"id":1,"gone":true}]"#)
        #expect(refused.status == .refused)
        #expect(refused.refusedDeletes?.count == 1)
    }

    @Test("Back at the source, it is new again")
    func back() throws {
        for mode in [DeleteRule.Mode.soft, .ignore] {
            let shop = try shop(mode)
            _ = try shop.syncPlanned(Self.both)
            _ = try shop.syncPlanned("[{\"id\":1,\"gone\":true},\(Self.two)]")
            let (report, recorder) = try shop.syncPlanned("[{\"id\":1,\"a\":\"X\"},\(Self.two)]")
            #expect(report.summary.text == "insert 1, unchanged 1")
            #expect(recorder.changes.first?.hasPrefix("insert resurrect") == true)
            #expect(try shop.marked == ["1|X|NULL", "2|p|q"])
            #expect(try shop.bases == ["1 live a='X' b=∅", Self.live[1]])
        }
    }

    @Test("An open conflict of a field gives way to that of the record, and closes with it")
    func openConflict() throws {
        let shop = try shop(.ignore)
        _ = try shop.syncPlanned(Self.both)
        try shop.sql(SoftDeleteTests.edit)
        _ = try shop.syncPlanned("[{\"id\":1,\"a\":\"X\",\"b\":\"y\"},\(Self.two)]")
        _ = try shop.syncPlanned("[{\"id\":1,\"gone\":true},\(Self.two)]")
        #expect(
            try shop.conflicts == [
                #"edit_edit a "x" "mine" "X" obsolete 1"#,
                #"edit_delete * - {"id":1,"a":"mine","b":"y"} - open 1"#,
            ])
        try shop.sql("UPDATE items SET a = 'x' WHERE id = 1")
        let (report, _) = try shop.syncPlanned()
        #expect(report.summary.text == "delete 1, unchanged 1")
        #expect(try shop.conflicts.last?.hasSuffix("obsolete 1") == true)
        #expect(try shop.bases == Self.dead)
    }

    @Test("The policy `fail` ends the run and keeps everything")
    func fail() throws {
        let shop = try shop(.ignore)
        shop.rules = ConflictRules(fallback: .fail)
        _ = try shop.syncPlanned(Self.both)
        try shop.sql(SoftDeleteTests.edit)
        let (report, _) = try shop.syncPlanned("[{\"id\":1,\"gone\":true},\(Self.two)]")
        #expect(report.status == .failed)
        #expect(report.problems.first?.message.contains("edit_delete") == true)
        #expect(try shop.bases == Self.live)
    }

    @Test("A record on which the program fails is kept aside, and is not gone")
    func failingProgram() throws {
        let shop = try shop(.hard)
        shop.deletedWhen = ".gone | ascii_downcase == \"yes\""
        let (first, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y","gone":"no"},{"id":2,"a":"p","gone":"NO"}]"#)
        #expect(first.summary.text == "insert 2")
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y","gone":5},{"id":2,"gone":"YES"}]"#)
        #expect(report.summary.text == "delete 1, quarantined 1")
        #expect(report.streams[0].isComplete)
        #expect(try shop.marked == ["1|x|y"])
    }

    @Test("Over many batches each flag is that of its own record")
    func manyBatches() throws {
        let shop = try shop(.ignore)
        func json(_ isGone: (Int) -> Bool) -> String {
            "[" + (0..<3000).map { "{\"id\":\($0),\"a\":\"x\",\"gone\":\(isGone($0))}" }.joined(separator: ",") + "]"
        }
        _ = try shop.syncPlanned(json { _ in false })
        let (report, _) = try shop.syncPlanned(json { $0 % 7 == 3 })
        let flagged = (0..<3000).filter { $0 % 7 == 3 }
        #expect(report.summary.text == "delete \(flagged.count), unchanged \(3000 - flagged.count)")
        #expect(try shop.rows("SELECT count(*), count(*) FILTER (WHERE id % 7 = 3) FROM items") == ["2571|0"])
    }
}
