internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore
internal import SluiceSystem

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
            while try session.isUsed(),
                let noted = try connection.run("SELECT value FROM \(table) WHERE kind = 'redaction'").values.first?[0]
            {
                // A vacuum leaves what an older transaction still sees: nothing is rewritten in vain.
                if let transaction = noted.string, !transaction.isEmpty { try awaitEnd(ofOlderThan: transaction) }
                try rewriteTables()
                // What another run replaced meanwhile may stand in tables that were rewritten before.
                try connection.run(
                    "DELETE FROM \(table) WHERE kind = 'redaction' AND value IS NOT DISTINCT FROM $1", [noted])
            }
        }
    }

    private func rewriteTables() throws {
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
                try connection.execute("VACUUM (FULL, FREEZE, ANALYZE) \(table(name))")
            } catch {
                if !error.isLockNotAvailable { throw error }
                problem = error
            }
        }
        if let problem { throw problem }
    }

    /// Waits a moment for transactions to end that still see what another one replaced: the server needs one to end those of
    /// connections that this program has closed.
    ///
    /// - Parameter transaction: The one that replaced it.
    /// - Throws: ``StoreError`` where one is still open then.
    private func awaitEnd(ofOlderThan transaction: String) throws {
        let end = ContinuousClock.now + Self.patience
        while true {
            try connection.execute("VACUUM (FULL, FREEZE) \(ledger("schema"))")
            if try !isSeen(transaction) { return }
            if ContinuousClock.now >= end {
                throw StoreError(
                    .locked, "A transaction of somebody else, which was open all the while, still sees them.")
            }
            Pause.seconds(0.1)
        }
    }

    private static let patience = Duration.seconds(2)

    /// Whether some transaction still sees what another one replaced: a vacuum of `_sluice_schema` that freezes all rows goes up to
    /// the oldest one that is open.
    private func isSeen(_ transaction: String) throws -> Bool {
        try connection.integer(
            """
            SELECT count(*) FROM pg_catalog.pg_class AS c WHERE c.oid = \(Self.relation())
            AND pg_catalog.pg_has_role(c.relowner, 'USAGE')
            AND pg_catalog.age(c.relfrozenxid) >= pg_catalog.age($3::text::xid)
            """,
            [session.schema, "_sluice_schema", transaction].map { PostgresValue($0) }) != 0
    }
}
