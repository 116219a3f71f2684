import SluiceSQLite
import TestSupport
import Testing

@Suite("Prepared statements that are kept")
struct StatementCacheTests {
    private func connection() throws -> Connection {
        let connection = try Connection(path: "", mode: .temporary)
        try connection.execute("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2), (3, 4)")
        return connection
    }

    @Test func aTextIsPreparedOnce() throws {
        let connection = try connection()
        let sql = "SELECT count(*) FROM t WHERE a >= ?1"
        for value in 0..<100 as Range<Int64> { _ = try connection.integer(sql, [.integer(value)]) }
        #expect(connection.preparedCount == 1)
        try connection.run("DELETE FROM t WHERE a = ?1", [.integer(9)])
        #expect(connection.preparedCount == 2)
    }

    @Test func twoAtATimeAreTwoStatements() throws {
        let connection = try connection()
        let sql = "SELECT a FROM t ORDER BY a"
        let first = try connection.prepare(sql)
        #expect(try first.step() && first.integer(0) == 1)
        let second = try connection.prepare(sql)
        #expect(try second.step() && second.integer(0) == 1)
        #expect(try first.step() && first.integer(0) == 3)
        #expect(try second.step() && second.integer(0) == 3)
        #expect(connection.preparedCount == 2)
    }

    @Test func aStatementComesBackResetAndWithoutBindings() throws {
        let connection = try connection()
        let sql = "SELECT a, ?1, ?2 FROM t ORDER BY a"
        do {
            let statement = try connection.prepare(sql)
            statement.bind("secret", at: 1)
            statement.bind(Int64(7), at: 2)
            #expect(try statement.step())
        }
        // A statement that reads would keep the table from being dropped.
        try connection.execute("CREATE TABLE u (a); DROP TABLE u")
        #expect(try connection.rows(sql) == [[.integer(1), .null, .null], [.integer(3), .null, .null]])
        #expect(connection.preparedCount == 1)
    }

    @Test func aStatementThatFailedRunsAgain() throws {
        let connection = try connection()
        try connection.execute("CREATE UNIQUE INDEX i ON t (a)")
        let sql = "INSERT INTO t VALUES (?1, ?2)"
        #expect(throws: SQLiteError.self) { try connection.run(sql, [.integer(1)]) }
        try connection.run(sql, [.integer(5)])
        #expect(try connection.rows("SELECT a, b FROM t WHERE a = 5") == [[.integer(5), .null]])
    }

    @Test func aStatementFollowsTheSchema() throws {
        let connection = try connection()
        let sql = "SELECT * FROM t ORDER BY 1 LIMIT 1"
        #expect(try connection.rows(sql) == [[.integer(1), .integer(2)]])
        try connection.execute("ALTER TABLE t ADD COLUMN c DEFAULT 9")
        #expect(try connection.rows(sql) == [[.integer(1), .integer(2), .integer(9)]])
        try connection.execute("DROP TABLE t")
        #expect(throws: SQLiteError.self) { _ = try connection.rows(sql) }
        try connection.execute("CREATE TABLE t (z); INSERT INTO t VALUES (0)")
        #expect(try connection.rows(sql) == [[.integer(0)]])
    }

    @Test func aPragmaIsAskedAnew() throws {
        let connection = try connection()
        for value in [1, 0, 1] as [Int64] {
            try connection.execute("PRAGMA foreign_keys = \(value)")
            #expect(try connection.integer("pragma foreign_keys") == value)
            #expect(try connection.integer("PRAGMA foreign_keys") == value)
        }
        #expect(connection.keptCount == 0)
    }

    @Test func onlySoManyAreKept() throws {
        let connection = try connection()
        let often = "SELECT count(*) FROM t"
        for number in 0..<2_000 {
            _ = try connection.integer("SELECT \(number)")
            _ = try connection.integer(often)
        }
        #expect(connection.keptCount <= 256)
        // What is used is not what is given up.
        #expect(connection.preparedCount == 2_001)
    }

    @Test func moreThanAreKeptMayBeUsedAtATime() throws {
        let connection = try connection()
        let statements = try (0..<300).map { try connection.prepare("SELECT \($0)") }
        for (number, statement) in statements.enumerated() {
            #expect(try statement.step() && statement.integer(0) == Int64(number))
        }
        #expect(connection.keptCount <= 256)
    }

    @Test func aKeyOfColumnsFindsAStatementWithoutItsText() throws {
        let connection = try connection()
        let columns = ["a", "b"]
        var texts = 0
        func update(_ fields: [Int]) throws {
            let statement = try connection.prepare(StatementKey("UPDATE t", columns: fields)) {
                texts += 1
                return "UPDATE t SET \(fields.map { "\(columns[$0]) = ?\($0 + 1)" }.joined(separator: ", "))"
            }
            for field in fields { statement.bind(Int64(field), at: field + 1) }
            try statement.run()
        }
        for fields in [[0], [1], [0, 1], [0], [0, 1], [1]] { try update(fields) }
        #expect(texts == 3 && connection.preparedCount == 3)
        #expect(
            try connection.rows("SELECT a, b FROM t") == [[.integer(0), .integer(1)], [.integer(0), .integer(1)]])
    }

    @Test func aLoopKeepsItsStatement() throws {
        let connection = try connection()
        do {
            var kept = KeptStatement("SELECT count(*) FROM t", connection)
            #expect(connection.preparedCount == 0)
            #expect(try kept.taken() === kept.taken())
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 2)
        #expect(connection.preparedCount == 1)
    }

    @Test func whatIsKeptDoesNotKeepTheConnection() throws {
        weak var gone: Connection?
        do {
            let connection = try connection()
            _ = try connection.integer("SELECT 1")
            gone = connection
        }
        #expect(gone == nil)
    }
}
