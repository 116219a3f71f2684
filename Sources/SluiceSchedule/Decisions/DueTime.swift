/// A due time of a pipeline, of which there is one row in the ledger at most.
package struct DueTimeID: Hashable, Sendable {
    /// The pipeline.
    package let pipeline: String
    /// When it is due, without jitter, in seconds since the epoch.
    package let moment: Int64

    /// Names a due time.
    package init(pipeline: String, moment: Int64) {
        self.pipeline = pipeline
        self.moment = moment
    }
}

/// A run of a pipeline for a due time; each is started once.
package struct AttemptID: Hashable, Sendable {
    /// What it is run for.
    package let due: DueTimeID
    /// 1 for the first one.
    package let number: Int

    /// Names an attempt.
    package init(due: DueTimeID, number: Int) {
        self.due = due
        self.number = number
    }
}

/// What a run came to.
package enum RunOutcome: String, CaseIterable, Sendable {
    case succeeded
    /// For a reason that stays until somebody does something.
    case failed
    /// For a reason which may pass.
    case failedForNow = "failed_for_now"
    /// It was stopped, or ended with the program that had started it.
    case interrupted
    /// Its worker was not heard of any more, so that another one took its place.
    case lost

    /// Whether another attempt may come to something else.
    var mayPass: Bool { self == .failedForNow || self == .interrupted }
}

/// Why a due time is not run.
package enum SkipReason: Hashable, Sendable {
    /// The due time before was not settled: it waited, or its run was still going.
    case overlap
    /// It passed in sleep, stop or outage.
    case missed
    /// That pipeline did not succeed for its own last due time.
    case after(String)
    /// It waits for a pipeline that is not scheduled.
    case unserved(String)
    /// The pipeline is not scheduled any more.
    case unscheduled

    /// The reason, as the end of a sentence.
    package var words: String {
        switch self {
        case .overlap: "the run before it is still going"
        case .missed:
            "it passed while the service did not run or could not use the pipeline's file or store, or while the machine slept"
        case .after(let name): "`\(name)` did not succeed for its own due time"
        case .unserved(let name): "it waits for `\(name)`, and no pipeline of that name is scheduled here"
        case .unscheduled: "the pipeline is not scheduled any more"
        }
    }
}

