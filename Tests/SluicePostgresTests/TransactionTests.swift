import SluicePostgres
import Testing

@Suite("Transactions of PostgreSQL")
struct TransactionTests {
    private struct Stop: Error {}

    private func withTable(_ body: (PostgresConnection) throws -> Void) throws {
        try withSchema { connection, _ throws in
            try connection.execute("CREATE TABLE t (a int8 PRIMARY KEY)")
            try body(connection)
        }
    }

    @Test func isDoneWholeOrNotAtAll() throws {
        try withTable { connection throws in
            let word = try connection.inTransaction {
                try connection.add(1)
                return "done"
            }
            #expect(word == "done")
            #expect(throws: Stop.self) {
                try connection.inTransaction {
                    try connection.add(2)
                    #expect(connection.transactionState == .open)
                    throw Stop()
                }
            }
            #expect(connection.transactionState == .none)
            #expect(try connection.numbers() == [1])
        }
    }

    @Test func aSavepointTakesBackWhatCameAfterIt() throws {
        try withTable { connection throws in
            try connection.begin()
            try connection.add(1)
            #expect(connection.savepointRefusal() == .unique)
            #expect(connection.transactionState == .open)
            try connection.inSavepoint("other") { try connection.add(3) }
            try connection.commit()
            #expect(try connection.numbers() == [1, 3])
        }
    }

    /// The server takes such a COMMIT for a rollback, and reports no error.
    @Test func committingAFailedTransactionIsAnError() throws {
        try withTable { connection throws in
            try connection.begin()
            try connection.add(1)
            #expect(throws: PostgresError.self) { try connection.add(1) }
            #expect(connection.transactionState == .failed)
            let later = try #require(throws: PostgresError.self) { try connection.add(2) }
            #expect(later.code == .transactionFailed)
            let error = try #require(throws: PostgresError.self) { try connection.commit() }
            #expect(error.code == .transactionFailed && connection.transactionState == .none)
            #expect(try connection.numbers() == [])
        }
    }

    @Test func whatIsDeferredFailsTheCommit() throws {
        try withTable { connection throws in
            try connection.execute("CREATE TABLE c (a int8 REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
            let error = try #require(throws: PostgresError.self) {
                try connection.inTransaction { try connection.run("INSERT INTO c VALUES (1)") }
            }
            #expect(error.code == .foreignKey && connection.transactionState == .none)
        }
    }

    @Test func otherErrorsAreNotRepeated() throws {
        try withTable { connection throws in
            var attempts = 0
            #expect(throws: PostgresError.self) {
                try connection.inTransaction(attempts: 5) {
                    attempts += 1
                    try connection.add(1)
                    try connection.add(1)
                }
            }
            #expect(attempts == 1)
        }
    }
}

extension PostgresConnection {
    fileprivate func add(_ number: Int) throws { try run("INSERT INTO t VALUES ($1)", [PostgresValue(number)]) }

    /// What ends a savepoint that adds a number twice; nil where nothing does.
    fileprivate func savepointRefusal() -> PostgresError.Code? {
        do {
            try inSavepoint("a \"point\"") {
                try add(2)
                try add(2)
            }
            return nil
        } catch { return (error as? PostgresError)?.code }
    }

    fileprivate func numbers() throws -> [Int64?] {
        let result = try run("SELECT a FROM t ORDER BY a")
        return (0..<result.rowCount).map { result.integer($0, 0) }
    }
}
