internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// Tables in which values were replaced that must not be kept: of those that stood there, the server keeps the rows until a vacuum, and
/// some values in its statistics.
extension PostgresDatabase {
    // The transaction is noted: a vacuum leaves the rows that an older one still sees.
    func recordOverwritten() throws {
        try run(
            """
            INSERT INTO \(ledger("schema")) (kind, name, value)
            VALUES ('redaction', '', pg_catalog.pg_current_xact_id()::xid::text)
            ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value
            """, [])
    }

    /// Writes the tables and their statistics anew where rows that were replaced may still stand in them.
    ///
    /// - Throws: ``StoreError`` where somebody has locked a table, or still sees what was replaced.
    func clearUnusedPages() throws {
        try told {
            let table = ledger("schema")
            guard try session.isUsed(),
                let noted = try connection.run("SELECT value FROM \(table) WHERE kind = 'redaction'").values.first
            else { return }
            // Tables of others are left out by the server itself.
            let names = try connection.run(
                """
                SELECT c.relname::text FROM pg_catalog.pg_class AS c
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND pg_catalog.pg_has_role(c.relowner, 'USAGE')
                ORDER BY 1
                """, [PostgresValue(session.schema)]
            ).values.map { $0[0].string ?? "" }
            // One that somebody has locked is no reason to leave the others.
            var problem: PostgresError?
            for name in names {
                do throws(PostgresError) {
                    try connection.execute("VACUUM (FULL, FREEZE, ANALYZE) \(self.table(name))")
                } catch {
                    if !error.isLockNotAvailable { throw error }
                    problem = error
                }
            }
            if let problem { throw problem }
            if let transaction = noted[0].string, !transaction.isEmpty, try isSeen(transaction) {
                throw StoreError(
                    .locked, "A transaction of somebody else, which was open all the while, still sees them.")
            }
            try connection.run("DELETE FROM \(table) WHERE kind = 'redaction'")
        }
    }

    /// Whether a vacuum that froze all rows kept some that a transaction had replaced: it freezes up to the oldest one that is open.
    private func isSeen(_ transaction: String) throws -> Bool {
        try connection.integer(
            """
            SELECT count(*) FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind = 'r' AND pg_catalog.pg_has_role(c.relowner, 'USAGE')
            AND pg_catalog.age(c.relfrozenxid) >= pg_catalog.age($2::text::xid)
            """, [PostgresValue(session.schema), PostgresValue(transaction)]) != 0
    }
}
