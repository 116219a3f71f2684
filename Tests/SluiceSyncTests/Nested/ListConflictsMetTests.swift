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
                streams: [{name: items, entity: Item, path: remote.json, incremental: {cursor_field: at, client_side: true}}]
                """)
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
}
