internal import CSluiceSQLite

extension Connection {
    /// Whether SQLite looks after foreign keys, also within a transaction. Statements are prepared anew where it changes.
    /// See: sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigenablefkey
    package var checksForeignKeys: Bool {
        get { (try? integer("PRAGMA foreign_keys")) == 1 }
        set { _ = unsafe sluice_sqlite_hold_foreign_keys(handle, newValue ? 1 : 0) }
    }

    /// Runs what makes a table anew, within which its rows are nowhere for a while: no foreign key is looked after.
    ///
    /// - Parameter body: Leaves every reference as it was.
    /// - Throws: What `body` throws.
    package func withoutForeignKeys(_ body: () throws -> Void) throws {
        let isHeld = checksForeignKeys
        if isHeld { checksForeignKeys = false }
        defer { if isHeld { checksForeignKeys = true } }
        try body()
    }
}
