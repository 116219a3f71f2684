extension PostgresConnection {
    /// What a transaction sees of the others. See: postgresql.org/docs/current/transaction-iso.html
    package enum Isolation: String, Sendable {
        /// Each statement sees what was committed before it.
        case readCommitted = "READ COMMITTED"
        /// All statements see what was committed before the first.
        case repeatableRead = "REPEATABLE READ"
        /// As if the transactions ran one after the other.
        case serializable = "SERIALIZABLE"
    }

    /// Opens a transaction.
    ///
    /// - Throws: ``PostgresError``.
    package func begin(_ isolation: Isolation = .readCommitted) throws(PostgresError) {
        try execute("BEGIN ISOLATION LEVEL \(isolation.rawValue)")
    }

    /// Commits the transaction.
    ///
    /// - Throws: ``PostgresError``; also where a statement of the transaction had failed, which the server takes for a
    ///   rollback and is content. Nothing is committed then.
    package func commit() throws(PostgresError) {
        try settle()
        let isFailed = transactionState == .failed
        try execute("COMMIT")
        if isFailed {
            throw PostgresError(
                code: .transactionFailed, message: "a statement of the transaction had failed: it was rolled back",
                sql: "COMMIT")
        }
    }

    /// Takes the transaction back.
    ///
    /// - Throws: ``PostgresError``.
    package func rollback() throws(PostgresError) {
        // What became of rows that are on their way is of no interest any more.
        try? settle()
        try execute("ROLLBACK")
    }

    /// Sets a savepoint.
    ///
    /// - Throws: ``PostgresError``.
    package func setSavepoint(_ name: String) throws(PostgresError) {
        try execute("SAVEPOINT \(PostgresName.quoted(name))")
    }

    /// Takes back what was done since a savepoint, and ends it.
    ///
    /// - Throws: ``PostgresError``.
    package func rollBack(to name: String) throws(PostgresError) {
        try? settle()
        let name = PostgresName.quoted(name)
        try execute("ROLLBACK TO SAVEPOINT \(name); RELEASE SAVEPOINT \(name)")
    }

    /// Ends a savepoint and keeps what was done since.
    ///
    /// - Throws: ``PostgresError``.
    package func release(_ name: String) throws(PostgresError) {
        try execute("RELEASE SAVEPOINT \(PostgresName.quoted(name))")
    }

    /// Runs a body in a transaction of its own, again where others were in its way.
    ///
    /// - Parameters:
    ///   - isolation: What it sees of others.
    ///   - attempts: How often it is tried at most.
    ///   - body: What is done. It is repeated whole, so it must not leave anything behind outside of the database.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or ``PostgresError``; nothing is committed then.
    package func inTransaction<Result>(
        _ isolation: Isolation = .readCommitted, attempts: Int = 1, _ body: () throws -> Result
    ) throws -> Result {
        try repeating(attempts) {
            try begin(isolation)
            do {
                let result = try body()
                try commit()
                return result
            } catch {
                // Where the connection is gone, the transaction is as well. The first error is the one to tell.
                if transactionState == .open || transactionState == .failed { try? rollback() }
                throw error
            }
        }
    }

    /// Runs a body within a savepoint of the open transaction, again where others were in its way.
    ///
    /// - Parameters:
    ///   - name: The savepoint's name.
    ///   - attempts: How often it is tried at most.
    ///   - body: What is done; taken back where it throws.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or ``PostgresError``. The transaction goes on as it was before.
    package func inSavepoint<Result>(
        _ name: String, attempts: Int = 1, _ body: () throws -> Result
    ) throws -> Result {
        try repeating(attempts) {
            try setSavepoint(name)
            do {
                let result = try body()
                try release(name)
                return result
            } catch {
                if transactionState == .open || transactionState == .failed { try? rollBack(to: name) }
                throw error
            }
        }
    }

    private func repeating<Result>(_ attempts: Int, _ body: () throws -> Result) throws -> Result {
        var left = attempts
        while true {
            left -= 1
            do {
                return try body()
            } catch let error as PostgresError where error.isRetriable && left > 0 {
                continue
            }
        }
    }
}
