import SluiceReport
import Testing

/// The truth table of one field, through files and SQL.
@Suite("One field: base, local and remote")
struct FieldCaseTests {
    /// `∅` not given, `n` null, `⊥` absent, else the text itself.
    struct Case: CustomTestStringConvertible, Sendable {
        let number: Int
        let base: String
        let local: String
        let remote: String
        let result: String
        let newBase: String
        let summary: String
        var conflict: String?
        var testDescription: String { "\(number): B=\(base) L=\(local) R=\(remote)" }

        init(
            _ number: Int, _ base: String, _ local: String, _ remote: String, _ result: String, _ newBase: String,
            _ summary: String, _ conflict: String? = nil
        ) {
            self.number = number
            self.base = base
            self.local = local
            self.remote = remote
            self.result = result
            self.newBase = newBase
            self.summary = summary
            self.conflict = conflict
        }
    }

    static let cases = [
        Case(1, "∅", "n", "⊥", "n", "∅", "unchanged 1"), Case(2, "∅", "n", "n", "n", "n", "unchanged 1"),
        Case(3, "∅", "n", "a", "a", "a", "update 1"), Case(4, "∅", "a", "⊥", "a", "∅", "unchanged 1"),
        Case(5, "∅", "a", "n", "a", "n", "kept_local 1"), Case(6, "∅", "a", "a", "a", "a", "unchanged 1"),
        Case(7, "∅", "a", "b", "a", "∅", "conflict 1", "add_add a - \"a\" \"b\" open 1"),
        Case(8, "n", "n", "⊥", "n", "n", "unchanged 1"), Case(9, "n", "n", "n", "n", "n", "unchanged 1"),
        Case(10, "n", "n", "a", "a", "a", "update 1"), Case(11, "n", "a", "⊥", "a", "n", "unchanged 1"),
        Case(12, "n", "a", "n", "a", "n", "unchanged 1"), Case(13, "n", "a", "a", "a", "a", "unchanged 1"),
        Case(14, "n", "a", "b", "a", "n", "conflict 1", "edit_edit a null \"a\" \"b\" open 1"),
        Case(15, "a", "n", "⊥", "n", "a", "unchanged 1"), Case(16, "a", "n", "n", "n", "n", "unchanged 1"),
        Case(17, "a", "n", "a", "n", "a", "unchanged 1"),
        Case(18, "a", "n", "b", "n", "a", "conflict 1", "clear_edit a \"a\" null \"b\" open 1"),
        Case(19, "a", "a", "⊥", "a", "a", "unchanged 1"), Case(20, "a", "a", "n", "n", "n", "update 1"),
        Case(21, "a", "a", "a", "a", "a", "unchanged 1"), Case(22, "a", "a", "b", "b", "b", "update 1"),
        Case(23, "a", "b", "⊥", "b", "a", "unchanged 1"),
        Case(24, "a", "b", "n", "b", "a", "conflict 1", "edit_clear a \"a\" \"b\" null open 1"),
        Case(25, "a", "b", "a", "b", "a", "unchanged 1"), Case(26, "a", "b", "b", "b", "b", "unchanged 1"),
        Case(27, "a", "b", "c", "b", "a", "conflict 1", "edit_edit a \"a\" \"b\" \"c\" open 1"),
    ]

    @Test("Cases 1 to 27", arguments: cases)
    func table(_ truth: Case) throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned("[\(Self.record(truth.base))]")
        if truth.local != truth.base && !(truth.base == "∅" && truth.local == "n") {
            try shop.sql("UPDATE items SET a = \(Self.sql(truth.local))")
        }
        let (report, recorder) = try shop.syncPlanned("[\(Self.record(truth.remote))]")
        #expect(report.summary.text == truth.summary)
        let items = try shop.items
        #expect(items == ["1|\(Self.sql(truth.result))|'same'"])
        let bases = try shop.bases
        let newBase = truth.newBase == "∅" ? "∅" : truth.newBase == "n" ? "null" : "'\(truth.newBase)'"
        #expect(bases == ["1 live\(truth.conflict == nil ? "" : " open") a=\(newBase) b='same'"])
        let conflicts = try shop.conflicts
        #expect(conflicts == [truth.conflict].compactMap { $0 })
        #expect(recorder.conflicts.count == conflicts.count)
        let (again, written) = try shop.quietRun()
        #expect(written == [])
        #expect(again.summary.text == (truth.conflict == nil ? "unchanged 1" : "conflict 1"))
    }

    private static func record(_ side: String) -> String {
        switch side {
        case "∅", "⊥": "{\"id\":1,\"b\":\"same\"}"
        case "n": "{\"id\":1,\"a\":null,\"b\":\"same\"}"
        default: "{\"id\":1,\"a\":\"\(side)\",\"b\":\"same\"}"
        }
    }

    private static func sql(_ side: String) -> String { side == "n" ? "NULL" : "'\(side)'" }
}
