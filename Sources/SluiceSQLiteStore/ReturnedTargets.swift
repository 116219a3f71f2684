internal import SluiceModel
internal import SluiceSQLite

/// The rows that a transaction puts back where a run had deleted them: what referred to one of them leads to it again,
/// whatever the reference's rule is.
final class ReturnedTargets {
    private let connection: Connection
    private var isMade = false

    init(connection: Connection) { self.connection = connection }

    /// Forgets the rows of a transaction that is over.
    func forget() {
        // A table that was made within a transaction that is rolled back is gone.
        isMade = false
    }

    /// Notes that a row is put back.
    func note(_ key: RecordKey, of table: String) throws(SQLiteError) {
        if !isMade {
            try connection.execute(
                """
                CREATE TEMP TABLE IF NOT EXISTS _sluice_returned ("table" TEXT, key TEXT, PRIMARY KEY ("table", key));
                DELETE FROM temp._sluice_returned
                """)
            isMade = true
        }
        let statement = try connection.prepare(
            """
            INSERT OR IGNORE INTO temp._sluice_returned ("table", key)
            VALUES (lower(\(SQLText.literal(table))), \(PendingSQL.key(count: key.values.count)))
            """)
        for (index, value) in key.values.enumerated() { statement.bind(value.sqliteValue, at: index + 1) }
        try statement.run()
    }

    /// Whether a target is one of these rows; nil where there is none.
    ///
    /// - Parameters:
    ///   - key: The expression of the target's key.
    ///   - table: Its table.
    /// - Returns: A condition.
    func condition(_ key: String, of table: String) -> String? {
        if !isMade { return nil }
        return
            "EXISTS (SELECT 1 FROM temp._sluice_returned AS r WHERE r.\"table\" = lower(\(SQLText.literal(table))) AND r.key = \(key))"
    }
}
