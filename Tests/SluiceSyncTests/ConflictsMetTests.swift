import SluiceModel
import SluicePipeline
import SluiceReport
import Testing

/// A stream that asks for changes does not show a record again whose conflict people end in the table: the run looks at it all
/// the same, and comes to what a run over everything comes to.
@Suite struct ConflictsMetTests {
    /// What becomes of item 1 after a conflict, while its source says nothing new.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What was done here before the source changed the item, and what is done behind that.
        let edit: String
        let then: String
        /// How the first conflict ends, and the row.
        let status: String
        let row: [String]

        init(_ name: String, _ edit: String, _ then: String, _ status: String, _ row: [String]) {
            (testDescription, self.edit, self.then, self.status, self.row) = (name, edit, then, status, row)
        }
    }

    private static func source(_ day: String...) -> String {
        let records = day.enumerated().map { index, day in
            let isLater = !day.hasPrefix("2024-01")
            return
                #"{"id":\#(index + 1),"a":"\#(isLater ? "X" : "x")","b":"\#(isLater ? "Y" : "y")","at":"\#(day)T00:00:00Z"}"#
        }
        return "[" + records.joined(separator: ",") + "]"
    }

    private static let mine = "UPDATE items SET a = 'mine' WHERE id = 1"
    private static let delete = "DELETE FROM items WHERE id = 1"
    private static func set(_ a: String) -> String { "UPDATE items SET a = '\(a)' WHERE id = 1" }
    private static func insert(_ a: String, _ b: String) -> String {
        "INSERT INTO items VALUES (1, '\(a)', '\(b)', '2024-01-01T00:00:00Z')"
    }

    static let cases = [
        Case("what the source says is written here", mine, set("X"), "converged", ["'X'|'Y'"]),
        Case("the edit is taken back", mine, set("x"), "obsolete", ["'X'|'Y'"]),
        Case("something else is written", mine, set("other"), "open", ["'other'|'Y'"]),
        Case("nothing is done", mine, "SELECT 1", "open", ["'mine'|'Y'"]),
        Case("another value is edited", mine, "UPDATE items SET b = 'z' WHERE id = 1", "open", ["'mine'|'z'"]),
        Case(
            "one of two is as the source says", "UPDATE items SET a = 'mine', b = 'mine' WHERE id = 1", set("X"),
            "converged", ["'X'|'mine'"]),
        Case("the row is deleted", mine, delete, "obsolete", []),
        Case("a deleted row stays so", delete, "SELECT 1", "open", []),
        Case("a deleted row is back as the source says", delete, insert("X", "Y"), "obsolete", ["'X'|'Y'"]),
        Case("a deleted row is back as it was", delete, insert("x", "y"), "obsolete", ["'X'|'Y'"]),
        Case("a deleted row is back and another one", delete, insert("mine", "y"), "obsolete", ["'mine'|'Y'"]),
    ]

    @Test(arguments: cases)
    func theRowIsLookedAt(_ test: Case) throws {
        let shops = try [false, true].map { isFull in
            let shop = try Workshop(fields: [
                try field("id", .int), try field("a"), try field("b"), try field("at", .datetime),
            ])
            shop.adjust = { pipeline in
                var incremental = IncrementalRule(field: "at")
                incremental.isClientSide = true
                pipeline.streams[0].incremental = incremental
            }
            _ = try shop.syncPlanned(Self.source("2024-01-01", "2024-01-02"))
            try shop.sql(test.edit)
            let (disputed, _) = try shop.syncPlanned(Self.source("2024-02-01", "2024-02-02"))
            #expect(disputed.summary.conflict == 1)
            // The first record is older than what was read since.
            try shop.sql(test.then)
            shop.overrides.isFull = isFull
            let (report, _) = try shop.syncPlanned()
            #expect(report.streams.first?.filtered == (isFull ? 0 : 1))
            let first = try shop.rows("SELECT status FROM _sluice_conflicts ORDER BY id LIMIT 1")
            #expect(first == ["'\(test.status)'"], "full \(isFull)")
            #expect(try shop.rows("SELECT a, b FROM items WHERE id = 1") == test.row, "full \(isFull)")
            let open = try shop.rows("SELECT count(DISTINCT key) FROM _sluice_conflicts WHERE status = 'open'")
            #expect(["\(report.total.conflict + report.openBesides.conflicts)"] == open, "full \(isFull)")
            return shop
        }
        #expect(try shops[0].items == shops[1].items)
        #expect(try shops[0].bases == shops[1].bases)
        for shop in shops {
            shop.overrides.isFull = true
            _ = try shop.syncPlanned()
            #expect(try shop.quietRun().written == [])
        }
    }

    /// Of a record without a row it shows that nothing is changed any more, so that nothing is asked.
    @Test(
        "So it is where the source leaves out the fields that the conflict is about",
        arguments: cases.filter { $0.edit != delete })
    func theFieldsAreLeftOut(_ test: Case) throws {
        let shop = try Workshop(fields: [
            try field("id", .int), try field("a"), try field("b"), try field("at", .datetime),
        ])
        _ = try shop.syncPlanned(Self.source("2024-01-01", "2024-01-02"))
        try shop.sql(test.edit)
        _ = try shop.syncPlanned(Self.source("2024-02-01", "2024-02-02"))
        let bare = #"[{"id":1,"at":"2024-02-01T00:00:00Z"},{"id":2,"at":"2024-02-02T00:00:00Z"}]"#
        let (report, _) = try shop.syncPlanned(bare)
        #expect(report.summary.conflict == 1)
        try shop.sql(test.then)
        let (ended, _) = try shop.syncPlanned(bare)
        let first = try shop.rows("SELECT status FROM _sluice_conflicts ORDER BY id LIMIT 1")
        #expect(first == ["'\(test.status)'"])
        #expect(try shop.rows("SELECT a, b FROM items WHERE id = 1") == test.row)
        #expect(ended.streams.first?.read == 2)
        #expect(try shop.quietRun().written == [])
    }

    @Test(
        "So it is where two sources disagree", arguments: [("b", "converged"), ("mine", "open"), ("a", "obsolete")])
    func twoSources(edit: (value: String, status: String)) throws {
        let statuses = try [false, true].map { isFull in
            let table = try SharedTable()
            table.isIncremental = true
            table.precedence = ["billing", "crm"]
            try table.put(Self.contact("a", 1), Self.contact("a", 1))
            try table.run()
            try table.shop.sql("UPDATE contacts SET email = 'mine' WHERE id = 1")
            try table.put(nil, Self.contact("b", 3))
            try table.run()
            try table.shop.sql("UPDATE contacts SET email = '\(edit.value)' WHERE id = 1")
            table.shop.overrides.isFull = isFull
            try table.run()
            let row = edit.value == "mine" ? "mine" : "b"
            #expect(try table.shop.rows("SELECT email FROM contacts WHERE id = 1") == ["'\(row)'"], "full \(isFull)")
            return try table.shop.rows("SELECT status FROM _sluice_conflicts ORDER BY id LIMIT 1")
        }
        #expect(statuses == [["'\(edit.status)'"], ["'\(edit.status)'"]])
    }

    /// A contact, and one that was changed later.
    private static func contact(_ email: String, _ day: Int) -> String {
        "["
            + [(1, email, day), (2, "z", day + 1)].map { id, email, day in
                #"{"id":\#(id),"email":"\#(email)","phone":"1","at":"2024-01-0\#(day)T00:00:00Z"}"#
            }.joined(separator: ",") + "]"
    }
}
