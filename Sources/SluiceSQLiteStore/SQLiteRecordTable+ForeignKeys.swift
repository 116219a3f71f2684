internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// References of which SQLite does not count that their rows lead to none.
///
/// One count stands for all, and what a statement mends is taken off it. An insert counts what the row leads to first, and then what
/// leads to the row. So a row that leads to none leaves a count of none where others led to it while it was not there: of such rows
/// it is looked up whether what they lead to is there.
extension SQLiteRecordTable {
    /// Has the transaction's end look at all references where a row that was just inserted leads to none.
    ///
    /// - Parameter key: The row's key.
    /// - Throws: ``SQLiteError``.
    @inline(__always)
    func recordLeading(_ key: @autoclosure () -> RecordKey) throws(SQLiteError) {
        if hidden == nil { hidden = .some(try hiddenStatement()) }
        guard let statement = hidden ?? nil, !connection.hadOpenForeignKeys else { return }
        bind(row: key(), to: statement, at: 1)
        defer { statement.reset() }
        if try statement.step() { connection.expectOpenForeignKeys() }
    }

    /// Finds by its key a row that leads to none; nil where the count tells it of each row of the table.
    private func hiddenStatement() throws(SQLiteError) -> Statement? {
        let keys = try passed {
            try database.completeForeignKeys(of: schema.table).filter { key in
                try key.columns.count == key.targetColumns.count && !database.columns(of: key.target).isEmpty
            }
        }
        if keys.isEmpty { return nil }
        let referrers = try passed { try database.referrers(to: schema.table) }
        let isLedTo = try passed {
            try referrers.contains { table, key in
                if !wasEmpty { return true }
                // Nothing leads to a table without rows but what is broken.
                if ColumnName.areSame(table, schema.table) { return false }
                let isSet = key.columns.map { "\(SQLText.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
                return try database.hasRow("SELECT 1 FROM \(database.table(table)) WHERE \(isSet) LIMIT 1")
            }
        }
        if !isLedTo { return nil }
        let leadsToNone = keys.map { key in
            let isSet = key.columns.map { "o.\(SQLText.quoted($0)) IS NOT NULL" }
            let same = zip(key.targetColumns, key.columns).map { "t.\(SQLText.quoted($0)) = o.\(SQLText.quoted($1))" }
            let target = "SELECT 1 FROM \(database.table(key.target)) AS t WHERE \(same.joined(separator: " AND "))"
            return (isSet + ["NOT EXISTS (\(target))"]).joined(separator: " AND ")
        }
        return try connection.prepare(
            """
            SELECT 1 FROM \(database.table(schema.table)) AS o WHERE \(SQLText.match(layout.keyColumns))
            AND (\(leadsToNone.joined(separator: " OR ")))
            """)
    }
}
