import SluicePipeline
import SluiceReport
import Testing

/// Conflicts over lists that are one value, which people end in the table: a stream that asks for changes alone finds that as a whole
/// reading does.
@Suite struct ListConflictsMetTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What people do first, and once the conflict is open.
        let edit, then: String
        let tags: [String]
        let isOpen: Bool
    }

    static let cases = [
        Case(
            testDescription: "the edit is taken back", edit: "UPDATE tag SET v = 'mine' WHERE item_id = 1",
            then: "UPDATE tag SET v = 'a' WHERE item_id = 1", tags: ["0|'b'", "1|'c'"], isOpen: false),
        Case(
            testDescription: "an element that was deleted is back", edit: "DELETE FROM tag WHERE item_id = 1",
            then: "INSERT INTO tag VALUES (1, 0, 'a')", tags: ["0|'b'", "1|'c'"], isOpen: false),
        Case(
            testDescription: "what the source says is written here",
            edit: "UPDATE tag SET v = 'mine' WHERE item_id = 1",
            then: "UPDATE tag SET v = 'b' WHERE item_id = 1; INSERT INTO tag VALUES (1, 1, 'c')",
            tags: ["0|'b'", "1|'c'"],
            isOpen: false),
        Case(
            testDescription: "something else is written", edit: "UPDATE tag SET v = 'mine' WHERE item_id = 1",
            then: "UPDATE tag SET v = 'other' WHERE item_id = 1", tags: ["0|'other'"], isOpen: true),
        Case(
            testDescription: "nothing is done", edit: "UPDATE tag SET v = 'mine' WHERE item_id = 1", then: "SELECT 1",
            tags: ["0|'mine'"], isOpen: true),
    ]

    @Test(arguments: cases) func theListIsLookedAt(_ test: Case) throws {
        for isFull in [false, true] {
            let shop = try Self.shop(", incremental: {cursor_field: at, client_side: true}")
            func source(_ month: Int, _ tags: String) -> String {
                #"[{"id":1,"at":"2024-0\#(month)-01T00:00:00Z","tags":[\#(tags)]},{"id":2,"at":"2024-0\#(month)-02T00:00:00Z","tags":[]}]"#
            }
            _ = try shop.syncPlanned(source(1, #""a""#))
            try shop.sql(test.edit)
            let (disputed, _) = try shop.syncPlanned(source(2, #""b","c""#))
            #expect(disputed.entities["Tag"]?.conflict == 1)
            try shop.sql(test.then)
            // The first record is older than what was read since.
            shop.overrides.isFull = isFull
            let (report, _) = try shop.syncPlanned()
            #expect(report.streams.first?.filtered == (isFull ? 0 : 1))
            #expect(try shop.rows("SELECT position, v FROM tag ORDER BY 1") == test.tags, "full \(isFull)")
            let open = try shop.rows("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'")
            #expect(open == [test.isOpen ? "1" : "0"], "full \(isFull)")
            #expect(try shop.quietRun().written == [], "full \(isFull)")
        }
    }

    @Test("So it is where the source leaves the list out", arguments: cases)
    func theListIsLeftOut(_ test: Case) throws {
        let shop = try Self.shop("")
        _ = try shop.syncPlanned(#"[{"id":1,"tags":["a"]}]"#)
        try shop.sql(test.edit)
        _ = try shop.syncPlanned(#"[{"id":1,"tags":["b","c"]}]"#)
        let (disputed, _) = try shop.syncPlanned(#"[{"id":1}]"#)
        #expect(disputed.openBesides.conflicts == 1)
        try shop.sql(test.then)
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT position, v FROM tag ORDER BY 1") == test.tags)
        let open = try shop.rows("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'")
        #expect(open == [test.isOpen ? "1" : "0"])
        #expect(try shop.quietRun().written == [])
    }

    /// What people do with the rows of an order's line and of its part, the remark of the line and the part's name in the end.
    struct Line: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let edit, then: String
        let line, part: [String]
        let isOpen: Bool
    }

    static let lines = [
        Line(
            testDescription: "rows that were deleted are back",
            edit: "DELETE FROM part; DELETE FROM line",
            then: "INSERT INTO line VALUES (1, 1, 'a'); INSERT INTO part VALUES (1, 1, 1, 'a')",
            line: ["'b'"], part: ["'b'"], isOpen: false),
        Line(
            testDescription: "the line's row alone is back",
            edit: "DELETE FROM part; DELETE FROM line", then: "INSERT INTO line VALUES (1, 1, 'a')",
            line: ["'b'"], part: [], isOpen: true),
        Line(
            testDescription: "nothing is done", edit: "DELETE FROM part; DELETE FROM line", then: "SELECT 1",
            line: [], part: [], isOpen: true),
        Line(
            testDescription: "an edit is taken back", edit: "UPDATE line SET remark = 'mine'",
            then: "UPDATE line SET remark = 'a'", line: ["'b'"], part: ["'b'"], isOpen: false),
        Line(
            testDescription: "what the source says is written here", edit: "UPDATE part SET name = 'mine'",
            then: "UPDATE part SET name = 'b'", line: ["'b'"], part: ["'b'"], isOpen: false),
    ]

    @Test("So it is with children that have keys", arguments: lines, ["", #","lines":[],"lines_has_more":true"#])
    func theChildrenAreLeftOut(_ test: Line, rest: String) throws {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            entities:
              Order:
                table: orders
                primary_key: id
                fields: {id: int}
                children: {lines: {entity: Line, from: "lines[*]", key: n}}
              Line:
                table: line
                fields: {n: int, remark: string}
                children: {parts: {entity: Part, from: "parts[*]", key: n}}
              Part: {table: part, fields: {n: int, name: string}}
            streams: [{name: orders, entity: Order, path: remote.json}]
            """)
        func source(_ value: String) -> String {
            #"[{"id":1,"lines":[{"n":1,"remark":"\#(value)","parts":[{"n":1,"name":"\#(value)"}]}]}]"#
        }
        _ = try shop.syncPlanned(source("a"))
        try shop.sql(test.edit)
        _ = try shop.syncPlanned(source("b"))
        _ = try shop.syncPlanned(#"[{"id":1\#(rest)}]"#)
        try shop.sql(test.then)
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT remark FROM line") == test.line)
        #expect(try shop.rows("SELECT name FROM part") == test.part)
        let open = try shop.rows("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'")
        #expect(open == [test.isOpen ? "1" : "0"])
        #expect(try shop.quietRun().written == [])
    }

    private static func shop(_ rest: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            entities:
              Item:
                table: item
                primary_key: id
                fields: {id: int, at: datetime}
                children: {tags: {entity: Tag, from: "tags[*]", ordered: true}}
              Tag: {table: tag, fields: {v: {type: string, from: $}}}
            streams: [{name: items, entity: Item, path: remote.json\(rest)}]
            """)
        return shop
    }
}
