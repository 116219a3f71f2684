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
        let found = try passed { () throws -> String? in
            guard let sql = try database.leadingToNone(schema.table, by: layout.keyColumns) else { return nil }
            return try database.isLedTo(schema.table, wasEmpty: wasEmpty) ? sql : nil
        }
        guard let found else { return nil }
        return try connection.prepare(found)
    }
}

extension SQLiteDatabase {
    /// Finds by its key a row of a table of which a foreign key leads to none.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - keyColumns: The columns of the row's key, which are the statement's parameters.
    /// - Returns: The statement; nil where the table has no such foreign key.
    /// - Throws: What the database throws.
    func leadingToNone(_ table: String, by keyColumns: [String]) throws -> String? {
        let keys = try completeForeignKeys(of: table).filter { key in
            try key.columns.count == key.targetColumns.count && !columns(of: key.target).isEmpty
        }
        if keys.isEmpty { return nil }
        let leadsToNone = keys.map { key in
            let isSet = key.columns.map { "o.\(SQLText.quoted($0)) IS NOT NULL" }
            let same = zip(key.targetColumns, key.columns).map { "t.\(SQLText.quoted($0)) = o.\(SQLText.quoted($1))" }
            let target = "SELECT 1 FROM \(self.table(key.target)) AS t WHERE \(same.joined(separator: " AND "))"
            return (isSet + ["NOT EXISTS (\(target))"]).joined(separator: " AND ")
        }
        return """
            SELECT 1 FROM \(self.table(table)) AS o WHERE \(SQLText.match(keyColumns))
            AND (\(leadsToNone.joined(separator: " OR ")))
            """
    }

    /// Whether a row that comes into a table may mend references.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - wasEmpty: Whether it had no row as the transaction began: nothing leads to it then but what is broken.
    /// - Returns: Whether a foreign key leads to the table, or did so as it had no row.
    /// - Throws: What the database throws.
    func isLedTo(_ table: String, wasEmpty: Bool) throws -> Bool {
        try referrers(to: table).contains { referrer, key in
            if !wasEmpty { return true }
            if ColumnName.areSame(referrer, table) { return false }
            let isSet = key.columns.map { "\(SQLText.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
            return try hasRow("SELECT 1 FROM \(self.table(referrer)) WHERE \(isSet) LIMIT 1")
        }
    }
}