/// A row of the ledger: a due time that was decided on.
///
/// It waits, is run once or several times, and is settled: by its last run, or by a reason why there is none.
package struct DueTime: Hashable, Sendable {
    /// A run, from its start on.
    package struct Attempt: Hashable, Sendable {
        /// When it was started, by the wall clock.
        package let start: Int64
        /// The signals that it was sent, and how many seconds after its start.
        package var signals: [StopSignal: Int64] = [:]
        /// When it ended and what it came to; nil while it is going.
        package var end: End?

        /// Makes a run that is going.
        package init(start: Int64) { self.start = start }

        /// Whether the time limit of its schedule ended it.
        package var tookTooLong: Bool { end?.outcome == .interrupted && !signals.isEmpty }
    }

    /// The end of a run.
    package struct End: Hashable, Sendable {
        /// By the wall clock.
        package let moment: Int64
        /// What the run came to.
        package let outcome: RunOutcome

        /// Says how a run ended.
        package init(moment: Int64, outcome: RunOutcome) { (self.moment, self.outcome) = (moment, outcome) }
    }

    /// How it was settled.
    package enum Settlement: Hashable, Sendable {
        case run(RunOutcome)
        case skipped(SkipReason)
    }

    /// Which due time.
    package let id: DueTimeID
    /// Its runs; the last one may be going.
    package internal(set) var attempts: [Attempt] = []
    /// When the next run starts, where there was one.
    package internal(set) var retryAt: Int64?
    /// Whether it was told that it has waited for long.
    package internal(set) var isLate = false
    /// What it came to; nil while there is something to do.
    package internal(set) var settlement: Settlement?

    init(id: DueTimeID) { self.id = id }

    /// Takes a row as it was written.
    ///
    /// - Parameters:
    ///   - id: Which due time.
    ///   - attempts: Its runs.
    ///   - retryAt: When the next run starts.
    ///   - isLate: Whether it was told that it has waited for long.
    ///   - settlement: What it came to.
    package init(
        id: DueTimeID, attempts: [Attempt], retryAt: Int64?, isLate: Bool, settlement: Settlement?
    ) {
        (self.id, self.attempts, self.retryAt) = (id, attempts, retryAt)
        (self.isLate, self.settlement) = (isLate, settlement)
    }

    /// The run that is going.
    package var running: AttemptID? {
        guard let last = attempts.last, last.end == nil else { return nil }
        return AttemptID(due: id, number: attempts.count)
    }

    /// The last due time of a pipeline, where it is not run, and why. One that was left out since another one was not settled
    /// says nothing of its own: that one counts.
    ///
    /// - Parameter rows: The rows of the pipeline, in the order of their moments.
    /// - Returns: The due time and the reason; nil where the last one was run or waits.
    package static func lastLeftOut(of rows: [DueTime]) -> (id: DueTimeID, reason: SkipReason)? {
        guard let row = rows.last(where: { $0.settlement != .skipped(.overlap) }),
            case .skipped(let reason) = row.settlement
        else { return nil }
        return (row.id, reason)
    }

    /// The latest run of a pipeline by its start, of those that have ended: one that is going says nothing yet.
    ///
    /// - Parameter rows: The rows of the pipeline.
    /// - Returns: The run; nil where none has ended.
    package static func latestEnded(of rows: [DueTime]) -> Attempt? {
        rows.flatMap(\.attempts).filter { $0.end != nil }.max { $0.start < $1.start }
    }

    /// The run within whose time a moment lies, such as the start of a run that the store keeps.
    ///
    /// - Parameters:
    ///   - moment: The moment.
    ///   - rows: The rows of the pipeline.
    /// - Returns: The latest such run that has ended; nil where there is none.
    package static func ended(around moment: Int64, of rows: [DueTime]) -> Attempt? {
        rows.flatMap(\.attempts).filter { attempt in
            attempt.start <= moment && attempt.end.map { moment <= $0.moment } ?? false
        }.max { $0.start < $1.start }
    }

    /// Whether its first or next run is to be started.
    var isWaiting: Bool { settlement == nil && (attempts.isEmpty || retryAt != nil) }
}

extension DueTime.Settlement {
    private static let skipped = "skipped_"
    private static let after = "after "
    private static let unserved = "unserved "

    /// The word by which stores keep it.
    package var text: String {
        switch self {
        case .run(let outcome): outcome.rawValue
        case .skipped(.overlap): Self.skipped + "overlap"
        case .skipped(.missed): Self.skipped + "missed"
        case .skipped(.unscheduled): Self.skipped + "unscheduled"
        case .skipped(.after(let name)): Self.skipped + Self.after + name
        case .skipped(.unserved(let name)): Self.skipped + Self.unserved + name
        }
    }

    /// Reads such a word; nil where it is none.
    package init?(text: String) {
        if let outcome = RunOutcome(rawValue: text) {
            self = .run(outcome)
            return
        }
        guard text.hasPrefix(Self.skipped) else { return nil }
        let reason = text.dropFirst(Self.skipped.count)
        switch reason {
        case "overlap": self = .skipped(.overlap)
        case "missed": self = .skipped(.missed)
        case "unscheduled": self = .skipped(.unscheduled)
        case _ where reason.hasPrefix(Self.after):
            self = .skipped(.after(String(reason.dropFirst(Self.after.count))))
        case _ where reason.hasPrefix(Self.unserved):
            self = .skipped(.unserved(String(reason.dropFirst(Self.unserved.count))))
        default: return nil
        }
    }
}
