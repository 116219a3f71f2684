import SluiceMerge
import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import SluiceStores
import SluiceSync
import SluiceSystem
import Testing

/// Records that count as gone only once several scans have missed them.
@Suite("Deletes that further scans confirm")
struct ConfirmTests {
    /// What the source has in a run, and what the run makes of it.
    struct Step: Sendable {
        let ids: [Int]
        /// A record without its key comes besides, so that the scan is not complete.
        var isIncomplete = false
        var hand = ""
        let summary: String
        /// The records that are missing, each with the number of scans that have missed it.
        var missed: [String] = []
        let rows: [Int]
        /// The beginning of each change.
        var changes: [String]?
        var status = RunReport.Status.succeeded
        var problems: [String] = []
        var reported = 0
    }

    struct Life: CustomTestStringConvertible, Sendable {
        let name: String
        var rule = DeleteRule(mode: .hard, maximum: .percent(100))
        var scans = 1
        let steps: [Step]
        var testDescription: String { name }
    }

    static let start = Step(ids: [1, 2, 3], summary: "insert 3", rows: [1, 2, 3])
    static let first = Step(
        ids: [1, 2], summary: "unchanged 2", missed: ["3|1"], rows: [1, 2, 3], changes: [#"delete delete {"id":3}"#])
    static let gone = Step(
        ids: [1, 2], summary: "delete 1, unchanged 2", rows: [1, 2], changes: [#"delete delete {"id":3}"#])

    static let lives = [
        Life(name: "deleted by the next scan without it", steps: [start, first, gone]),
        Life(
            name: "two further scans", scans: 2,
            steps: [
                start, first,
                Step(ids: [1, 2], summary: "unchanged 2", missed: ["3|2"], rows: [1, 2, 3]), gone,
            ]),
        Life(
            name: "back in between: it starts anew", scans: 1,
            steps: [start, first, Step(ids: [1, 2, 3], summary: "unchanged 3", rows: [1, 2, 3]), first, gone]),
        Life(
            name: "another one is missing in the second scan",
            steps: [
                start, first,
                Step(ids: [1], summary: "delete 1, unchanged 1", missed: ["2|1"], rows: [1, 2]),
                Step(ids: [1], summary: "delete 1, unchanged 1", rows: [1]),
            ]),
        Life(
            name: "an incomplete scan neither confirms nor clears",
            steps: [
                start, first,
                Step(
                    ids: [1, 2], isIncomplete: true, summary: "unchanged 2, quarantined 1", missed: ["3|1"],
                    rows: [1, 2, 3], problems: ["incomplete_scan"]),
                gone,
            ]),
        Life(
            name: "an incomplete scan that has it clears",
            steps: [
                start, first,
                Step(
                    ids: [2, 3], isIncomplete: true, summary: "unchanged 2, quarantined 1", rows: [1, 2, 3],
                    problems: ["incomplete_scan"]),
                first,
            ]),
        Life(
            name: "marked softly", rule: DeleteRule(mode: .soft, maximum: .percent(100)),
            steps: [start, first, gone]),
        Life(
            name: "only reported", rule: DeleteRule(mode: .report),
            steps: [
                start, first,
                Step(
                    ids: [1, 2], summary: "unchanged 2", missed: ["3|1"], rows: [1, 2, 3],
                    changes: [#"delete delete {"id":3}"#], reported: 1),
                Step(ids: [1, 2], summary: "unchanged 2", missed: ["3|1"], rows: [1, 2, 3], reported: 1),
            ]),
        Life(
            name: "the limit is for what is due",
            rule: DeleteRule(mode: .hard, maximum: .count(1)),
            steps: [
                start,
                Step(ids: [1], summary: "unchanged 1", missed: ["2|1", "3|1"], rows: [1, 2, 3]),
                Step(
                    ids: [1], summary: "unchanged 1", missed: ["2|1", "3|1"], rows: [1, 2, 3], changes: [],
                    status: .refused, problems: ["deletes_refused"]),
                Step(ids: [1, 2], summary: "delete 1, unchanged 2", rows: [1, 2]),
            ]),
        Life(
            name: "too few records confirm nothing", rule: DeleteRule(mode: .hard, maximum: .percent(100)),
            steps: [
                start,
                Step(
                    ids: [], summary: "", rows: [1, 2, 3], changes: [], status: .refused,
                    problems: ["deletes_refused"]),
                first, gone,
            ]),
        Life(
            name: "edited here: the question comes with the confirmation",
            steps: [
                start,
                Step(
                    ids: [1, 2], hand: "UPDATE items SET a = 'mine' WHERE id = 3", summary: "unchanged 2",
                    missed: ["3|1"], rows: [1, 2, 3]),
                Step(
                    ids: [1, 2], summary: "unchanged 2, conflict 1", missed: ["3|1"], rows: [1, 2, 3],
                    changes: [#"conflict edit_delete {"id":3}"#]),
                Step(ids: [1, 2], summary: "unchanged 2, conflict 1", missed: ["3|1"], rows: [1, 2, 3], changes: []),
            ]),
        Life(
            name: "deleted here: nothing to list",
            steps: [
                start,
                Step(
                    ids: [1, 2], hand: "DELETE FROM items WHERE id = 3", summary: "unchanged 2", missed: ["3|1"],
                    rows: [1, 2], changes: []),
                Step(ids: [1, 2, 3], summary: "unchanged 3", rows: [1, 2], changes: []),
                Step(ids: [1, 2], summary: "unchanged 2", missed: ["3|1"], rows: [1, 2], changes: []),
                Step(
                    ids: [1, 2], summary: "unchanged 2", rows: [1, 2], changes: [], problems: ["deletion_forgotten"]),
            ]),
    ]

    private func missed(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT id, open >> 1 FROM _sluice_base_shop_items_Item WHERE open > 1 ORDER BY id")
    }

    private func source(_ step: Step) -> String {
        let records = DeleteTests.records(step.ids)
        return step.isIncomplete ? records.dropLast() + #",{"a":"who"}]"# : records
    }

    @Test("Lives", arguments: lives)
    func life(_ life: Life) throws {
        var rule = life.rule
        rule.confirmation = .scans(life.scans)
        let shop = try Workshop(rule: rule)
        for (index, step) in life.steps.enumerated() {
            if !step.hand.isEmpty { try shop.sql(step.hand) }
            let (report, recorder) = try shop.syncPlanned(source(step))
            let place = Comment(rawValue: "step \(index + 1): \(report.problems) \(recorder.changes)")
            #expect(report.status == step.status, place)
            #expect(report.summary.text == step.summary, place)
            #expect(report.problems.map(\.code) == step.problems, place)
            #expect(report.streams[0].reportedGone == step.reported, place)
            #expect(try missed(shop) == step.missed, place)
            let there = life.rule.mode == .soft ? " WHERE _deleted_at IS NULL" : ""
            #expect(try shop.rows("SELECT id FROM items\(there) ORDER BY id") == step.rows.map { "\($0)" }, place)
            if let changes = step.changes {
                #expect(recorder.changes.count == changes.count, place)
                for (told, start) in zip(recorder.changes, changes) { #expect(told.hasPrefix(start), place) }
            }
        }
        // Once nothing is missing, or all of it is settled, a run writes nothing.
        let last = life.steps[life.steps.count - 1]
        if last.missed.isEmpty || last.reported > 0 || last.summary.contains("conflict") {
            #expect(try shop.quietRun().written == [])
        }
    }

    @Test("What is suspected is told with what is still to come")
    func suspicion() throws {
        final class Watcher: RunObserver {
            var suspicions: [RecordChange.Suspicion?] = []
            var wantsChanges: Bool { true }
            func changed(_ change: RecordChange, schema: RecordSchema) {
                if change.deletion == .suspected { suspicions.append(change.suspicion) }
            }
            func skippedChange(of schema: RecordSchema) {}
            func conflict(_ entry: ConflictEntry) {}
            func quarantined(_ entry: QuarantineEntry) {}
            func restart() {}
            func progress(_ progress: RunProgress) {}
        }
        var rule = DeleteRule(mode: .hard, maximum: .percent(100))
        rule.confirmation = .scans(2)
        let shop = try Workshop(rule: rule)
        _ = try shop.syncPlanned(DeleteTests.records([1, 2]))
        try shop.put(DeleteTests.records([1]))
        let watcher = Watcher()
        var reports: [RunReport] = []
        for _ in 1...3 {
            let options = SyncOptions(
                store: StoreAddress(file: shop.store), command: .run, version: "test", cancellation: Cancellation())
            reports.append(SyncEngine(pipeline: shop.pipeline, options: options, observer: watcher).run())
        }
        #expect(watcher.suspicions == [.init(missedScans: 1, scansLeft: 2), .init(missedScans: 2, scansLeft: 1)])
        #expect(reports.map { $0.streams[0].suspected } == [1, 1, 0])
        #expect(reports.map(\.hasChanges) == [false, false, true])
    }

    @Test("A record that is there and cannot be taken was seen")
    func quarantinedIsSeen() throws {
        var rule = DeleteRule(mode: .hard, maximum: .percent(100))
        rule.confirmation = .scans(1)
        let shop = try Workshop(fields: [try field("id", .int), try field("n", .int)], rule: rule)
        _ = try shop.syncPlanned(#"[{"id":1,"n":1},{"id":2,"n":2}]"#)
        _ = try shop.syncPlanned(#"[{"id":1,"n":1}]"#)
        #expect(try missed(shop) == ["2|1"])
        _ = try shop.syncPlanned(#"[{"id":1,"n":1},{"id":2,"n":"many"}]"#)
        #expect(try missed(shop) == [])
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"n":1}]"#)
        #expect(report.summary.text == "unchanged 1")
        #expect(try missed(shop) == ["2|1"])
    }

    @Test("Undo brings the row back with what was known of its absence")
    func undo() throws {
        var rule = DeleteRule(mode: .hard, maximum: .percent(100))
        rule.confirmation = .scans(1)
        let shop = try Workshop(rule: rule)
        _ = try shop.syncPlanned(DeleteTests.records([1, 2, 3]))
        let filled = try shop.managed()
        _ = try shop.syncPlanned(DeleteTests.records([1, 2]))
        let suspected = try shop.managed()
        let (confirmed, _) = try shop.syncPlanned()
        #expect(confirmed.summary.delete == 1)
        #expect(try shop.undoPlanned(3).report.status == .succeeded)
        #expect(try shop.managed() == suspected)
        // The source still says the same, so the next run does the same again.
        let (again, _) = try shop.syncPlanned()
        #expect(again.summary.delete == 1)
        #expect(try shop.undoPlanned(5).report.status == .succeeded)
        #expect(try shop.undoPlanned(2).report.status == .succeeded)
        #expect(try shop.managed() == filled)
        // What was only missing since does not stand in the way of taking back its insertion.
        _ = try shop.syncPlanned()
        #expect(try missed(shop) == ["3|1"])
        #expect(try shop.undoPlanned(1).report.summary.delete == 3)
        #expect(try shop.items == [])
    }
}
