internal import SluiceModel
internal import SluiceSchedule
internal import SluiceStore

/// What became of runs whose service ended before it wrote their ends: the history of their store tells.
enum LostRuns {
    /// Reads which of a ledger's runs without an end have committed.
    ///
    /// - Parameters:
    ///   - ledger: The rows of a store, of which no run is going.
    ///   - store: That store.
    ///   - now: The time of the wall clock.
    /// - Returns: What they came to; nothing of those that have not committed.
    /// - Throws: `StoreError`, also where a run is writing to the store: that may be one of them.
    static func committed(
        of ledger: Ledger, in store: any RecordStore, at now: Int64
    ) throws -> [AttemptID: RunOutcome] {
        let lost = ledger.unended
        if lost.isEmpty { return [:] }
        // What is being committed is waited for.
        try store.begin()
        defer { store.rollback() }
        var outcomes: [AttemptID: RunOutcome] = [:]
        for attempt in lost { outcomes[attempt] = try outcome(of: attempt, ledger, in: store, at: now) }
        return outcomes
    }

    /// Reads whether a run whose process is gone has committed: nothing of it is being committed any more.
    ///
    /// - Parameters:
    ///   - attempt: The run, which has no end yet.
    ///   - ledger: The rows of the store.
    ///   - store: The store.
    ///   - now: The time of the wall clock.
    /// - Returns: What it came to; nil where it has not committed.
    /// - Throws: `StoreError`.
    static func outcome(
        of attempt: AttemptID, _ ledger: Ledger, in store: any RecordStore, at now: Int64
    ) throws -> RunOutcome? {
        guard let start = ledger.start(of: attempt) else { return nil }
        let entries = try store.runs.list(
            pipeline: attempt.due.pipeline, limit: .max, among: RunFilter(since: MomentText.of(start)))
        return ledger.outcome(of: attempt, among: entries.reversed().compactMap(CommittedRun.init), at: now)
    }
}

extension CommittedRun {
    /// Takes a run from the history; nil where it is none of a whole pipeline, or nothing of it was committed as its end.
    fileprivate init?(_ entry: RunEntry) {
        let start = Timestamp(stored: Array(entry.startedAt.utf8))?.seconds
        guard let start, entry.command == "run", entry.scope == nil else { return nil }
        switch entry.status {
        case "succeeded": self.init(start: start, outcome: .succeeded)
        case "partial": self.init(start: start, outcome: .failedForNow)
        case "refused": self.init(start: start, outcome: .failed)
        default: return nil
        }
    }
}
