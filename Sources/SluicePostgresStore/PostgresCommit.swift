internal import SluicePostgres
internal import SluiceStore
internal import SluiceSystem

/// Makes a transaction durable, and finds out what became of it where the connection was lost on the way: the server may
/// have kept it before its answer was lost.
struct PostgresCommit {
    let session: PostgresStoreSession
    /// The runs of the store, which know what the transaction wrote of its own; nil where it is no run's.
    let runs: PostgresRunLedger?

    /// For how long a server that is away is asked again, and a transaction of which nobody hears any more is waited for: a
    /// server that broke down needs a moment, and so does an end.
    private static let patience = Duration.seconds(10)
    /// How long its last answer may take.
    private static let delay = Duration.seconds(1)

    /// Commits.
    ///
    /// - Throws: ``PostgresError`` where nothing was kept; ``StoreError`` with the code `outcomeUnknown` where it is not known
    ///   whether it was. Where it was, the session has a new connection.
    func perform() throws {
        do throws(PostgresError) { try session.connection.commit() } catch {
            guard error.isConnectionLost || session.connection.transactionState == .lost else { throw error }
            switch outcome() {
            case true?: return
            case false?: throw error
            case nil: throw unknown(error)
            }
        }
    }

    /// Whether the transaction was kept; nil where that is not known.
    private func outcome() -> Bool? {
        let end = ContinuousClock.now + Self.patience
        while true {
            do {
                try session.reconnect(until: end + Self.delay)
                defer { session.connection.deadline = nil }
                return try inspect(until: end)
            } catch let error as PostgresError where error.isConnectionLost {
                if ContinuousClock.now >= end || session.isCancelled { return nil }
                Pause.seconds(0.25)
            } catch { return nil }
        }
    }

    private func inspect(until end: ContinuousClock.Instant) throws -> Bool? {
        let connection = session.connection
        try connection.begin()
        defer { if connection.transactionState != .none { try? connection.rollback() } }
        // 0 would be for as long as it takes.
        let milliseconds = max(1, Int(ContinuousClock.now.duration(to: end) / .milliseconds(1)))
        try connection.execute("SET LOCAL lock_timeout = \(milliseconds)")
        // Who holds this lock is at work, or waits at its commit: once it is ours, that transaction has ended.
        try PostgresStoreFormat.lock(session)
        guard let runs, let run = runs.recorded else { return nil }
        return try runs.entry(id: run.id)?.isSame(as: run) ?? false
    }

    private func unknown(_ error: PostgresError) -> StoreError {
        StoreError(
            .outcomeUnknown,
            "The store `\(session.place)` was lost while a commit was on its way: \(error.message). Whether it was kept is not known: all of it was, or nothing. Look with `sluice history` once the server is there."
        )
    }
}

extension RunEntry {
    /// Whether it is the same run, kept at the same time. Other runs may have taken it back since.
    fileprivate func isSame(as other: RunEntry) -> Bool {
        id == other.id && pipeline == other.pipeline && command == other.command && startedAt == other.startedAt
            && finishedAt == other.finishedAt
    }
}
