import Dispatch
import SluicePostgres
import Synchronization
import TestSupport
import Testing

@Suite("Statements of a PostgreSQL connection")
struct StatementTests {
    @Test func aStatementIsOneRoundTripAlsoTheFirstTime() throws {
        let connection = try connected()
        let before = connection.roundTrips
        for value in 1...3 {
            #expect(try connection.integer("SELECT $1 + 1", [PostgresValue(value)]) == Int64(value + 1))
        }
        #expect(connection.roundTrips - before == 3 && connection.keptCount == 1)
    }

    @Test func severalStatementsAreOneRoundTripAndOneTransaction() throws {
        try withSchema { connection, schema throws in
            try connection.execute("CREATE TABLE t (a int8 PRIMARY KEY)")
            let before = connection.roundTrips
            let results = try connection.run(together: [
                PostgresStatement("INSERT INTO t VALUES ($1), ($2)", PostgresParameters([.integer(1), .integer(2)])),
                PostgresStatement("SELECT a FROM t ORDER BY a"),
                PostgresStatement("DELETE FROM t WHERE a = $1", PostgresParameters([.integer(1)])),
            ])
            #expect(connection.roundTrips - before == 1)
            #expect(results.map(\.changes) == [2, 2, 1])
            #expect(results[1].values == [[.integer(1)], [.integer(2)]])

            let sql = "INSERT INTO t VALUES ($1)"
            let error = try #require(throws: PostgresError.self) {
                try connection.run(
                    together: [7, 2, 8].map { PostgresStatement(sql, PostgresParameters([.integer($0)])) })
            }
            #expect(error.code == .unique && error.position == 1 && error.sql == sql)
            #expect(connection.transactionState == .none)
            #expect(try connection.run("SELECT a FROM t").values == [[.integer(2)]])
            #expect(try connection.run(together: []).isEmpty)
        }
    }

    @Test func aBatchWhoseTransactionFailsAtItsEndFails() throws {
        try withSchema { connection, schema throws in
            try connection.execute(
                """
                CREATE TABLE p (a int8 PRIMARY KEY);
                CREATE TABLE c (a int8 REFERENCES p DEFERRABLE INITIALLY DEFERRED)
                """)
            let error = try #require(throws: PostgresError.self) {
                try connection.run("INSERT INTO c VALUES ($1)", [.integer(1)])
            }
            #expect(error.code == .foreignKey && error.table == "c" && error.constraint == "c_a_fkey")
            #expect(try connection.integer("SELECT count(*) FROM c") == 0)
        }
    }

    /// Each side's buffers are smaller than what the other one has to say: neither may wait for the other.
    @Test(.timeLimit(.minutes(2))) func largeBatchesWithLargeAnswersDoNotBlock() throws {
        let connection = try connected()
        let text = PostgresValue(String(repeating: "x", count: 100_000))
        let results = try connection.run(
            together: (0..<300).map { _ in PostgresStatement("SELECT $1", PostgresParameters([text])) })
        #expect(results.count == 300 && results.allSatisfy { $0.value(0, 0) == text })
    }

    @Test func manyStatementsAreNotAllKept() throws {
        let connection = try connected()
        for number in 0..<300 { #expect(try connection.integer("SELECT \(number)::int8") == Int64(number)) }
        #expect(connection.keptCount == 256)
        #expect(try connection.integer("SELECT 0::int8") == 0)
        try connection.begin()
        let prepared = try connection.integer("SELECT count(*) FROM pg_prepared_statements") ?? 0
        #expect((256...258).contains(prepared), "\(prepared)")
        try connection.rollback()
    }

    @Test func theSameTextWithOtherTypesIsAnotherStatement() throws {
        let connection = try connected()
        let sql = "SELECT $1"
        for value: PostgresValue in [.integer(1), PostgresValue("a"), .bool(true), .integer(2)] {
            #expect(try connection.run(sql, [value]).value(0, 0) == value)
        }
        #expect(connection.keptCount == 3)
    }

    @Test func whatTablesHaveBecomeIsSeenOnceStatementsAreForgotten() throws {
        try withSchema { connection, schema throws in
            try connection.execute("CREATE TABLE t (a int8); INSERT INTO t VALUES (1)")
            #expect(try connection.run("SELECT a FROM t").value(0, 0) == .integer(1))
            try connection.execute("ALTER TABLE t ALTER a TYPE text")
            let stale = try #require(throws: PostgresError.self) { try connection.run("SELECT a FROM t") }
            #expect(stale.code == .featureNotSupported)
            try connection.forgetStatements()
            #expect(connection.keptCount == 0)
            #expect(try connection.run("SELECT a FROM t").value(0, 0) == PostgresValue("1"))
        }
    }

    @Test func whatIsNotThereIsNullOrNil() throws {
        let result = try connected().run("SELECT 1::int8 WHERE false")
        #expect(result.rowCount == 0 && result.columnCount == 1 && result.values.isEmpty)
        #expect(result.value(0, 0) == .null && result.value(-1, 7) == .null && result.isNull(5, 5))
        #expect(result.type(9) == .inferred)
    }

    @Test func noticesAreKeptUntilTheyAreTaken() throws {
        let connection = try connected()
        try connection.execute("DROP TABLE IF EXISTS nothing_of_that_name")
        let (notices, count) = connection.takeNotices()
        #expect(count == 1 && notices.map(\.severity) == ["NOTICE"] && notices[0].message.contains("does not exist"))
        #expect(connection.takeNotices().notices.isEmpty)
        try connection.execute("DO $$ BEGIN FOR i IN 1..500 LOOP RAISE WARNING 'w %', i; END LOOP; END $$")
        let many = connection.takeNotices()
        #expect(many.count == 500 && many.notices.count == 100 && many.notices[0].message == "w 1")
    }

    @Test(.timeLimit(.minutes(1))) func aRunningStatementIsCancelledByAnotherThread() throws {
        let connection = try connected()
        let cancel = connection.makeInterrupt()
        let isDone = Flag()
        let stopped = Gate()
        // A request before the statement begins is lost, so it is repeated until the statement has ended.
        DispatchQueue(label: "canceller").async {
            while !isDone.isSet { cancel() }
            stopped.open()
        }
        let error = try #require(throws: PostgresError.self) { try connection.run("SELECT pg_sleep(50)") }
        isDone.set()
        stopped.wait()
        #expect(error.code == .cancelled && !error.isConnectionLost && error.sql == "SELECT pg_sleep(50)")
        // A request that is under way may still meet the next statement, and then no other.
        _ = try? connection.run("SELECT pg_sleep(0.1)")
        #expect(try connection.integer("SELECT 7::int8") == 7)
    }

    @Test func cancellingWhatIsGoneDoesNothing() throws {
        let cancel = try connected().makeInterrupt()
        cancel()
    }
}

/// Something that one thread says to another.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
