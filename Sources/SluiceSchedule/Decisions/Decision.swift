/// A signal by which a run is stopped.
package enum StopSignal: String, CaseIterable, Sendable {
    /// SIGTERM.
    case terminate
    /// SIGKILL.
    case kill
}

/// What is to be done, one thing at a time.
///
/// Each changes the ledger. The row is written first and the effect follows: where the program is killed between them,
/// what was to be started counts as interrupted, unless its run is in the store, and is never started twice.
package enum Decision: Hashable, Sendable {
    /// From a moment on, due times of a pipeline are looked for: it is new, or the clock was put back to there.
    case watch(pipeline: String, from: Int64)
    /// A due time waits for its start.
    case queue(DueTimeID)
    /// A due time is not run.
    case skip(DueTimeID, SkipReason)
    /// Due times between two moments, which do not count, are not run: a later one stands for all of them.
    case miss(pipeline: String, after: Int64, before: Int64)
    /// A due time has waited for long.
    case late(DueTimeID)
    /// A run starts.
    case start(AttemptID)
    /// A run takes too long.
    case stop(AttemptID, StopSignal)
    /// A run has no end in the ledger, and there is no process of it any more.
    case abandon(AttemptID)
    /// A run has no end in the ledger and no process any more, and has committed: that is what it came to.
    case recover(AttemptID, RunOutcome)
    /// The worker of a run is not heard of any more, and another one takes its place.
    case lose(AttemptID)
    /// The next run of a due time starts at a moment.
    case retry(DueTimeID, at: Int64)
    /// A due time has come to something.
    case settle(DueTimeID, RunOutcome)

    /// The row that it changes; nil where it changes only what is known of the pipeline.
    package var dueTime: DueTimeID? {
        switch self {
        case .watch, .miss: nil
        case .queue(let id), .skip(let id, _), .late(let id), .retry(let id, _), .settle(let id, _): id
        case .start(let attempt), .stop(let attempt, _), .abandon(let attempt), .recover(let attempt, _),
            .lose(let attempt):
            attempt.due
        }
    }

    /// The pipeline that it is about.
    package var pipeline: String {
        switch self {
        case .watch(let name, _), .miss(let name, _, _): name
        default: dueTime?.pipeline ?? ""
        }
    }
}
