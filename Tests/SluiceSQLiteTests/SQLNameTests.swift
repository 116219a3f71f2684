import SluiceSQLite
import Testing

@Suite("Names in SQL")
struct SQLNameTests {
    static let names = [
        "plain", "with space", "order", "a\"b", "\"", "\"\"", "a\"; DROP TABLE t; --", "'single'", "[brackets]",
        "`back`",
        "ünï", "日本", "e\u{301}", "a\"\u{301}b", "\"\u{200D}", "1", "semi;colon", "line\nbreak",
    ]

    @Test(arguments: names)
    func everyNameIsOneName(_ name: String) throws {
        let connection = try Connection(path: "", mode: .temporary)
        try connection.execute("CREATE TABLE \(SQLName.quoted(name)) (\(SQLName.list([name, "other\" one"])))")
        try connection.execute("INSERT INTO \(SQLName.quoted(name)) VALUES (1, 2)")
        let tables = try connection.rows("SELECT name FROM sqlite_schema")
        #expect(tables == [[SQLiteValue(name)]])
        let columns = try connection.rows("SELECT name FROM pragma_table_info(?1)", [SQLiteValue(name)])
        #expect(columns == [[SQLiteValue(name)], [SQLiteValue("other\" one")]])
        #expect(try connection.integer("SELECT \(SQLName.quoted(name)) FROM \(SQLName.quoted(name))") == 1)
    }

    @Test func quotesAreDoubled() {
        #expect(SQLName.quoted("a\"b") == "\"a\"\"b\"")
        #expect(SQLName.quoted("") == "\"\"")
        #expect(SQLName.list(["a", "b c"]) == "\"a\", \"b c\"")
    }
}
