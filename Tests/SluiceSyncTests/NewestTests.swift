import SluiceModel
import SluicePipeline
import Testing

/// `newest_wins` where nothing says which side is newer: a person decides, and is told why.
@Suite struct NewestTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What somebody sets besides the title.
        var edit = ""
        /// What the source says of the time then.
        let time: String
        let note: String
    }

    static let cases = [
        Case(
            testDescription: "an edit that left the time as it was", time: #""2024-02-01""#,
            note: "the edit left `at` as it was"),
        Case(
            testDescription: "an edit that cleared the time", edit: ", at = NULL", time: #""2024-02-01""#,
            note: "`at` has no time here"),
        Case(
            testDescription: "a source that cleared it", edit: ", at = '2024-03-01'", time: "null",
            note: "the source gives no `at`"),
        Case(
            testDescription: "the same time", edit: ", at = '2024-02-01'", time: #""2024-02-01""#,
            note: "`at` is the same on both sides"),
    ]

    private static func shop() throws -> Workshop {
        let shop = try Workshop(fields: [field("id", .int), field("a"), field("at", .date)])
        shop.adjust = { $0.entities[0].newestField = "at" }
        shop.rules = ConflictRules(fallback: .newestWins)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","at":"2024-01-01"}]"#)
        return shop
    }

    @Test(arguments: cases)
    func saysWhyNobodyIsNewer(_ example: Case) throws {
        let shop = try Self.shop()
        try shop.sql("UPDATE items SET a = 'mine'\(example.edit)")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"y","at":\#(example.time)}]"#)
        #expect(
            try shop.rows("SELECT status, note FROM _sluice_conflicts WHERE field = 'a'")
                == ["'open'|'newest_wins cannot tell: \(example.note)'"])
        #expect(try shop.rows("SELECT a FROM items") == ["'mine'"])
        #expect(try shop.quietRun().written == [])
    }

    @Test("An edit with its time needs nobody", arguments: [("2024-01-15", "y"), ("2024-03-01", "mine")])
    func decides(time: String, result: String) throws {
        let shop = try Self.shop()
        try shop.sql("UPDATE items SET a = 'mine', at = '\(time)'")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"y","at":"2024-02-01"}]"#)
        #expect(try shop.rows("SELECT a FROM items") == ["'\(result)'"])
        #expect(try shop.rows("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["0"])
    }
}
