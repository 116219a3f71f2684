import SluiceReport
import TestSupport
import Testing

/// Random histories, run by the engine on a real store and by the model with dictionaries.
///
/// A failure names its seed; see ``Seeds``.
@Suite("Against an independent model")
struct MergeModelTests {
    static let seeds = Seeds.first(10, and: [48])

    @Test("The table has all 27 cases")
    func wholeTable() { #expect(FieldTable.count == 27) }

    @Test("Rows, bases, open conflicts and counts are what the tables say", arguments: seeds)
    func history(_ seed: UInt64) throws {
        try play(seed) { _ in }
    }

    /// PostgreSQL does the same, with fewer histories.
    @Test("And so they are on PostgreSQL", arguments: Seeds.first(4))
    func historyOnPostgres(_ seed: UInt64) throws { try play(seed) { $0.database = try WorkshopSchema() } }

    private func play(_ seed: UInt64, _ adjust: (Workshop) throws -> Void) throws {
        var history = RandomHistory(seed: seed)
        var model = MergeModel(rules: history.rules)
        let shop = try Workshop(history.rules)
        try adjust(shop)
        for step in 1...6 {
            let place: Comment = "seed \(seed), step \(step), \(history.rules)"
            let sent = history.send()
            for (name, text) in history.files(sent) { try shop.put(text, as: name) }
            shop.stream = sent.count < history.rules.sources.count ? sent.keys.first : nil
            let isNew = !shop.database.exists
            let before = isNew ? [:] : try shop.contents()

            let counts = model.run(sent)
            let (report, _) = try shop.syncPlanned()
            if model.hasFailed {
                model.hasFailed = false
                #expect(report.status == .failed, place)
                // A store is not made for a failure.
                if isNew { continue }
                #expect(try shop.contents() == before, place)
            } else {
                try #require(report.status == .succeeded, "\(report.problems) \(place)")
                #expect(MergeModel.Counts(report) == counts, place)
                try compare(shop, model, place)
                try repeated(shop, &model, sent, place)
            }
            try compare(shop, model, place)
            try shop.sql(history.edit(&model))
        }
        if shop.database.exists { #expect(try shop.database.damage() == []) }
    }

    /// The sources say the same again: nothing is written.
    private func repeated(
        _ shop: Workshop, _ model: inout MergeModel, _ sent: [String: [MergeModel.Record]], _ place: Comment
    ) throws {
        let known = model.all
        _ = model.run(sent)
        #expect(!model.hasFailed && model.all == known, place)
        let before = try shop.contents()
        #expect(shop.sync().report.status == .succeeded, place)
        let now = try shop.contents()
        for table in Set(before.keys).union(now.keys) { expect(now[table] ?? [], before[table] ?? [], place) }
    }

    private func compare(_ shop: Workshop, _ model: MergeModel, _ place: Comment) throws {
        try expect(shop.rows(of: model.rules), model.items, place)
        for source in model.bases.keys { try expect(shop.bases(of: source), model.baseTexts(of: source), place) }
        try expect(shop.openConflicts, model.conflictTexts, place)
    }

    /// Expects the same lines; of others only those that differ are shown.
    private func expect(_ found: [String], _ wanted: [String], _ place: Comment) {
        if found == wanted { return }
        let (known, expected) = (Set(found), Set(wanted))
        let differences =
            found.filter { !expected.contains($0) }.map { "found: \($0)" }
            + wanted.filter { !known.contains($0) }.map { "expected: \($0)" }
        Issue.record("\(differences.joined(separator: "\n")) \(place)")
    }
}
