internal import CSluiceSQLite

extension Connection {
    /// Counts the rows that statements delete, by table: also those that foreign keys and triggers delete along with
    /// them. Tables without rowids are not counted. See: sqlite.org/c3ref/update_hook.html
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
                guard operation == SQLITE_DELETE, let context = unsafe context, let table = unsafe table else { return }
                let tally = unsafe Unmanaged<DeleteTally>.fromOpaque(context).takeUnretainedValue()
                tally.counts[unsafe String(cString: table), default: 0] += 1
            }, context)
        defer { _ = unsafe sqlite3_update_hook(handle, nil, nil) }
        try body()
        return withExtendedLifetime(tally) { tally.counts }
    }
}

private final class DeleteTally {
    var counts: [String: Int] = [:]
}
