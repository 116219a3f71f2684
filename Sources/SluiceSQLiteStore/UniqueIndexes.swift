internal import SluiceModel
internal import SluiceSQLStore
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
            """, [SQLiteValue(table), SQLiteValue(" WHERE \(DeletionMark.isNotSet)")])
        return try indexes.map { index throws(SQLiteError) in
            try connection.rows("SELECT name FROM pragma_index_info(?1)", [index[0]])
                .map { FieldValue($0[0]).string?.lowercased() ?? "" }
        }
    }
}
