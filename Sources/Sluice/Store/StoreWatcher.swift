internal import SluiceSQLite
internal import SluiceSystem

/// Notices the commits of others by a connection of its own.
actor StoreWatcher {
    private let connection: Connection
    private nonisolated let path: String
    private nonisolated let listens: Bool

    init(_ path: String, _ options: StoreOptions) throws {
        connection = try SluiceError.translating {
            let connection = try Connection(path: path, mode: .readOnly)
            connection.setBusyTimeout(milliseconds: options.busyMilliseconds)
            return connection
        }
        self.path = path
        listens = if case .automatic = options.watch { true } else { false }
    }

    /// What tells of writes to the file and its log; nil where nothing does.
    nonisolated var events: AsyncStream<Void>? { listens ? FileWrites.stream(of: [path, path + "-wal"]) : nil }

    /// Looks for a commit after a version, and once more for a little while: the log is written before its index says so, and
    /// that second write wakes nobody.
    ///
    /// - Parameter known: The version that is known, nil for none.
    /// - Returns: The version that is known now.
    func version(after known: Int64?) async -> Int64? {
        for pause in [0, 1, 2, 5, 20, 50] {
            if pause > 0, (try? await Task.sleep(for: .milliseconds(pause))) == nil { return known }
            if let found = version(), found != known { return found }
            if !listens { break }
        }
        return known
    }

    /// A number that changes with each commit of another connection, of this program or another one; nil where it cannot be
    /// told now. See: sqlite.org/pragma.html#pragma_data_version
    private func version() -> Int64? { try? connection.integer("PRAGMA data_version") }
}
