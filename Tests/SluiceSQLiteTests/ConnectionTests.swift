import Dispatch
import SluiceSQLite
import Synchronization
import TestSupport
import Testing

/// Runs a body with a new database file.
func withConnection(_ body: (Connection) throws -> Void) throws {
    try withTemporaryDirectory { directory in
        try body(try Connection(path: directory.file("a.db"), mode: .create))
    }
}

@Suite("A connection")
struct ConnectionTests {
    @Test func errorsCarryCodeAndStatementWithoutValues() throws {
        try withConnection { connection in
            try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
            let sql = "INSERT INTO t VALUES (?1, ?2)"
            try connection.run(sql, [.integer(1), SQLiteValue("top secret")])
            let unique = try #require(throws: SQLiteError.self) {
                try connection.run(sql, [.integer(2), SQLiteValue("top secret")])
            }
            #expect(unique.code == .uniqueConstraint)
            #expect(unique.code.primary == .constraint)
            #expect(unique.sql == sql)
            #expect(unique.description.contains("t.name") && unique.description.contains(sql))
            #expect(!unique.description.contains("secret") && !unique.message.contains("secret"))
            let key = try #require(throws: SQLiteError.self) {
                try connection.run(sql, [.integer(1), SQLiteValue("other")])
            }
            #expect(key.code == .primaryKeyConstraint)
        }
    }

    @Test(arguments: ["SELEC 1", "SELECT * FROM missing", ""])
    func whatIsNoStatementIsAnErrorWithItsText(_ sql: String) throws {
        let connection = try Connection(path: "", mode: .temporary)
        let error = try #require(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
        #expect(error.sql == sql)
        #expect(error.code.rawValue != 0)
    }

    @Test func executeNamesItsStatements() throws {
        let connection = try Connection(path: "", mode: .temporary)
        let error = try #require(throws: SQLiteError.self) { try connection.execute("CREATE TABLE t (a); SELEC") }
        #expect(error.sql == "CREATE TABLE t (a); SELEC")
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 1)
    }

    @Test func afterAnErrorAStatementRunsAgain() throws {
        let connection = try Connection(path: "", mode: .temporary)
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        let statement = try connection.prepare("INSERT INTO t VALUES (?1)")
        try statement.run([.integer(1)])
        #expect(throws: SQLiteError.self) { try statement.run([.integer(1)]) }
        try statement.run([.integer(2)])
        #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    }

    @Test func aMissingFileIsMadeOrRefused() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("a.db")
            let existing = try #require(throws: SQLiteError.self) { _ = try Connection(path: path, mode: .existing) }
            #expect(existing.code.primary == .cannotOpen)
            let readOnly = try #require(throws: SQLiteError.self) { _ = try Connection(path: path, mode: .readOnly) }
            #expect(readOnly.code.primary == .cannotOpen)
            try Connection(path: path, mode: .create).execute("CREATE TABLE t (a)")
            #expect(try Connection(path: path, mode: .existing).integer("SELECT count(*) FROM t") == 0)
        }
    }

    @Test func aReadOnlyConnectionRefusesToWrite() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("a.db")
            try Connection(path: path, mode: .create).execute("CREATE TABLE t (a)")
            let reader = try Connection(path: path, mode: .readOnly)
            let error = try #require(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
            #expect(error.code.primary == .readOnly)
        }
    }

    @Test func aTemporaryDatabaseIsItsOwn() throws {
        let one = try Connection(path: "ignored", mode: .temporary)
        let two = try Connection(path: "ignored", mode: .temporary)
        try one.execute("CREATE TABLE t (a)")
        #expect(try two.integer("SELECT count(*) FROM sqlite_schema") == 0)
    }

    @Test func anotherConnectionsLockIsBusy() throws {
        try withTemporaryDirectory { directory in
            let first = try Connection(path: directory.file("a.db"), mode: .create)
            let second = try Connection(path: directory.file("a.db"), mode: .create)
            second.setBusyTimeout(milliseconds: 0)
            try first.execute("BEGIN IMMEDIATE")
            let error = try #require(throws: SQLiteError.self) { try second.execute("BEGIN IMMEDIATE") }
            #expect(error.code.primary == .busy)
            #expect(first.isInTransaction && !second.isInTransaction)
            try first.execute("ROLLBACK")
            try second.execute("BEGIN IMMEDIATE; COMMIT")
        }
    }

    @Test func countsWhatWasChanged() throws {
        let connection = try Connection(path: "", mode: .temporary)
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
        try connection.run("INSERT INTO t (a) VALUES (1), (2), (3)")
        #expect(connection.changes == 3 && connection.lastInsertedRowID == 3)
        try connection.run("DELETE FROM t WHERE id > 1")
        #expect(connection.changes == 2 && connection.totalChanges == 5)
    }

    @Test func anIntegerIsNilWithoutARowOrValue() throws {
        let connection = try Connection(path: "", mode: .temporary)
        #expect(try connection.integer("SELECT 7") == 7)
        #expect(try connection.integer("SELECT ?1", [.integer(.min)]) == .min)
        #expect(try connection.integer("SELECT NULL") == nil)
        #expect(try connection.integer("SELECT 1 WHERE 0") == nil)
    }

    @Test func aStatementKeepsItsConnectionAlive() throws {
        weak var observed: Connection?
        var statement: Statement?
        do {
            let connection = try Connection(path: "", mode: .temporary)
            observed = connection
            statement = try connection.prepare("SELECT 7")
        }
        #expect(observed != nil)
        #expect(try statement?.step() == true)
        #expect(statement?.integer(0) == 7)
        statement = nil
        #expect(observed == nil)
    }

    /// Unlike an interruption, which is over with the statement that it ends.
    @Test func aStopEndsAllStatements() throws {
        let connection = try Connection(path: "", mode: .temporary)
        let rows = try connection.prepare("SELECT 1 UNION SELECT 2")
        #expect(try rows.step())
        connection.makeStop()()
        #expect(try #require(throws: SQLiteError.self) { _ = try rows.step() }.code == .interrupted)
        #expect(throws: SQLiteError.self) { _ = try connection.rows("SELECT 1") }
    }

    @Test func aRunningStatementIsInterruptedByAnotherThread() throws {
        let connection = try Connection(path: "", mode: .temporary)
        let interrupt = connection.makeInterrupt()
        let isDone = Flag()
        let stopped = Gate()
        // An interrupt before the statement begins is lost, so it is repeated until the statement has ended.
        DispatchQueue(label: "interrupter").async {
            while !isDone.isSet { interrupt() }
            stopped.open()
        }
        defer {
            isDone.set()
            stopped.wait()
        }
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let error = try #require(throws: SQLiteError.self) { _ = try connection.integer(endless) }
        #expect(error.code == .interrupted)
        #expect(error.sql == endless)
    }
}

/// Something that one thread says to another.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
