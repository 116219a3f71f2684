import SluicePostgres
import TestSupport
import Testing

/// Stores that are read as they are at one moment while somebody changes a table of theirs.
extension PostgresEditorTests {
    /// Statements after which older snapshots see none of the rows.
    static let rewrites = [
        "ALTER TABLE books ALTER title TYPE varchar(50) USING title || ''",
        "TRUNCATE TABLE books; INSERT INTO books (id, title) VALUES (1, 'One'), (2, 'mine')",
        "CREATE TABLE other AS TABLE books; DROP TABLE books; ALTER TABLE other RENAME TO books; ALTER TABLE books ADD PRIMARY KEY (id)",
    ]

    @Test(arguments: rewrites)
    func aCopyMeetsATableThatIsRewritten(statements: String) throws {
        defer { clean() }
        try start(Self.first)
        let target = try PostgresSchemaURL()
        defer { try? connection.execute("DROP SCHEMA IF EXISTS \(target.schema) CASCADE") }
        let copied = try meet(
            ["store", "copy", place.store, target.store, "--verify"],
            "SET LOCAL search_path = \(place.schema); \(statements)")
        #expect(copied.code == 0 && copied.output.contains("all are equal"), "\(copied)")
        let copy = try texts("SELECT id::text, title FROM \(target.schema).books ORDER BY id")
        #expect(try copy == rows() && copy.count == 2)
    }

    @Test(arguments: rewrites)
    func aCheckMeetsATableThatIsRewritten(statements: String) throws {
        defer { clean() }
        try start(Self.first)
        let checked = try meet(
            ["store", "check", "--store", place.store],
            "SET LOCAL search_path = \(place.schema); \(statements)")
        #expect(checked.code == 0 && !checked.output.contains("deleted"), "\(checked)")
    }
}
