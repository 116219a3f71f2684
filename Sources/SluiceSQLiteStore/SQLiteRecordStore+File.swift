internal import SluiceSQLite

/// What is asked of SQLite itself.
extension SQLiteRecordStore {
    /// Whether a database holds nothing at all.
    package static func isBlank(_ path: String) -> Bool {
        guard let connection = try? Connection(path: path, mode: .existing) else { return false }
        return (try? connection.integer("SELECT count(*) FROM sqlite_schema")) == 0
    }

    /// The version of SQLite.
    package static var libraryVersion: String { Connection.libraryVersion }

    /// What interrupts a running statement from another thread; not to be called once the store is gone.
    package func makeInterrupt() -> @Sendable () -> Void { connection.makeInterrupt() }
}
