internal import SluicePostgres

/// Who has locked tables of a store, or rows of them: a connection, or a transaction that was prepared and waits for its end.
struct PostgresLockHolder {
    /// The process of the server; nil for a prepared transaction.
    private let process: Int64?
    /// The name of a prepared transaction; empty for a connection.
    private let prepared: String
    private let role: String
    /// What the program calls itself; empty where it has no name.
    private let program: String
    /// For how many seconds its transaction has been open; nil where the role may not know it.
    private let seconds: Int64?
    /// The tables, as far as they are not the store's own.
    private let tables: [String]
    /// How many tables are named.
    private static let mostNamed = 3

    /// The one whose transaction has been open for the longest time, as far as that is known.
    ///
    /// - Parameters:
    ///   - schema: The schema of the store.
    ///   - waiting: The process of the server that waited in vain.
    ///   - connection: What asks.
    /// - Returns: Nil where nobody has locked anything any more, or it cannot be asked.
    static func longest(
        in schema: String, besides waiting: Int32, _ connection: PostgresConnection
    ) -> PostgresLockHolder? {
        // Who only reads is in the way of a change of a table alone: one who writes is named before. Who locks a row has a lock on its table
        // as well. Runs lock a row of the table of schemas for as long as they last,
        // and with it an index: that is in nobody's way. What a role may not know of others is null.
        guard
            let row = try? connection.run(
                """
                SELECT a.pid::bigint, coalesce(p.owner::text, a.usename::text, ''), coalesce(a.application_name, ''),
                    extract(epoch FROM clock_timestamp() - min(coalesce(p.prepared, a.xact_start)))::bigint,
                    coalesce(string_agg(DISTINCT c.relname::text, E'\\n') FILTER (WHERE NOT starts_with(c.relname, '_sluice_')), ''),
                    coalesce(p.gid, '')
                FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_class AS c ON c.oid = l.relation
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
                LEFT JOIN (SELECT t.virtualtransaction, x.gid, x.owner, x.prepared FROM pg_catalog.pg_locks AS t
                    JOIN pg_catalog.pg_prepared_xacts AS x ON x.transaction = t.transactionid
                    WHERE t.locktype = 'transactionid' AND t.pid IS NULL AND t.granted) AS p
                ON l.pid IS NULL AND l.virtualtransaction = p.virtualtransaction
                WHERE n.nspname = $1 AND l.granted AND c.relkind NOT IN ('i', 'I')
                AND coalesce(l.pid, 0) NOT IN (pg_catalog.pg_backend_pid(), $2::int)
                AND (a.pid IS NOT NULL OR p.gid IS NOT NULL)
                AND NOT (c.relname = '_sluice_schema' AND l.mode = 'RowShareLock' AND p.gid IS NULL)
                GROUP BY 1, 2, 3, 6
                ORDER BY bool_and(l.mode = 'AccessShareLock'), min(coalesce(p.prepared, a.xact_start)) NULLS LAST, 1 LIMIT 1
                """, [PostgresValue(schema), .integer(Int64(waiting))]
            ).values.first
        else { return nil }
        return PostgresLockHolder(
            process: row[0].number, prepared: row[5].string ?? "", role: row[1].string ?? "",
            program: row[2].string ?? "",
            seconds: row[3].number, tables: (row[4].string ?? "").split(separator: "\n").map { String($0) })
    }

    /// What people are told.
    var sentence: String {
        var places = tables.prefix(Self.mostNamed).map { "`\($0)`" }.joined(separator: ", ")
        if tables.count > Self.mostNamed { places += " and \(tables.count - Self.mostNamed) more" }
        let locks = tables.isEmpty ? "" : ", with locks on \(places)"
        guard let process else {
            return
                "The prepared transaction `\(prepared)` of the role `\(role)` has waited\(seconds.map { " for \($0) s" } ?? "")\(locks); `COMMIT PREPARED` or `ROLLBACK PREPARED` ends it."
        }
        let open = seconds.map { "has had a transaction open for \($0) s" } ?? "has a transaction open"
        let name = program.isEmpty ? "A program" : "`\(program)`"
        return "\(name) of the role `\(role)` (process \(process) of the server) \(open)\(locks)."
    }
}
