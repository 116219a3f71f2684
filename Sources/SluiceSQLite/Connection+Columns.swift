internal import CSluiceSQLite

extension Connection {
    /// How a column's texts are compared where nothing else is said, such as `BINARY` or `NOCASE`; nil where there is no
    /// such column. See: sqlite.org/c3ref/table_column_metadata.html
    package func collation(of column: String, in table: String) -> String? {
        var name: UnsafePointer<CChar>?
        let code = unsafe sqlite3_table_column_metadata(handle, nil, table, column, nil, &name, nil, nil, nil)
        guard code == SQLITE_OK else { return nil }
        return unsafe name.map { unsafe String(cString: $0) }
    }
}
