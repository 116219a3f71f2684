import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// Random lives of invoices with lines and taxes.
@Suite struct TreePropertyTests {
    private static func source(_ chance: inout SeededGenerator) -> String {
        func some(_ ids: ClosedRange<Int>, _ one: (Int) -> String) -> String {
            "[" + ids.filter { _ in Int.random(in: 0..<4, using: &chance) > 0 }.map(one).joined(separator: ",") + "]"
        }
        return some(1...3) { id in
            let lines = some(10...12) { line in
                let taxes = some(1...2) { tax in #"{"id":\#(tax),"rate":\#(Int.random(in: 0..<3, using: &chance))}"# }
                let note = ["a", "b", "a note that is too long to be kept"].randomElement(using: &chance) ?? ""
                return #"{"id":\#(line),"note":"\#(note)","taxes":\#(taxes)}"#
            }
            let more = Int.random(in: 0..<6, using: &chance) == 0 ? "" : #","lines":\#(lines)"#
            return #"{"id":\#(id),"total":\#(Int.random(in: 0..<3, using: &chance))\#(more)}"#
        }
    }

    /// What somebody does to the store.
    private static func edit(_ chance: inout SeededGenerator) -> String {
        let (id, line) = (Int.random(in: 1...3, using: &chance), Int.random(in: 10...12, using: &chance))
        let taxes = "DELETE FROM tax WHERE line_invoice_id = \(id)"
        let edits = [
            "UPDATE invoice SET total = 9 WHERE id = \(id)",
            "UPDATE line SET note = 'mine' WHERE invoice_id = \(id) AND id = \(line)",
            "UPDATE tax SET rate = 9 WHERE line_invoice_id = \(id) AND line_id = \(line)",
            "\(taxes) AND line_id = \(line)",
            "\(taxes) AND line_id = \(line); DELETE FROM line WHERE invoice_id = \(id) AND id = \(line)",
            "\(taxes); DELETE FROM line WHERE invoice_id = \(id); DELETE FROM invoice WHERE id = \(id)",
            """
            INSERT INTO line (invoice_id, id, note) SELECT id, 50, 'mine' FROM invoice WHERE id = \(id)
            ON CONFLICT DO NOTHING
            """,
        ]
        return edits.randomElement(using: &chance) ?? ""
    }

    @Test(arguments: Seeds.first(12))
    func whatARunOrADecisionDidIsTakenBack(_ seed: UInt64) throws { try life(seed) { _ in } }

    /// PostgreSQL does the same, with fewer lives.
    @Test(arguments: Seeds.first(1))
    func whatARunOrADecisionDidIsTakenBackOnPostgres(_ seed: UInt64) throws {
        try life(seed) { $0.database = try WorkshopSchema() }
    }

    private func life(_ seed: UInt64, _ adjust: (Workshop) throws -> Void) throws {
        var chance = SeededGenerator(seed: seed &* 7919)
        let mode = Bool.random(using: &chance) ? DeleteRule.Mode.hard : .soft
        let policy: ConflictPolicy = [.manual, .remoteWins, .localWins].randomElement(using: &chance) ?? .manual
        let invoices = try Invoices(mode: mode, policy: policy)
        try adjust(invoices.shop)
        func state() throws -> [String: [String]] { try invoices.shop.managed().mapValues { $0.sorted() } }
        try invoices.run(Self.source(&chance))
        for _ in 0..<3 {
            for _ in 0..<Int.random(in: 0..<4, using: &chance) { try invoices.shop.sql(Self.edit(&chance)) }
            let source = Self.source(&chance)
            try invoices.shop.put(source)
            let before = try state()
            let report = try invoices.run()
            let after = try state()
            #expect(try invoices.shop.quietRun().written == [], "seed \(seed)")
            let undone = try invoices.shop.undoPlanned(#require(report.run)).report
            if undone.run != nil {
                #expect(undone.status == .succeeded, "seed \(seed): \(undone)")
                expectMirrored(report, undone, seed)
                #expect(try state() == before, "seed \(seed)")
                #expect(invoices.shop.undo(try #require(undone.run)).report.status == .succeeded, "seed \(seed)")
                #expect(try state() == after, "seed \(seed)")
            }
            guard try !invoices.shop.rows("SELECT 1 FROM _sluice_conflicts WHERE status = 'open'").isEmpty else {
                continue
            }
            let open = try state()
            guard let run = try decide(invoices, Bool.random(using: &chance) ? .local : .remote) else { continue }
            #expect(try invoices.shop.database.brokenReferences() == [], "seed \(seed)")
            #expect(try invoices.shop.undoPlanned(run).report.status == .succeeded, "seed \(seed)")
            #expect(try state() == open, "seed \(seed)")
        }
    }

    /// What a run inserted its undo deletes, and so on: each row is one change, and what stands within records is counted apart.
    private func expectMirrored(_ run: RunReport, _ undone: RunReport, _ seed: UInt64) {
        func counts(_ one: RunSummary?) -> [Int] {
            let summary = one ?? RunSummary()
            return [summary.insert, summary.update + summary.conflictWritten, summary.delete]
        }
        #expect(counts(undone.summary) == counts(run.summary).reversed(), "seed \(seed): \(run) \(undone)")
        for entity in Set(run.entities.keys).union(undone.entities.keys) {
            let (told, back) = (run.entities[entity], undone.entities[entity])
            #expect(counts(back) == counts(told).reversed(), "seed \(seed), \(entity): \(run) \(undone)")
        }
    }

    /// Decides all conflicts alike, as far as that is possible.
    private func decide(_ invoices: Invoices, _ resolution: Resolution) throws -> Int64? {
        let store = try invoices.shop.open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
        let runs = try ConflictResolver(store: store).carryOut(&decisions, who: nil).ids
        try store.commit()
        return runs.first
    }
}
