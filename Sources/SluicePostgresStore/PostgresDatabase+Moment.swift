internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// Reading a store as it is at one moment.
///
/// A snapshot shows the rows of that moment, but tables as they are when they are read: of one whose column got another type since, or that
/// was emptied by `TRUNCATE`, it shows no rows. So the tables are locked against such changes first.
///
/// See [Caveats](https://www.postgresql.org/docs/current/mvcc-caveats.html) in the manual of PostgreSQL.
extension PostgresDatabase {
    func atOneMoment<Result>(_ body: () throws -> Result) throws -> Result {
        if connection.transactionState == .open { return try body() }
        isLooking = true
        defer {
            isLooking = false
            if connection.transactionState != .none { try? connection.rollback() }
            forgetTables()
        }
        try told(beginAtOneMoment)
        forgetTables()
        return try body()
    }

    /// Begins a transaction that sees one moment, of which no table changes until it ends.
    ///
    /// - Throws: `PostgresError`, or `StoreError` where tables come and go all the while.
    private func beginAtOneMoment() throws {
        var tables = try readableTables()
        for _ in 0..<Self.attemptsAtOneMoment {
            do {
                try connection.begin(.repeatableRead)
                // A lock takes no snapshot: what is read first is read behind it.
                if !tables.isEmpty {
                    let names = tables.map(table).joined(separator: ", ")
                    try connection.execute("LOCK TABLE \(names) IN ACCESS SHARE MODE")
                }
                let locked = tables
                tables = try readableTables()
                if tables == locked { return }
            } catch let error as PostgresError where error.code == .undefinedTable || error.isRetriable {
                try? connection.rollback()
                tables = try readableTables()
                continue
            }
            try connection.rollback()
        }
        throw StoreError(
            .locked,
            "Tables of the store `\(place)` are made or dropped all the while. Try again later.")
    }

    private static let attemptsAtOneMoment = 10

    /// The tables of the store's schema that the role may read.
    private func readableTables() throws -> [String] {
        try connection.run(
            """
            SELECT c.relname::text FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
            ORDER BY 1
            """, [PostgresValue(session.schema)]
        ).values.map { $0[0].string ?? "" }
    }

    /// Has tables looked at again that others may have changed.
    private func forgetTables() {
        forgetCatalog()
        registryMemory.forget()
    }
}
