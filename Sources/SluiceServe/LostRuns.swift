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
        for attempt in lost { outcomes[attempt] = try run(of: attempt, ledger, in: store, at: now)?.outcome }
        return outcomes
    }

    /// Reads whether a run whose process is gone has committed: nothing of it is being committed any more.
    ///
    /// - Parameters:
    ///   - attempt: The run, which has no end yet.
    ///   - ledger: The rows of the store.
    ///   - store: The store.
    ///   - now: The time of the wall clock.
    /// - Returns: The run as the history has it; nil where it has not committed.
    /// - Throws: `StoreError`.
    static func run(
        of attempt: AttemptID, _ ledger: Ledger, in store: any RecordStore, at now: Int64
    ) throws -> CommittedRun? {
        guard let start = ledger.start(of: attempt) else { return nil }
        return ledger.committed(attempt, among: try runs(of: attempt.due.pipeline, since: start, in: store), at: now)
    }

    /// Reads the newest run of a pipeline that has committed.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - start: When the run was started that is looked for, by this machine's clock.
    ///   - store: The store.
    ///   - now: The time of that clock.
    /// - Returns: The newest one that began between these times; nil where there is none.
    /// - Throws: `StoreError`.
    static func newest(
        of pipeline: String, since start: Int64, in store: any RecordStore, at now: Int64
    ) throws -> CommittedRun? {
        try runs(of: pipeline, since: start, in: store).last { $0.start >= start && $0.start <= now }
    }

    /// Reads the first run of a pipeline that has committed since a time: others may have run after it.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - start: When the run was started that is looked for, by this machine's clock.
    ///   - store: The store.
    ///   - now: The time of that clock.
    /// - Returns: The first one that began between these times; nil where there is none.
    /// - Throws: `StoreError`.
    static func first(
        of pipeline: String, since start: Int64, in store: any RecordStore, at now: Int64
    ) throws -> CommittedRun? {
        try runs(of: pipeline, since: start, in: store).first { $0.start >= start && $0.start <= now }
    }

    /// The committed runs of a pipeline since a time, the oldest first.
    private static func runs(of pipeline: String, since start: Int64, in store: any RecordStore) throws
        -> [CommittedRun]
    {
        try store.runs.list(pipeline: pipeline, limit: .max, among: RunFilter(since: MomentText.of(start))).reversed()
            .compactMap(CommittedRun.init)
    }
}

extension CommittedRun {
    /// Takes a run from the history; nil where it is none of a whole pipeline, or nothing of it was committed as its end.
    fileprivate init?(_ entry: RunEntry) {
        let start = Timestamp(stored: Array(entry.startedAt.utf8))?.seconds
        guard let start, entry.command == "run", entry.scope == nil else { return nil }
        switch entry.status {
        case "succeeded": self.init(start: start, outcome: .succeeded, number: entry.id)
        case "partial": self.init(start: start, outcome: .failedForNow, number: entry.id)
        case "refused": self.init(start: start, outcome: .failed, number: entry.id)
        default: return nil
        }
    }
}
