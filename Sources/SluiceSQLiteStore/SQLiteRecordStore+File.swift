internal import SluiceSQLite
internal import SluiceSystem

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

    /// Has a request to stop end all statements from then on: for who only reads.
    ///
    /// - Parameter cancellation: The request.
    func end(with cancellation: Cancellation) {
        ending = StatementsEnd(cancellation, ending: connection)
    }
}

/// Ends the statements of a connection on request, for as long as it is kept.
final class StatementsEnd {
    private let cancellation: Cancellation
    private let registration: Int

    init(_ cancellation: Cancellation, ending connection: Connection) {
        self.cancellation = cancellation
        registration = cancellation.onCancel(connection.makeStop())
    }

    deinit { cancellation.remove(registration) }
}
