import SluicePostgres
import Testing

@Suite("A name in PostgreSQL")
struct NameTests {
    @Test(arguments: [
        "plain", "Mixed Case", "quo\"te", "\"\"", "a\"\u{301}b", "semi;--colon", "back\\slash", "é", "select",
    ])
    func isOneNameWhateverItHas(_ name: String) throws {
        try withSchema { connection, schema throws in
            let table = PostgresName.quoted(name, in: schema)
            try connection.execute("CREATE TABLE \(table) (\(PostgresName.quoted(name)) int, other int)")
            #expect(try connection.integer("SELECT count(\(PostgresName.quoted(name))) FROM \(table)") == 0)
            #expect(
                try connection.run(
                    "SELECT column_name::text FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2",
                    [PostgresValue(schema), PostgresValue(name)]
                ).rowCount == 2)
        }
    }

    @Test func isKeptUpToSixtyThreeBytes() {
        #expect(PostgresName.isKept(String(repeating: "a", count: 63)))
        #expect(!PostgresName.isKept(String(repeating: "a", count: 64)))
        #expect(!PostgresName.isKept(String(repeating: "é", count: 32)))
        #expect(!PostgresName.isKept("") && !PostgresName.isKept("a\0b"))
    }
}
