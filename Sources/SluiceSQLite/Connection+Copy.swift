internal import CSluiceSQLite

extension Connection {
    /// Replaces what this database holds by a copy of another one, page by page.
    ///
    /// - Parameters:
    ///   - source: The database to copy; it is only read.
    ///   - isStopped: Asked now and then whether to give up.
    /// - Throws: ``SQLiteError``, with the code `interrupted` where it gave up.
    package func copy(from source: Connection, isStopped: () -> Bool) throws(SQLiteError) {
        guard let backup = unsafe sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw unsafe error(code: sqlite3_extended_errcode(handle), sql: nil)
        }
        var code = SQLITE_OK
        while code == SQLITE_OK && !isStopped() { code = unsafe sqlite3_backup_step(backup, 1024) }
        // What went wrong with the source is told by this connection too.
        _ = unsafe sqlite3_backup_finish(backup)
        if code == SQLITE_OK { throw SQLiteError(code: .interrupted, message: "interrupted") }
        if code != SQLITE_DONE { throw error(code: code, sql: nil) }
    }
}
