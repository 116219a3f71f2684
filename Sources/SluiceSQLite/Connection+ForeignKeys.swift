internal import CSluiceSQLite

extension Connection {
    /// Has SQLite look after foreign keys from here on or not, also within a transaction. Statements are prepared anew.
    /// See: sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigenablefkey
    package func checkForeignKeys(_ checks: Bool) { _ = unsafe sluice_sqlite_hold_foreign_keys(handle, checks ? 1 : 0) }

    /// Runs what makes a table anew, within which its rows are nowhere for a while: no foreign key is looked after.
    ///
    /// - Parameter body: Leaves every reference as it was.
    /// - Throws: What `body` throws.
    package func withoutForeignKeys(_ body: () throws -> Void) throws {
        let isHeld = try integer("PRAGMA foreign_keys") == 1
        if isHeld { checkForeignKeys(false) }
        defer { if isHeld { checkForeignKeys(true) } }
        try body()
    }
}
