import SluiceReport
import SluiceReview
import SluiceSQLiteStore
import SluiceStore
import TestSupport
import Testing

/// Random histories of a table that two or three streams fill, whichever stand first, with deletions that are stated,
/// edits, rows that are deleted by hand and decisions. A plan shows what its run then does, its counts are those of the
/// changes that it tells and of the conflicts that the store has then, and a second run with the same input writes nothing
/// at all.
///
/// A failure names its seed; see ``Seeds``.
@Suite("Streams that fill one table")
struct StreamPropertyTests {
    static let seeds = Seeds.first(8)

    @Test("A run does what its plan shows, and a second one nothing", arguments: seeds)
    func history(_ seed: UInt64) throws {
        var history = StreamHistory(seed: seed)
        let shop = try history.setting.makeShop()
        for stream in history.setting.streams { try shop.put("[]", as: "\(stream).json") }
        for _ in 0..<8 {
            for (stream, text) in history.send() { try shop.put(text, as: "\(stream).json") }
            shop.stream = history.alone()
            func place() -> Comment {
                "seed \(seed), \(history.setting):\n\(history.told.joined(separator: "\n"))"
            }
            do {
                let (report, _) = try shop.syncPlanned()
                try #require(report.status == .succeeded, "\(report.problems) \(place())")
                try expectCounts(report, shop, history, place())
            } catch let error as Workshop.Disagreement {
                Issue.record("\(error.what) \(place())")
                return
            }
            let before = try shop.items
            let written = try shop.quietRun().written
            let after = try shop.items
            if !written.isEmpty {
                Issue.record("\(before) \(after) \(written.joined(separator: "\n")) \(place())")
                return
            }
            if let decision = history.decision() { try decide(shop, decision) }
            let edit = history.edit()
            if !edit.isEmpty { try shop.sql(edit) }
        }
    }

    private func expectCounts(
        _ report: RunReport, _ shop: Workshop, _ history: StreamHistory, _ place: Comment
    ) throws {
        let total = report.total
        for stream in report.streams {
            let summary = stream.summary
            let outcomes =
                summary.insert + summary.update + summary.unchanged + summary.keptLocal + summary.conflict
                + summary.quarantined - stream.outcomesOnTop + stream.statedDeletes
            #expect(stream.read == outcomes, "\(place)")
        }
        let open = try shop.values("SELECT DISTINCT stream, key FROM _sluice_conflicts WHERE status = 'open'")
        let met = open.filter { history.lists($0[1], by: $0[0]) && shop.stream ?? $0[0] == $0[0] }
        #expect(total.conflict <= Set(open.map { $0[1] }).count, "\(place)")
        #expect(total.conflict >= Set(met.map { $0[1] }).count, "\(place)")
    }

    private func decide(_ shop: Workshop, _ decision: Resolution) throws {
        let store = try SQLiteRecordStore(path: shop.store, mode: .settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, decision) }
        try ConflictResolver(store: store).carryOut(&decisions, who: nil)
        try store.commit()
    }
}
