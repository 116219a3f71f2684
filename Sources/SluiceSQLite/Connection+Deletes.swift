internal import CSluiceSQLite

extension Connection {
    /// Counts the rows that statements delete, by table: also those that foreign keys and triggers delete along with
    /// them. See: sqlite.org/c3ref/update_hook.html
    ///
    /// Rows of tables without rowids are counted where the library has `SQLITE_ENABLE_PREUPDATE_HOOK`, less those that are inserted:
    /// a row that takes the place of another one is both.
    ///
    /// - Parameter body: Runs the statements.
    /// - Returns: The counts.
    /// - Throws: What `body` throws.
    package func countingDeletes(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) -> [String: Int] {
        let tally = DeleteTally()
        let context = unsafe Unmanaged.passUnretained(tally).toOpaque()
        _ = unsafe sqlite3_update_hook(
            handle,
            { context, operation, _, table, _ in
                guard let context = unsafe context, let table = unsafe table else { return }
                unsafe Unmanaged<DeleteTally>.fromOpaque(context).takeUnretainedValue()
                    .changed(String(cString: table), operation)
            }, context)
        unsafe sluice_sqlite_preupdate_hook(
            handle,
            { context, _, operation, _, table, _, _ in
                guard let context = unsafe context, let table = unsafe table else { return }
                unsafe Unmanaged<DeleteTally>.fromOpaque(context).takeUnretainedValue()
                    .changes(String(cString: table), operation)
            }, context)
        defer {
            _ = unsafe sqlite3_update_hook(handle, nil, nil)
            unsafe sluice_sqlite_preupdate_hook(handle, nil, nil)
        }
        try body()
        return withExtendedLifetime(tally) { tally.deleted }
    }
}

/// Rows that statements delete.
private final class DeleteTally {
    /// The rows that were deleted from tables with rowids; 0 where others were changed.
    private var counts: [String: Int] = [:]
    /// The rows that were to go from any table, less those that were to come.
    private var losses: [String: Int] = [:]

    /// A row of a table with rowids was changed.
    func changed(_ table: String, _ operation: Int32) {
        counts[table, default: 0] += operation == SQLITE_DELETE ? 1 : 0
    }

    /// A row of any table is about to be changed.
    func changes(_ table: String, _ operation: Int32) {
        if operation == SQLITE_DELETE { losses[table, default: 0] += 1 }
        if operation == SQLITE_INSERT { losses[table, default: 0] -= 1 }
    }

    /// The rows that went, by table.
    var deleted: [String: Int] { counts.merging(losses) { count, _ in count }.filter { $0.value > 0 } }
}
