/// A run whose changes are in the store, as the store's history has it.
package struct CommittedRun: Hashable, Sendable {
    /// When it began, by the wall clock.
    package let start: Int64
    /// What it came to.
    package let outcome: RunOutcome
    /// Its number in the history; nil where that is not known.
    package let number: Int64?

    /// Says what a run came to.
    package init(start: Int64, outcome: RunOutcome, number: Int64? = nil) {
        (self.start, self.outcome, self.number) = (start, outcome, number)
    }
}

extension Ledger {
    /// The runs that have no end here.
    package var unended: [AttemptID] { unsettled.compactMap(\.running) }

    /// When a run was started, by the wall clock; nil where there is no such run.
    package func start(of attempt: AttemptID) -> Int64? {
        guard let attempts = dueTime(attempt.due)?.attempts, attempts.indices.contains(attempt.number - 1) else {
            return nil
        }
        return attempts[attempt.number - 1].start
    }

    /// The committed run that stands for a run without an end, as far as the store's history tells.
    ///
    /// The first run that began with it or later stands for it. One that began in the same second may be that of another
    /// attempt, so that each attempt of that second takes one. One that began after the present time is of a clock that
    /// was put back, and stands for nothing.
    ///
    /// - Parameters:
    ///   - attempt: The run.
    ///   - runs: The committed runs of its pipeline, the oldest first.
    ///   - now: The time of the wall clock.
    /// - Returns: The committed run; nil where none stands for it.
    package func committed(_ attempt: AttemptID, among runs: [CommittedRun], at now: Int64) -> CommittedRun? {
        guard let start = start(of: attempt) else { return nil }
        let attempts = pipelines[attempt.due.pipeline]?.dueTimes.flatMap(\.attempts) ?? []
        let others = attempts.count { $0.start == start && $0.end != nil }
        let taken = min(others, runs.count { $0.start == start })
        return runs.filter { $0.start >= start && $0.start <= now }.dropFirst(taken).first
    }
}
