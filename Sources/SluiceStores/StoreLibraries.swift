internal import SluicePostgresStore
internal import SluiceSQLiteStore

/// The libraries that stores stand on.
package enum StoreLibraries {
    /// Their names and versions, as people know them.
    package static var versions: String {
        "SQLite \(SQLiteRecordStore.libraryVersion), libpq \(PostgresStore.libraryVersion)"
    }
}
