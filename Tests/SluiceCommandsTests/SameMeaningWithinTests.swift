import SluiceCommands
import SluiceSQLite
import Testing

/// What stands within records is merged by the same rule: the same in another type is no news.
@Suite("Lists whose source says the same after a change of type")
struct SameMeaningWithinTests {
    enum Shape: String, CaseIterable, Sendable {
        case keyed, ordered

        var children: String { self == .keyed ? "key: [no]" : "ordered: true" }
    }

    private func pipeline(_ shape: Shape, _ due: String) -> String {
        """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities:
          Line: {table: lines, fields: {no: int, due: \(due)}}
          Book:
            table: books
            primary_key: [id]
            fields: {id: int}
            children: {lines: {entity: Line, from: "lines[*]", \(shape.children)}}
        streams: [{name: books, entity: Book, path: books.json}]
        """
    }

    private func books(_ second: String) -> String {
        #"[{"id":1,"lines":[{"no":1,"due":"2026-12-01"},{"no":2,"due":"\#(second)"}]}]"#
    }

    @Test("An edit stands, other rows have their values, and what comes next is a conflict", arguments: Shape.allCases)
    func editStands(_ shape: Shape) throws {
        let shop = try Workshop()
        try shop.write(pipeline(shape, "string"), to: "shop.yaml")
        try shop.write(books("2026-12-02"), to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE lines SET due = 'soon' WHERE no = 2")
        try shop.write(
            pipeline(shape, "{type: datetime, format: [rfc3339, date], timezone: UTC}"), to: "shop.yaml")
        let open = "SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'"
        let waiting = "SELECT count(*) FROM _sluice_quarantine WHERE status = 'open'"
        for _ in 1...2 {
            let run = shop.sluice("run", shop.pipeline, "--allow-schema", "quarantine", "--full")
            #expect(run.code == 0, "\(run)")
            #expect(try shop.value(open) == .integer(0), "\(run)")
            #expect(
                try shop.rows("SELECT CAST(no AS text), coalesce(due, '-') FROM lines ORDER BY no") == [
                    ["1", "2026-12-01T00:00:00Z"], ["2", "-"],
                ], "\(run)")
            #expect(try shop.value(waiting) == .integer(1), "\(run)")
        }
        try shop.write(books("2026-12-09"), to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(try shop.value(open) == .integer(1))
    }
}
