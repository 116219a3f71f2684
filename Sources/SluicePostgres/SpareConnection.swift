internal import Synchronization

/// A place where a connection that is no longer used waits for whoever needs one next.
///
/// A new one costs the server a process and this program several round trips.
package final class SpareConnection: Sendable {
    /// It is `@unchecked Sendable` because a connection that waits here is used by nobody: who takes it has it alone.
    private struct Idle: @unchecked Sendable {
        let connection: PostgresConnection
    }

    /// For how long the answer of a server is waited for that may be gone.
    private static let patience = Duration.seconds(2)
    private let idle = Mutex<Idle?>(nil)

    /// Makes an empty place.
    package init() {}

    /// Leaves a connection, which nobody uses after that. A transaction that is open is taken back. One that is lost or was
    /// interrupted is of no use to the next one, nor is a second one: they are ended.
    package func leave(_ connection: PostgresConnection) {
        if connection.wasInterrupted { return }
        switch connection.transactionState {
        case .none: break
        case .lost: return
        case .open, .failed:
            connection.deadline = .now + Self.patience
            if (try? connection.rollback()) == nil { return }
        }
        let idle = Idle(connection: connection)
        self.idle.withLock { kept in if kept == nil { kept = idle } }
    }

    /// Takes the connection that was left, without what was prepared on it and without a deadline. Settings stay as they are.
    ///
    /// - Parameter settings: A statement that changes them.
    /// - Returns: Nil where none was left, or the server has ended it meanwhile.
    package func take(_ settings: String) -> PostgresConnection? {
        let idle = idle.withLock { kept -> Idle? in
            defer { kept = nil }
            return kept
        }
        guard let connection = idle?.connection, !connection.wasInterrupted else { return nil }
        connection.deadline = .now + Self.patience
        guard (try? connection.forgetStatements(alsoRunning: settings)) != nil else { return nil }
        _ = connection.takeNotices()
        connection.deadline = nil
        return connection
    }
}
