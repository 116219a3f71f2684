import SluiceModel
import SluicePipeline
import SluiceReport
import TestSupport
import Testing

/// Records that somebody deleted without that which belongs to them, as a program does that checks no foreign keys: whatever their
/// source says of them then, one run takes all of it.
@Suite struct StandingChildrenPropertyTests {
    private static func source(_ chance: inout SeededGenerator) -> String {
        func some(_ ids: ClosedRange<Int>, _ one: (Int) -> String) -> String {
            "[" + ids.filter { _ in Int.random(in: 0..<3, using: &chance) > 0 }.map(one).joined(separator: ",") + "]"
        }
        let records = (1...3).map { id in
            let lines = some(10...12) { line in
                let taxes = some(1...2) { tax in #"{"id":\#(tax),"rate":\#(Int.random(in: 0..<2, using: &chance))}"# }
                return
                    #"{"id":\#(line),"note":"\#(Bool.random(using: &chance) ? "a" : "b")","taxes":\#(taxes)}"#
            }
            return #"{"id":\#(id),"total":\#(Int.random(in: 0..<8, using: &chance) / 7),"lines":\#(lines)}"#
        }
        return "[\(records.joined(separator: ","))]"
    }

    /// What somebody does to the store: mostly it is a record that goes without its children.
    ///
    /// - Parameters:
    ///   - chance: Where it comes from.
    ///   - line: The column that tells lines of an invoice apart.
    ///   - tax: The column that tells taxes of a line apart.
    ///   - mode: How rows go.
    /// - Returns: A statement.
    private static func edit(
        _ chance: inout SeededGenerator, line: String, tax: String, mode: DeleteRule.Mode
    ) -> String {
        let id = Int.random(in: 1...3, using: &chance)
        let first = line == "id" ? 10 : 0
        let number = first + Int.random(in: 0...2, using: &chance)
        let ofLine = "invoice_id = \(id) AND \(line) = \(number)"
        let ofTax = "line_invoice_id = \(id) AND line_\(line) = \(number)"
        func delete(_ table: String, _ condition: String) -> String {
            mode == .soft
                ? "UPDATE \(table) SET _deleted_at = '2026-01-01T00:00:00Z' WHERE \(condition)"
                : "DELETE FROM \(table) WHERE \(condition)"
        }
        let edits = [
            delete("invoice", "id = \(id)"), delete("invoice", "id = \(id)"), delete("invoice", "id = \(id)"),
            delete("line", ofLine), delete("tax", "\(ofTax) AND \(tax) = 1"),
            "UPDATE line SET note = 'mine' WHERE \(ofLine)", "UPDATE tax SET rate = 9 WHERE \(ofTax)",
            "UPDATE invoice SET total = 9 WHERE id = \(id)",
        ]
        return edits.randomElement(using: &chance) ?? ""
    }

    private func shop(_ mode: DeleteRule.Mode, _ policy: ConflictPolicy, line: String, tax: String) throws
        -> Workshop
    {
        let shop = try Workshop()
        try shop.defineInvoices(
            line: line, tax: tax, mode: mode, invoice: "id: int, total: int",
            rules: "merge: {on_conflict: \(policy.rawValue)}")
        return shop
    }

    /// A run over the same data as the run before writes nothing and opens no conflict.
    @Test(arguments: Seeds.first(40, and: [447, 507, 553]))
    func aSecondRunHasNothingToDo(_ seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed &* 104_729)
        let mode = Bool.random(using: &chance) ? DeleteRule.Mode.hard : .soft
        let policy: ConflictPolicy =
            [.manual, .manual, .remoteWins, .localWins].randomElement(using: &chance) ?? .manual
        let line = ["id", "id", "position"].randomElement(using: &chance) ?? ""
        let tax = ["id", "id", "position"].randomElement(using: &chance) ?? ""
        let shop = try shop(mode, policy, line: line, tax: tax)
        _ = try shop.syncPlanned(Self.source(&chance))
        for round in 1...3 {
            var edits = "PRAGMA foreign_keys = OFF"
            for _ in 0..<Int.random(in: 1..<4, using: &chance) {
                edits += "; " + Self.edit(&chance, line: line, tax: tax, mode: mode)
            }
            try shop.sql(edits)
            let source = Self.source(&chance)
            _ = try shop.syncPlanned(source)
            let told: Comment = "seed \(seed), round \(round), \(mode), \(policy), \(line), \(tax): \(edits) \(source)"
            let (again, written) = try shop.quietRun()
            #expect(written == [], told)
            #expect(again.summary.hasWrites == false, told)
        }
    }
}
