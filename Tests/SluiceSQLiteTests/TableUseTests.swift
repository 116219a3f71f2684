import SluiceSQLite
import Testing

@Suite("The tables that statements use")
struct TableUseTests {
    private static let schema = """
        CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE pet (id INTEGER PRIMARY KEY, owner_id REFERENCES owner (id) ON DELETE CASCADE, name TEXT);
        CREATE TABLE tag (name TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE log (text TEXT);
        CREATE VIEW named AS SELECT name FROM owner;
        CREATE TRIGGER noted AFTER INSERT ON pet BEGIN INSERT INTO log VALUES (new.name); END;
        CREATE TRIGGER renamed INSTEAD OF UPDATE ON named BEGIN UPDATE owner SET name = new.name; END;
        """

    struct Case: Sendable, CustomTestStringConvertible {
        let sql: String
        var read: Set<String> = []
        var written: Set<String> = []
        var isUnknown = false

        var testDescription: String { sql }
    }

    static let cases = [
        Case(sql: "SELECT name FROM owner", read: ["owner"]),
        Case(sql: "SELECT count(*) FROM owner", read: ["owner"]),
        Case(sql: "SELECT 1 FROM owner", read: ["owner"]),
        Case(sql: "SELECT rowid FROM owner WHERE EXISTS (SELECT 1 FROM tag)", read: ["owner", "tag"]),
        Case(sql: "SELECT name FROM tag UNION SELECT name FROM pet", read: ["tag", "pet"]),
        Case(sql: "SELECT name FROM named", read: ["named", "owner"]),
        Case(sql: "INSERT INTO tag VALUES ('a')", written: ["tag"]),
        Case(sql: "INSERT INTO owner VALUES (1, 'Ann')", written: ["owner"]),
        Case(sql: "INSERT INTO pet VALUES (1, NULL, 'Rex')", read: ["pet"], written: ["pet", "log"]),
        Case(sql: "UPDATE tag SET name = 'b'", written: ["tag"]),
        Case(sql: "DELETE FROM tag", written: ["tag"]),
        Case(sql: "CREATE TABLE other (a)", isUnknown: true),
        Case(sql: "DROP TABLE log", isUnknown: true),
        Case(sql: "ALTER TABLE owner ADD COLUMN age", isUnknown: true),
    ]

    private func connection() throws -> Connection {
        let connection = try Connection(path: "", mode: .temporary)
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute(Self.schema)
        connection.recordTableUse()
        return connection
    }

    @Test("A statement", arguments: cases) func areRecorded(_ test: Case) throws {
        for runs in ["prepared", "at once"] {
            let connection = try connection()
            if runs == "prepared" { try connection.run(test.sql) } else { try connection.execute(test.sql) }
            let use = try #require(connection.takeTableUse())
            #expect(use.isUnknown == test.isUnknown, "\(runs)")
            if test.isUnknown { continue }
            #expect(use.written == test.written, "\(runs)")
            #expect(use.read.isSuperset(of: test.read), "\(runs)")
        }
    }

    /// Foreign keys and triggers of views change tables that the statement does not name.
    @Test func whatComesAlongIsRecorded() throws {
        let connection = try connection()
        try connection.run("DELETE FROM owner WHERE id = 1")
        #expect(connection.takeTableUse()?.written == ["owner", "pet"])
        try connection.run("UPDATE named SET name = 'x'")
        #expect(connection.takeTableUse()?.written.contains("owner") == true)
    }

    /// A statement that is kept is prepared once and recorded each time that it runs.
    @Test func keptStatementsAreRecordedEachTime() throws {
        let connection = try connection()
        let statement = try connection.prepare("INSERT INTO tag VALUES (?1)")
        #expect(connection.takeTableUse()?.written == [])
        for name in ["a", "b"] {
            try statement.run([.text(Array(name.utf8))])
            #expect(connection.takeTableUse()?.written == ["tag"])
        }
        #expect(connection.takeTableUse() == TableUse())
        #expect(connection.preparedCount == 1)
    }

    @Test func nothingIsRecordedUnasked() throws {
        let connection = try Connection(path: "", mode: .temporary)
        try connection.execute("CREATE TABLE t (a)")
        #expect(connection.takeTableUse() == nil)
    }
}
