internal import SluicePostgres
internal import SluiceStore

/// The connection of a store, and the names of its tables.
final class PostgresStoreSession {
    let connection: PostgresConnection
    let schema: String
    /// How errors call the store.
    let place: String
    /// Whether our tables are known to be there: what was made in a transaction may be taken back with it.
    var hasTables = false

    private let address: PostgresAddress

    init(_ connection: PostgresConnection, _ address: PostgresAddress, schema: String) {
        self.connection = connection
        self.address = address
        self.schema = schema
        place = "\(connection.place), schema \(schema)"
    }

    /// The table `_sluice_…` as statements name it.
    subscript(_ table: String) -> String { PostgresName.quoted("_sluice_" + table, in: schema) }

    /// Whether a run has used the store yet: one that was only opened has no tables, and all that is asked of it is empty.
    func isUsed() throws(PostgresError) -> Bool {
        if hasTables { return true }
        let found = try connection.integer(
            "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = '_sluice_schema'",
            [PostgresValue(schema)])
        // In a transaction they may be its own.
        hasTables = found == 1 && connection.transactionState == .none
        return found == 1
    }

    /// The rows of a query; none where there are no tables yet.
    func rows(_ sql: @autoclosure () -> String, _ values: [PostgresValue] = []) throws -> [[PostgresValue]] {
        try translated {
            guard try isUsed() else { return [] }
            return try connection.run(sql(), values).values
        }
    }

    /// Runs statements that write, all of them or none: where one is refused, an open transaction goes on as it was.
    ///
    /// - Returns: The result of each.
    /// - Throws: ``StoreError``.
    @discardableResult
    func write(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
        try translated {
            guard connection.transactionState == .open else { return try connection.run(together: statements) }
            let guarded =
                [PostgresStatement("SAVEPOINT sluice_write")] + statements + [
                    PostgresStatement("RELEASE SAVEPOINT sluice_write")
                ]
            do {
                return Array(try connection.run(together: guarded).dropFirst().dropLast())
            } catch {
                if connection.transactionState == .failed { try? connection.rollBack(to: "sluice_write") }
                throw error
            }
        }
    }

    /// Runs one statement that writes.
    @discardableResult
    func write(_ sql: String, _ values: [PostgresValue]) throws -> PostgresResult {
        let results = try write([PostgresStatement(sql, PostgresParameters(values))])
        guard let result = results.first else { throw StoreError(.failed, "The store `\(place)` gave no answer.") }
        return result
    }

    /// Runs a body whose errors of PostgreSQL become those of a store.
    func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PostgresError { throw failure(error) }
    }

    /// What an error of PostgreSQL means for the store.
    func failure(_ error: PostgresError) -> StoreError {
        StoreError(error, place: place, holder: error.isLockNotAvailable ? holder() : nil)
    }

    /// Who has locked tables of the store for the longest time; nil where nobody has any more, or it may not be known.
    private func holder() -> String? {
        // The transaction that waited in vain can ask for nothing. Runs lock a row of the table of schemas for as long as
        // they last, and with it an index: that is in nobody's way.
        guard let asking = try? PostgresConnection(address),
            let row = try? asking.run(
                """
                SELECT a.pid::bigint, coalesce(a.usename::text, ''), coalesce(a.application_name, ''),
                    extract(epoch FROM clock_timestamp() - min(a.xact_start))::bigint
                FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_class AS c ON c.oid = l.relation
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
                WHERE n.nspname = $1 AND l.granted AND l.mode <> 'AccessShareLock' AND c.relkind NOT IN ('i', 'I')
                AND l.pid NOT IN (pg_catalog.pg_backend_pid(), $2::int)
                AND NOT (c.relname = '_sluice_schema' AND l.mode = 'RowShareLock')
                GROUP BY 1, 2, 3 ORDER BY min(a.xact_start) NULLS LAST LIMIT 1
                """, [PostgresValue(schema), .integer(Int64(connection.processID))]
            ).values.first, let seconds = row[3].number
        else { return nil }
        let name = row[2].string ?? ""
        let program = (name.isEmpty ? "A program" : "`\(name)`") + " of the role `\(row[1].string ?? "")`"
        let process = "process \(row[0].number ?? 0) of the server"
        return "\(program) (\(process)) has had a transaction open for \(seconds) s."
    }
}

extension PostgresValue {
    /// A text that people read, or null. PostgreSQL has no NUL in texts: its picture takes its place.
    init(shown text: String?) {
        guard let text, text.utf8.contains(0) else {
            self.init(text)
            return
        }
        self.init(String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 })))
    }

    /// An integer, or null.
    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }

    /// The number of an integer column; nil for null.
    var number: Int64? {
        if case .integer(let value) = self { return value }
        return nil
    }

    /// The text of a text column; nil for null.
    var string: String? {
        if case .text(let bytes) = self { return String(decoding: bytes, as: UTF8.self) }
        return nil
    }

    /// The bytes of a `bytea`; none for null.
    var blob: [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        return []
    }
}
