internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// What programs have done once to a store.
extension SQLiteRecordStore {
    /// The names of the migrations that were run, or were not needed since the store was new.
    ///
    /// - Throws: `StoreError`.
    package func migrations() throws -> Set<String> {
        do {
            // A file of others has no such ledger.
            let count = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = '_sluice_schema'")
            if count == 0 { return [] }
            return Set(try EntityRegistry(database: database).entries(EntityRegistry.migration).map(\.name))
        } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }

    /// Records that a migration need not be run any more, within the transaction that runs it.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - time: When, RFC 3339 in UTC.
    /// - Throws: `StoreError`.
    package func record(migration name: String, at time: String) throws {
        do {
            try EntityRegistry(database: database).put(EntityRegistry.migration, name, time)
        } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}
