extension Connection {
    /// Runs several statements of which none remains where one fails; outside of a transaction each stands by itself.
    ///
    /// - Parameter body: Runs them.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, and ``SQLiteError``. The transaction goes on as it was before, unless the error ended it.
    package func inSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
        guard isInTransaction else { return try body() }
        try run("SAVEPOINT sluice_attempt")
        do {
            let result = try body()
            try run("RELEASE sluice_attempt")
            return result
        } catch {
            // See: sqlite.org/lang_createtrigger.html#raise
            if isInTransaction { try execute("ROLLBACK TO sluice_attempt; RELEASE sluice_attempt") }
            throw error
        }
    }
}
