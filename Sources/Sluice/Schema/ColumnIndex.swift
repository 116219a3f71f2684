internal import SluiceSQLite

/// An index on a column, by which records are looked up.
struct ColumnIndex {
    let table: String
    let column: String

    /// Whether an index of all rows begins with the column.
    ///
    /// - Throws: What the database throws.
    func isThere(in connection: Connection) throws -> Bool {
        let sql = """
            SELECT count(*) FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS part
            WHERE NOT list.partial AND part.seqno = 0 AND part.name = ?2 COLLATE NOCASE
            """
        return (try connection.integer(sql, [SQLiteValue(table), SQLiteValue(column)]) ?? 0) > 0
    }

    /// Makes it where there is none.
    ///
    /// - Returns: What was done.
    /// - Throws: What the database throws.
    func prepare(_ connection: Connection) throws -> [String] {
        if try isThere(in: connection) { return [] }
        let sql =
            "CREATE INDEX \(SQLIdentifier.quoted(try freeName(connection))) ON \(SQLIdentifier.quoted(table)) (\(SQLIdentifier.quoted(column)))"
        try connection.execute(sql)
        return [sql]
    }

    /// A name that nothing has.
    private func freeName(_ connection: Connection) throws -> String {
        let name = "\(table)_\(column)"
        for number in 1... {
            let candidate = number == 1 ? name : "\(name)_\(number)"
            let count = try connection.integer(
                "SELECT count(*) FROM sqlite_master WHERE name = ?1 COLLATE NOCASE", [SQLiteValue(candidate)])
            if count == 0 { return candidate }
        }
        return name
    }
}
