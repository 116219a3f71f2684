internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// Rules of tables that are checked at the end of a transaction, and before it where somebody has to know.
extension PostgresDatabase {
    /// The rules that are to be checked after each batch, as `SET CONSTRAINTS` takes them.
    ///
    /// A name means all rules of the schema that have it: those of other tables, which may have to wait, and those that
    /// cannot. So only rules count that share their names with none but those of the table's own partitions.
    /// See: postgresql.org/docs/current/sql-set-constraints.html
    ///
    /// - Parameter table: The table.
    /// - Returns: The names, with commas between; empty for none.
    /// - Throws: `StoreError`.
    func deferredRules(of table: String) throws -> String {
        try catalogRows(
            """
            SELECT k.conname::text FROM pg_catalog.pg_constraint AS k
            WHERE k.conrelid = \(Self.relation()) AND k.contype IN ('t', 'u', 'p', 'x') AND k.condeferred
            AND NOT EXISTS (
                SELECT 1 FROM pg_catalog.pg_constraint AS o
                WHERE o.connamespace = k.connamespace AND o.conname = k.conname AND o.conrelid NOT IN (
                    WITH RECURSIVE parts (id) AS (
                        SELECT k.conrelid UNION SELECT h.inhrelid FROM pg_catalog.pg_inherits AS h
                        JOIN parts ON h.inhparent = parts.id)
                    SELECT id FROM parts))
            ORDER BY 1
            """, [PostgresValue(session.schema), PostgresValue(table)]
        ).compactMap { $0.first?.string }.map { PostgresName.quoted($0, in: session.schema) }.joined(separator: ", ")
    }

    func brokenAtEnd() throws -> String? {
        guard connection.transactionState == .open else { return nil }
        return try attempt { try checkDeferred() }?.message
    }

    func settleReferences() throws { try checkDeferred() }

    /// Checks all that waits for the end of the transaction. Afterwards the same rules wait as before.
    private func checkDeferred() throws {
        let prompt = try promptRules()
        try execute("SET CONSTRAINTS ALL IMMEDIATE")
        try execute("SET CONSTRAINTS ALL DEFERRED")
        if !prompt.isEmpty { try execute("SET CONSTRAINTS \(prompt) IMMEDIATE") }
    }

    /// The rules that could wait and do not, as `SET CONSTRAINTS` takes them: those with names that mean none that waits.
    private func promptRules() throws -> String {
        try catalogRows(
            """
            SELECT k.conname::text FROM pg_catalog.pg_constraint AS k
            WHERE k.connamespace = (SELECT n.oid FROM pg_catalog.pg_namespace AS n WHERE n.nspname = $1)
            AND k.condeferrable GROUP BY 1 HAVING NOT bool_or(k.condeferred) ORDER BY 1
            """, [PostgresValue(session.schema)]
        ).compactMap { $0.first?.string }.map { PostgresName.quoted($0, in: session.schema) }.joined(separator: ", ")
    }

    func integrityFindings() throws -> [StoreFinding] {
        let constraints = try catalogRows(
            """
            SELECT c.relname::text, k.conname::text, k.contype::text FROM pg_catalog.pg_constraint AS k
            JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND NOT k.convalidated ORDER BY 1, 2 LIMIT 100
            """, [PostgresValue(session.schema)])
        let indexes = try catalogRows(
            """
            SELECT c.relname::text, x.relname::text FROM pg_catalog.pg_index AS i
            JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND NOT i.indisvalid ORDER BY 1, 2 LIMIT 100
            """, [PostgresValue(session.schema)])
        return indexes.map { row in
            let (owner, name) = (row[0].string ?? "", row[1].string ?? "")
            return StoreFinding(
                .integrity, table: owner, count: 1, message: "The index `\(name)` of `\(owner)` is not valid.",
                remedy: "Make it anew with `REINDEX INDEX \(table(name))`.")
        }
            + constraints.map { row in
                let (owner, name) = (row[0].string ?? "", row[1].string ?? "")
                let isForeignKey = row[2].string == "f"
                return StoreFinding(
                    isForeignKey ? .foreignKeys : .integrity, table: owner, count: 1,
                    message:
                        "The \(isForeignKey ? "foreign key" : "constraint") `\(name)` of `\(owner)` was never checked for the rows that were there.",
                    remedy:
                        "Check it with `ALTER TABLE \(table(owner)) VALIDATE CONSTRAINT \(PostgresName.quoted(name))`.")
            }
    }

    // The server takes no row that breaks one, but for those that are not checked.
    func brokenForeignKeys() throws -> [(table: String, key: SQLForeignKey, count: Int)] { [] }
}
