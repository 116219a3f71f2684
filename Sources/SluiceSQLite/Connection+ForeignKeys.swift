internal import CSluiceSQLite

extension Connection {
    /// Runs what makes a table anew, within which its rows are nowhere for a while: no foreign key is looked after.
    ///
    /// - Parameter body: Leaves every reference as it was.
    /// - Throws: What `body` throws.
    package func withoutForeignKeys(_ body: () throws -> Void) throws {
        let isHeld = try integer("PRAGMA foreign_keys") == 1
        if isHeld { _ = unsafe sluice_sqlite_hold_foreign_keys(handle, 0) }
        defer { if isHeld { _ = unsafe sluice_sqlite_hold_foreign_keys(handle, 1) } }
        try body()
    }
}
