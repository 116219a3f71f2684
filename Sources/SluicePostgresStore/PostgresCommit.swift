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
        // The server knows each transaction by a number of its own, which a statement before this one has got it.
        let number = try session.connection.integer("SELECT pg_catalog.txid_current_if_assigned()")
        do throws(PostgresError) { try session.connection.commit() } catch {
            guard error.isConnectionLost || session.connection.transactionState == .lost else { throw error }
            // Nothing was written that could be kept.
            guard let number else { throw error }
            switch outcome(of: number) {
            case true?: return
            case false?: throw error
            case nil: throw unknown(error)
            }
        }
    }

    /// Whether the transaction was kept; nil where that is not known.
    private func outcome(of number: Int64) -> Bool? {
        let end = ContinuousClock.now + Self.patience
        while true {
            do {
                try session.reconnect(until: end + Self.delay)
                defer { session.connection.deadline = nil }
                if let answer = try inspect(number, until: end) { return answer }
                if ContinuousClock.now >= end || session.isCancelled { return nil }
                Pause.seconds(0.25)
            } catch let error as PostgresError where error.isConnectionLost {
                if ContinuousClock.now >= end || session.isCancelled { return nil }
                Pause.seconds(0.25)
            } catch { return nil }
        }
    }

    /// What the server says of a transaction; nil as long as it is at work.
    ///
    /// A server that took the place of another may have given the number to a transaction of its own, so the run's entry has to be
    /// there as well. The entry alone tells nothing: a run that is kept page by page writes the same one with each page.
    private func inspect(_ number: Int64, until end: ContinuousClock.Instant) throws -> Bool? {
        let connection = session.connection
        try connection.begin()
        defer { if connection.transactionState != .none { try? connection.rollback() } }
        // 0 would be for as long as it takes.
        let milliseconds = max(1, Int(ContinuousClock.now.duration(to: end) / .milliseconds(1)))
        try connection.execute("SET LOCAL lock_timeout = \(milliseconds)")
        // Who holds this lock is at work, or waits at its commit: once it is ours, that transaction has ended.
        try PostgresStoreFormat.lock(session)
        switch try status(of: number) {
        case "committed":
            guard let runs, let run = runs.recorded else { return true }
            return try runs.entry(id: run.id)?.isSame(as: run) ?? false
        case "aborted": return false
        default: return nil
        }
    }

    /// The status of a transaction; nil where the server does not know it any more.
    ///
    /// - Returns: `committed`, `aborted` or `in progress`, as `txid_status` of PostgreSQL says.
    private func status(of number: Int64) throws -> String? {
        do throws(PostgresError) {
            return try session.connection.run("SELECT pg_catalog.txid_status(\(number))").string(0, 0)
        } catch {
            // Of a number that it has not given yet, the server knows that the transaction is not there.
            guard error.code.rawValue == "22023" else { throw error }
            return "aborted"
        }
    }

    private func unknown(_ error: PostgresError) -> StoreError {
        StoreError(
            .outcomeUnknown,
            "The store `\(session.place)` was lost while a commit was on its way: \(error.message). Whether it was kept is not known: all of it was, or nothing. Look with `sluice history` once the server is there."
        )
    }
}

extension RunEntry {
    /// Whether it is the same run, kept at the same time and as far. Other runs may have taken it back since.
    fileprivate func isSame(as other: RunEntry) -> Bool {
        id == other.id && pipeline == other.pipeline && command == other.command && startedAt == other.startedAt
            && finishedAt == other.finishedAt && status == other.status
            && [inserted, updated, deleted, unchanged, keptLocal, conflicts, quarantined]
                == [
                    other.inserted, other.updated, other.deleted, other.unchanged, other.keptLocal, other.conflicts,
                    other.quarantined,
                ]
    }
}
