import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Runs over records that are told apart by their content alone.
@Suite("Runs with `primary_key: content`")
struct ContentKeyRunTests {
    private static func shop(
        _ mode: DeleteRule.Mode = .hard, fields: [FieldDefinition]? = nil
    ) throws -> Workshop {
        let shop = try Workshop(
            fields: fields ?? [field("a"), field("b", .int)],
            rule: DeleteRule(mode: mode, maximum: .percent(100)))
        shop.key = ["_key"]
        shop.adjust = { $0.entities[0].useContentKey() }
        return shop
    }

    private static func values(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT a, b FROM items ORDER BY a, b")
    }

    private static let both = #"[{"a":"x","b":1},{"a":"y","b":2}]"#

    @Test func recordsThatAreAlikeAreOne() throws {
        let shop = try Self.shop()
        let (report, recorder) = try shop.syncPlanned(
            #"[{"a":"x","b":1},{"a":"y"},{"b":1.0,"a":"x"},{"a":"y","b":null},{"a":"x","b":1}]"#)
        #expect(report.status == .succeeded)
        #expect(report.summary.text == "insert 2")
        #expect(report.streams[0].read == 5)
        #expect(report.streams[0].duplicates == 3)
        #expect(try Self.values(shop) == ["'x'|1", "'y'|NULL"])
        #expect(recorder.changes.first?.hasPrefix(#"insert insert {"_key":""#) == true)
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 2")
        #expect(written == [])
        #expect(shop.sync(.plan).report.hasChanges == false)
    }

    struct Rule: Sendable, CustomTestStringConvertible {
        let rule: StreamDefinition.DuplicateRule
        var testDescription: String { rule.rawValue }
    }

    /// They differ in nothing that is kept, so there is nothing to choose, and nothing to fail about.
    @Test(arguments: StreamDefinition.DuplicateRule.allCases.map(Rule.init(rule:)))
    func recordsThatAreAlikeAreNoDispute(_ rule: Rule) throws {
        let shop = try Self.shop()
        shop.adjust = {
            $0.entities[0].useContentKey()
            $0.streams[0].onDuplicate = rule.rule
        }
        let (report, _) = try shop.syncPlanned(#"[{"a":"x","b":null},{"a":"x"},{"a":"y"}]"#)
        #expect(report.status == .succeeded)
        #expect(report.summary.text == "insert 2")
        #expect(report.streams[0].duplicates == 1)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let mode: DeleteRule.Mode
        let summary: String
        let rows: [String]
        var testDescription: String { mode.rawValue }
    }

    @Test(arguments: [
        Change(mode: .ignore, summary: "insert 1, unchanged 1", rows: ["'x'|1", "'x'|9", "'y'|2"]),
        Change(mode: .report, summary: "insert 1, unchanged 1", rows: ["'x'|1", "'x'|9", "'y'|2"]),
        Change(mode: .hard, summary: "insert 1, delete 1, unchanged 1", rows: ["'x'|9", "'y'|2"]),
        Change(mode: .soft, summary: "insert 1, delete 1, unchanged 1", rows: ["'x'|1", "'x'|9", "'y'|2"]),
    ])
    func aChangedRecordIsANewOneAndTheOldOneIsGone(_ change: Change) throws {
        let shop = try Self.shop(change.mode)
        _ = try shop.syncPlanned(Self.both)
        let (report, _) = try shop.syncPlanned(#"[{"a":"x","b":9},{"a":"y","b":2}]"#)
        #expect(report.summary.text == change.summary)
        #expect(try Self.values(shop) == change.rows)
        #expect(report.streams[0].reportedGone == (change.mode == .report ? 1 : 0))
        if change.mode == .soft {
            #expect(try shop.rows("SELECT b FROM items WHERE _deleted_at IS NOT NULL") == ["1"])
        }
        // Back again, it is the same record as before.
        let (back, _) = try shop.syncPlanned(Self.both)
        #expect(back.status == .succeeded)
        #expect(try shop.quietRun().written == [])
    }

    @Test func whatIsEditedHereStaysTheSameRecord() throws {
        let shop = try Self.shop()
        _ = try shop.syncPlanned(Self.both)
        try shop.sql("UPDATE items SET b = 7 WHERE a = 'x'")
        #expect(try shop.syncPlanned().0.summary.text == "unchanged 2")
        #expect(try Self.values(shop) == ["'x'|7", "'y'|2"])
        // The source changed it too: the new record comes, and of the old one somebody decides.
        let (report, _) = try shop.syncPlanned(#"[{"a":"x","b":9},{"a":"y","b":2}]"#)
        #expect(report.summary.text == "insert 1, unchanged 1, conflict 1")
        #expect(try Self.values(shop) == ["'x'|7", "'x'|9", "'y'|2"])
        #expect(try shop.conflicts.map { String($0.prefix(13)) } == ["edit_delete *"])
    }

    @Test func anUndoTakesItBack() throws {
        let shop = try Self.shop()
        _ = try shop.syncPlanned(Self.both)
        let before = try shop.items
        let (report, _) = try shop.syncPlanned(#"[{"a":"x","b":9}]"#)
        #expect(report.summary.text == "insert 1, delete 2")
        #expect(try shop.undoPlanned(2).report.left == 0)
        #expect(try shop.items == before)
        #expect(try shop.syncPlanned().0.summary.text == "insert 1, delete 2")
    }

    @Test func aRecordThatCannotBeTakenHasNoKey() throws {
        let shop = try Self.shop()
        _ = try shop.syncPlanned(Self.both)
        let (report, recorder) = try shop.syncPlanned(#"[{"a":"x","b":"one"},{"a":"y","b":2},{"a":null}]"#)
        #expect(report.summary.text == "unchanged 1, quarantined 2")
        #expect(recorder.quarantine.map(\.reason) == ["type_mismatch", "missing_key"])
        #expect(recorder.quarantine.map(\.key) == [nil, nil])
        // It may be any of those that are missing, so none of them is gone.
        #expect(
            report.problems.map(\.message) == [
                "Nothing of `items` counts as gone: 2 records have no readable identifier."
            ])
        #expect(shop.sync().report.summary.text == "unchanged 1, quarantined 2")
        #expect(try shop.quarantine == ["1 - type_mismatch open", "2 - missing_key open"])
        let (mended, _) = try shop.syncPlanned(Self.both)
        #expect(mended.summary.text == "unchanged 2")
        #expect(try shop.quarantine.allSatisfy { !$0.hasSuffix("open") })
    }

    @Test func aMendedMappingTakesWhatWasKept() throws {
        let shop = try Self.shop()
        _ = try shop.syncPlanned(#"[{"a":"x","b":"one"},{"a":"y","b":2}]"#)
        shop.fields[1].map = ["one": .json("1")]
        let (report, _) = try shop.retry()
        #expect(report.retryText == "left 1, stayed 0, refused none")
        #expect(try Self.values(shop) == ["'x'|1", "'y'|2"])
        #expect(try shop.syncPlanned().0.summary.text == "unchanged 2")
    }

    @Test func whatTheSourceSaysIsDeletedIsFoundByItsContent() throws {
        let shop = try Self.shop(.ignore)
        shop.deletedWhen = ".gone == true"
        _ = try shop.syncPlanned(Self.both)
        let (report, _) = try shop.syncPlanned(#"[{"a":"x","b":1,"gone":true},{"a":"y","gone":true},{"a":"y","b":2}]"#)
        #expect(report.summary.text == "delete 1, unchanged 2")
        #expect(try Self.values(shop) == ["'y'|2"])
    }

    @Test func uniqueValuesStayUnique() throws {
        let shop = try Self.shop(.ignore)
        shop.unique = [["a"]]
        _ = try shop.syncPlanned(Self.both)
        let (report, _) = try shop.syncPlanned(#"[{"a":"x","b":9},{"a":"y","b":2}]"#)
        #expect(report.summary.text == "unchanged 1, conflict 1")
        #expect(try shop.conflicts.map { String($0.prefix(18)) } == ["unique_collision a"])
        try shop.sql("DELETE FROM items WHERE a = 'x'")
        #expect(try shop.syncPlanned().0.summary.text == "update 1, unchanged 1")
        #expect(try Self.values(shop) == ["'x'|9", "'y'|2"])
    }

    @Test func anAppendingStreamAddsWhatIsNew() throws {
        let shop = try Self.shop(.ignore)
        shop.adjust = {
            $0.entities[0].useContentKey()
            $0.streams[0].writeMode = .append
        }
        _ = try shop.syncPlanned(Self.both)
        let (report, _) = try shop.syncPlanned(#"[{"a":"x","b":9},{"a":"y","b":2}]"#)
        #expect(report.summary.text == "insert 1, unchanged 1")
        #expect(report.problems == [])
        #expect(try Self.values(shop) == ["'x'|1", "'x'|9", "'y'|2"])
    }

    @Test func aStoreWithAnotherIdentifierIsRefused() throws {
        let shop = try Workshop(fields: [field("a"), field("b", .int)])
        shop.key = ["a"]
        _ = try shop.syncPlanned(Self.both)
        shop.adjust = { $0.entities[0].useContentKey() }
        let report = shop.sync().report
        #expect(report.status == .refused)
        #expect(report.problems.first?.message.contains("another name and another `table:`") == true)
    }
}
