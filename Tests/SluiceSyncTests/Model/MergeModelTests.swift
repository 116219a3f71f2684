import Foundation
import SluiceMerge
import SluicePipeline
import SluiceSync
import Testing

/// Random histories, run by the engine on a real store and by the model with dictionaries.
///
/// A failure names its seed; `SLUICE_SEED=n` runs that one alone, and `SLUICE_HISTORIES=n` asks for more of them.
@Suite("Against an independent model")
struct MergeModelTests {
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SLUICE_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let count = environment["SLUICE_HISTORIES"].flatMap { UInt64($0) } ?? 48
        return Array(1...max(1, count))
    }()

    @Test("The table has all 27 cases")
    func wholeTable() { #expect(FieldTable.count == 27) }

    @Test("Rows, base, open conflicts and counts are what the tables say", arguments: seeds)
    func history(_ seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        var model = MergeModel(rules: history.rules)
        let shop = try Workshop(history.rules)
        var remote: [Int: MergeModel.Values] = [:]
        for step in 1...6 {
            let place: Comment = "seed \(seed), step \(step), \(history.rules)"
            remote = history.remote(after: remote)
            let (pages, duplicates) = history.pages(remote)
            for (index, page) in pages.enumerated() { try shop.put(page, as: "page-\(index).json") }
            let before = step == 1 ? [:] : try shop.contents()

            let counts = model.run(remote)
            let (report, _) = try shop.syncPlanned()
            if model.hasFailed {
                model.hasFailed = false
                #expect(report.status == .failed, place)
                #expect(try step == 1 || shop.contents() == before, place)
            } else {
                try #require(report.status == .succeeded, "\(report.problems) \(place)")
                #expect(MergeModel.Counts(report.summary) == counts, place)
                #expect(report.streams[0].duplicates == duplicates, place)
                let (again, written) = try shop.quietRun()
                #expect(written == [], place)
                #expect(again.status == .succeeded, place)
            }
            if step > 1 || report.status == .succeeded { try compare(shop, model, place) }

            let statements = history.edit(&model)
            if FileManager.default.fileExists(atPath: shop.store) {
                try shop.sql(statements)
            } else {
                model = MergeModel(rules: history.rules)
            }
        }
        #expect(try shop.rows("PRAGMA integrity_check") == ["'ok'"])
    }

    private func compare(_ shop: Workshop, _ model: MergeModel, _ place: Comment) throws {
        let items = try shop.items
        #expect(items == model.items, place)
        let bases = try shop.bases
        #expect(bases == model.baseTexts, place)
        let conflicts = try shop.openConflicts
        #expect(conflicts == model.conflictTexts, place)
    }
}

extension Workshop {
    convenience init(_ rules: MergeModel.Rules) throws {
        var fields = [try field("id", .int)]
        for name in MergeModel.fields {
            var definition = try field(name)
            definition.owner = FieldOwner(rawValue: rules.owner(name)) ?? .shared
            fields.append(definition)
        }
        try self.init(
            fields: fields,
            rule: DeleteRule(mode: DeleteRule.Mode(rawValue: rules.deletes) ?? .ignore, maximum: .percent(100)))
        path = "page-*.json"
        self.rules = ConflictRules(
            fallback: ConflictPolicy(rawValue: rules.fallback.rawValue),
            byKind: Dictionary(
                uniqueKeysWithValues: ConflictRules.Kind.allCases.compactMap { kind in
                    ConflictPolicy(rawValue: rules.policy(kind.rawValue).rawValue).map { (kind, $0) }
                }))
    }

    /// As in `{"id":1} a edit_edit "x" "y"`.
    var openConflicts: [String] {
        get throws {
            try rows(
                """
                SELECT key || ' ' || coalesce(field, '*') || ' ' || kind || ' ' || coalesce(local, '-') || ' '
                || coalesce(remote, '-') FROM _sluice_conflicts WHERE status = 'open'
                """
            ).map { String($0.dropFirst().dropLast()) }.sorted()
        }
    }
}

extension MergeModel.Counts {
    init(_ summary: RunSummary) {
        self.init(
            insert: summary.insert, update: summary.update, delete: summary.delete, unchanged: summary.unchanged,
            keptLocal: summary.keptLocal, conflict: summary.conflict)
    }
}
