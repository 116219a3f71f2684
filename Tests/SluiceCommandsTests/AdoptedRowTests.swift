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
}
