import SluicePipeline
import SluiceReport
import TestSupport
import Testing

/// Random histories whose last run is taken back.
///
/// A failure names its seed; see ``Seeds``.
@Suite("Undo of random histories")
struct UndoPropertyTests {
    static let seeds = Seeds.first(8)

    /// A history up to where a run begins; nil where its rules end runs before that.
    private func history(
        _ seed: UInt64, steps: Int, _ extent: RandomHistory.Extent, _ adjust: (Workshop) throws -> Void
    ) throws -> (RandomHistory, Workshop, run: Int64)? {
        var history = RandomHistory(seed: seed &* 31, extent: extent)
        var model = MergeModel(rules: history.rules)
        let shop = try Workshop(history.rules)
        try adjust(shop)
        for step in 1...steps {
            let sent = history.send()
            for (name, text) in history.files(sent) { try shop.put(text, as: name) }
            shop.stream = sent.count < history.rules.sources.count ? sent.keys.first : nil
            if step == steps { break }
            _ = model.run(sent)
            if model.hasFailed { return nil }
            let report = shop.sync().report
            try #require(report.status == .succeeded, "seed \(seed): \(report.problems)")
            try shop.sql(history.edit(&model))
        }
        return (history, shop, run: Int64(steps))
    }

    @Test("What was before comes back, and what was after that too", arguments: seeds)
    func roundTrip(_ seed: UInt64) throws { try roundTrip(seed) { _ in } }

    /// PostgreSQL does the same, with fewer histories.
    @Test("And so it does on PostgreSQL", arguments: Seeds.first(3))
    func roundTripOnPostgres(_ seed: UInt64) throws { try roundTrip(seed) { $0.database = try WorkshopSchema() } }

    private func roundTrip(_ seed: UInt64, _ adjust: (Workshop) throws -> Void) throws {
        guard let (history, shop, run) = try history(seed, steps: 2 + Int(seed % 3), .all, adjust) else { return }
        let place: Comment = "seed \(seed), \(history.rules)"
        let before = try shop.managed()
        let done = shop.sync()
        if done.report.status == .failed { return }
        let after = try shop.managed()
        let rows = try shop.rows(of: history.rules)

        let undo = try shop.undoPlanned(run)
        if after == before {
            #expect(undo.report.run == nil && undo.recorder.told == [], place)
            return
        }
        #expect(undo.report.status == .succeeded && undo.report.left == 0, "\(undo.report) \(place)")
        try expect(shop.managed(), before, place)
        let redo = try shop.undoPlanned(run + 1)
        #expect(redo.report.status == .succeeded, "\(redo.report) \(place)")
        try expect(shop.managed(), after, place)
        let again = try shop.undoPlanned(run)
        #expect(again.report.status == .succeeded, "\(again.report) \(place)")
        try expect(shop.managed(), before, place)

        // The same source says the same again, and the same is done.
        let repeated = shop.sync()
        #expect(repeated.recorder.told == done.recorder.told, place)
        #expect(repeated.report.summary == done.report.summary, place)
        #expect(try shop.rows(of: history.rules) == rows, place)
        #expect(try shop.database.damage() == [])
    }

    private func expect(_ found: [String: [String]], _ wanted: [String: [String]], _ place: Comment) throws {
        for (table, rows) in wanted {
            guard table.hasPrefix("_sluice_base_"), let bases = found[table], bases.count == rows.count else {
                #expect(found[table] == rows, "\(table): \(place)")
                continue
            }
            // A hash that is void only has the next run look at its record.
            let alike = zip(bases, rows).map { found, wanted in
                let (found, wanted) = (found.split(separator: "|"), wanted.split(separator: "|"))
                if found.count > 1, wanted.count > 1, found[1] == "0" || wanted[1] == "0" {
                    return found[0] == wanted[0] && found[2...] == wanted[2...]
                }
                return found == wanted
            }
            #expect(!alike.contains(false), "\(table): \(bases) \(rows) \(place)")
        }
    }

    @Test("What was touched since stays, and nothing else", arguments: seeds)
    func touched(_ seed: UInt64) throws { try touched(seed) { _ in } }

    @Test("And so on PostgreSQL", arguments: Seeds.first(3))
    func touchedOnPostgres(_ seed: UInt64) throws { try touched(seed) { $0.database = try WorkshopSchema() } }

    private func touched(_ seed: UInt64, _ adjust: (Workshop) throws -> Void) throws {
        guard let (begun, shop, run) = try history(seed, steps: 3, .plain, adjust) else { return }
        var history = begun
        let place: Comment = "seed \(seed), \(history.rules)"
        let before = try rows(shop)
        if shop.sync().report.status == .failed { return }
        let after = try rows(shop)
        var model = MergeModel(rules: history.rules)
        for id in after.keys { model.rows[id] = [:] }
        try shop.sql(history.edit(&model))
        let now = try rows(shop)

        let undo = try shop.undoPlanned(run)
        var expected: [Int: [String]] = [:]
        var isLeft = false
        for id in Set(before.keys).union(after.keys).union(now.keys) {
            let (row, left) = Self.undone(before[id], after[id], now[id])
            expected[id] = row
            isLeft = isLeft || left
        }
        #expect(try rows(shop) == expected, place)
        #expect((undo.report.left > 0) == isLeft, "\(undo.report.left) \(undo.recorder.told) \(place)")
        #expect(shop.sync().report.status != .failed || history.rules.policies.values.contains(.fail), place)
        if undo.report.run != nil { #expect(shop.undo(run).report.problems.first?.code == "undone_already", place) }
    }

    /// What a row is once a run was taken back, written down without any regard to how that is done.
    private static func undone(
        _ before: [String]?, _ after: [String]?, _ now: [String]?
    ) -> (row: [String]?, isLeft: Bool) {
        if before == after { return (now, false) }
        guard let after else { return now == nil ? (before, false) : (now, now != before) }
        guard let before else { return now == after ? (nil, false) : (now, now != nil) }
        guard let now else { return (nil, true) }
        var row = now
        var isLeft = false
        for index in now.indices where before[index] != after[index] {
            if now[index] == after[index] {
                row[index] = before[index]
            } else {
                isLeft = isLeft || now[index] != before[index]
            }
        }
        return (row, isLeft)
    }

    private func rows(_ shop: Workshop) throws -> [Int: [String]] {
        var rows: [Int: [String]] = [:]
        for id in try shop.rows("SELECT id FROM items") {
            guard let id = Int(id) else { continue }
            rows[id] = try ["a", "b"].map { try shop.rows("SELECT \($0) FROM items WHERE id = \(id)").first ?? "" }
        }
        return rows
    }
}
