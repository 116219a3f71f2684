internal import SluiceSQLite

/// Notices the commits of others by a connection of its own.
actor StoreWatcher {
    private let connection: Connection

    init(_ path: String, _ options: StoreOptions) throws {
        connection = try SluiceError.translating {
            let connection = try Connection(path: path, mode: .readOnly)
            connection.setBusyTimeout(milliseconds: options.busyMilliseconds)
            return connection
        }
    }

    /// A number that changes with each commit of another connection, of this program or another one; nil where it cannot be
    /// told now. See: sqlite.org/pragma.html#pragma_data_version
    func version() -> Int64? { try? connection.integer("PRAGMA data_version") }
}
