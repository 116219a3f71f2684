import SluiceSQLite
import TestSupport
import Testing

@Suite("A copy of a database")
struct CopyTests {
    /// Makes a database of several megabytes, in the journal mode of stores.
    private func fill(_ path: String) throws {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
            INSERT INTO t SELECT i, printf('%0200d', i) FROM n
            """)
    }

    @Test(arguments: [Connection.Mode.readOnly, .immutable])
    func itHoldsTheSameAndIsApart(mode: Connection.Mode) throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("a.db")
            try fill(path)
            let copy = try Connection(path: "", mode: .temporary)
            try copy.copy(from: Connection(path: path, mode: mode)) { false }
            #expect(try copy.integer("SELECT count(*) FROM t WHERE x = printf('%0200d', id)") == 60_000)
            try copy.execute("BEGIN IMMEDIATE; DELETE FROM t; COMMIT")
            #expect(try copy.integer("SELECT count(*) FROM t") == 0)
            let original = try Connection(path: path, mode: .existing)
            #expect(try original.integer("SELECT count(*) FROM t") == 60_000)
        }
    }

    @Test func itCanBeStopped() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("a.db")
            try fill(path)
            let copy = try Connection(path: "", mode: .temporary)
            var steps = 0
            let error = try #require(throws: SQLiteError.self) {
                try copy.copy(from: Connection(path: path, mode: .readOnly)) {
                    steps += 1
                    return steps > 1
                }
            }
            #expect(error.code == .interrupted)
        }
    }
}
