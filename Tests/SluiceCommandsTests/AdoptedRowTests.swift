import SluiceSQLite
import Testing

/// What a first run says of rows that were there before it.
@Suite struct AdoptedRowTests {
    private func makeShop(_ field: String, _ row: String, _ record: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(book: "fields: {id: int, a: \(field)}")
        try shop.make("CREATE TABLE books (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO books VALUES (1, '\(row)')")
        try shop.write(#"[{"id":1,"a":\#(record)}]"#, to: "books.json")
        return shop
    }

    /// Nobody changed what no base is known of.
    @Test(arguments: [
        ("{type: json, compare: set}", "[1]", "[2]", "a  [1] → [1,2]  (no base yet: merged; the source says [2])"),
        (
            "{type: string, on_conflict: remote_wins}", "x", "\"y\"",
            #"a  "x" → "y"  (no base yet; remote_wins takes the source's value)"#
        ),
        (
            "{type: string, on_conflict: local_wins}", "x", "\"y\"",
            #"a  "x"  (no base yet; local_wins keeps this; the source says "y")"#
        ),
    ])
    func noSideChangedWhatHasNoBase(_ field: String, _ row: String, _ record: String, _ words: String) throws {
        let shop = try makeShop(field, row, record)
        let plan = shop.sluice("plan", shop.pipeline)
        #expect(plan.output.contains(words) && !plan.output.contains("both sides"), "\(plan.output)\(plan.errors)")
        // Once there is a base, both sides may change it.
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("UPDATE books SET a = '\(row.replacing("1", with: "1, 7").replacing("x", with: "z"))'")
        try shop.write(
            #"[{"id":1,"a":\#(record.replacing("2", with: "8").replacing("y", with: "w"))}]"#, to: "books.json")
        let later = shop.sluice("plan", shop.pipeline)
        #expect(!later.output.contains("no base yet"), "\(later.output)\(later.errors)")
    }

    /// Its undo forgets what the source said, and says so; what identifies a row is no edit of it.
    @Test func theUndoOfTheRunThatTookRowsOverSaysWhatIsForgotten() throws {
        let shop = try makeShop("string", "x", "\"x\"")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        let words = "What the source says of 1 row of `Book`"
        let rest =
            "since run 1 was the first to compare it. The row stays and counts as added here until the next run; what differs from the source then is a conflict."
        let plan = shop.sluice("undo", "1", "--plan")
        #expect(plan.output.contains("warning: \(words) would be forgotten, \(rest)"), "\(plan.output)")
        // With an edit over which a conflict is open, too.
        try shop.sql("UPDATE books SET a = 'mine'")
        try shop.write(#"[{"id":1,"a":"y"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        let undo = shop.sluice("undo", "1")
        #expect(undo.code == 0, "\(undo.output)")
        let edits = shop.sluice("edits", shop.pipeline)
        #expect(!edits.output.contains("    id "), "\(edits.output)")
        // The conflict shows the base that the store forgot, and a decision can take it.
        #expect(edits.output.contains(#"base "x"   local "mine""#), "\(edits.output)")
        let decided = shop.sluice("conflicts", "resolve", "--all", "--take", "base", shop.pipeline)
        #expect(decided.code == 0, "\(decided.output)")
        try #expect(shop.rows("SELECT a FROM books") == [["x"]])
    }

    /// A row of which a later run changed a value counts as well: of its other values nothing is known any more.
    @Test func theUndoSaysWhatIsForgottenInPart() throws {
        let shop = try Workshop()
        try shop.writePipeline(book: "fields: {id: int, a: string, b: string}")
        try shop.make(
            "CREATE TABLE books (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO books VALUES (1, 'x', 'y'), (2, 'x', 'y')"
        )
        try shop.write(#"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"x","b":"y"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.write(#"[{"id":1,"a":"new","b":"y"},{"id":2,"a":"x","b":"y"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        for undo in [shop.sluice("undo", "1", "--plan"), shop.sluice("undo", "1")] {
            #expect(undo.code == 0, "\(undo.output)")
            #expect(
                undo.output.contains("What the source says of 2 rows of `Book`")
                    && undo.output.contains("(of 1 of them in part)"), "\(undo.output)")
        }
        try #expect(shop.rows("SELECT a FROM books ORDER BY id") == [["new"], ["x"]])
    }

    /// Of what another run compared before nothing is forgotten.
    @Test func theUndoOfALaterRunForgetsNothing() throws {
        let shop = try makeShop("string", "x", "\"x\"")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.write(#"[{"id":1,"a":"y"},{"id":2,"a":"z"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        let undo = shop.sluice("undo", "2", "--format", "json")
        #expect(undo.code == 0 && !undo.output.contains("source_forgotten"), "\(undo.output)")
    }
}
