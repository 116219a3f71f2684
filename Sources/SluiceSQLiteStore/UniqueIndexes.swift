internal import SluiceSQLite

/// What is unique in a table.
enum UniqueIndexes {
    /// The columns, in lower case, of each unique index but that of the primary key.
    ///
    /// Of partial indexes there are those that only leave out rows marked as deleted: such a row counts as absent.
    static func columns(of table: String, _ connection: Connection) throws(SQLiteError) -> [[String]] {
        let indexes = try connection.rows(
            """
            SELECT i.name FROM pragma_index_list(?1) AS i LEFT JOIN sqlite_schema AS s ON s.name = i.name
            WHERE i."unique" AND i.origin <> 'pk' AND (NOT i.partial OR s.sql LIKE '%' || ?2)
            """, [SQLiteValue(table), SQLiteValue(condition)])
        return try indexes.map { index throws(SQLiteError) in try columns(of: index[0], connection) }
    }

    /// An index over whole columns.
    struct Group {
        /// The columns, in lower case.
        let columns: [String]
        /// How each of them is compared.
        let collations: [String]
    }

    /// Each unique index that every row is in, that of the primary key among them.
    static func whole(of table: String, _ connection: Connection) throws(SQLiteError) -> [Group] {
        let indexes = try connection.rows(
            "SELECT name FROM pragma_index_list(?1) WHERE \"unique\" AND NOT partial", [SQLiteValue(table)])
        return try indexes.map { index throws(SQLiteError) in
            let parts = try connection.rows("SELECT name, coll FROM pragma_index_xinfo(?1) WHERE key", [index[0]])
            return Group(
                columns: parts.map { EntityRegistry.text($0[0]).lowercased() },
                collations: parts.map { EntityRegistry.text($0[1]) })
        }
    }

    /// What makes an index leave out rows that are marked as deleted.
    static let condition = " WHERE \(DeletionMark.isNotSet)"

    private static func columns(of index: SQLiteValue, _ connection: Connection) throws(SQLiteError) -> [String] {
        let rows = try connection.rows("SELECT name FROM pragma_index_info(?1)", [index])
        return rows.map { row in
            if case .text(let bytes) = row[0] { return String(decoding: bytes, as: UTF8.self).lowercased() }
            return ""
        }
    }
}
