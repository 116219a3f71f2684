internal import CSluiceSQLite

/// What SQLite makes of a statement's text. A ``Statement`` has it while it is used, and the connection's cache before
/// and afterwards.
///
/// It does not keep its connection alive: the connection keeps it.
@safe
final class PreparedStatement {
    let handle: OpaquePointer
    /// The text of the statement.
    let sql: String
    /// Whether a ``Statement`` has it.
    var isTaken = true
    /// When it was given back last, in the cache's own count.
    var lastUse: UInt64 = 0

    /// The tables that it uses; nil where they were not recorded.
    var tableUse: TableUse?
    /// When it was recorded last that they were used, by the recorder's own count.
    var round = -1

    init(connection: Connection, database: OpaquePointer, sql: String) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw connection.error(code: code == SQLITE_OK ? SQLITE_MISUSE : code, sql: sql)
        }
        unsafe handle = prepared
        self.sql = sql
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Whether it writes nothing. See: sqlite.org/c3ref/stmt_readonly.html
    var isReading: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

    /// Makes it as it was when it was prepared: without bindings, and before its first row.
    func clear() {
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
    }
}
