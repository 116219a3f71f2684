/// A run that the service started, or is about to start.
package struct ServedRun: Sendable, Hashable {
    /// Its number, which grows with each run of a service and is never used twice within one state folder.
    package typealias ID = Int64

    /// Whether it is kept.
    package enum Kind: String, Sendable, CaseIterable {
        case run
        case plan
    }

    /// What is kept of it, each in a file.
    package enum Document: String, Sendable, CaseIterable {
        /// The log, one JSON object in a line (`--log-format json`).
        case log = "log.jsonl"
        /// The report as `--format json` writes it.
        case json = "report.json"
        /// The report as `--format html` writes it.
        case html = "report.html"
    }

    /// How it ended.
    package enum Outcome: String, Sendable, CaseIterable {
        case succeeded
        /// Done but for what a safety guard refused.
        case refused
        /// A part of it could not be read.
        case partial
        case failed
        /// The pipeline or store was in use.
        case locked
        /// Another worker of the store had taken it over.
        case superseded
        /// It was stopped, took too long, or ended with the service.
        case interrupted
    }

    /// Its number.
    package let id: ID
    /// The pipeline's name.
    package let pipeline: String
    /// Whether it is kept.
    package let kind: Kind
    /// The due time that it is for; nil where somebody asked for it.
    package var due: Int64?
    /// 1 for the first run of a due time.
    package var attempt = 1
    /// Who asked for it, nil for the schedule.
    package var who: String?
    /// When it was started by the wall clock; nil while it waits.
    package var startedAt: Int64?
    /// When it ended by the wall clock; nil before.
    package var endedAt: Int64?
    /// How long it took or has taken, by a clock that nobody sets.
    package var seconds: Double = 0
    /// How it ended; nil before.
    package var outcome: Outcome?
    /// The program's exit code, or minus the number of the signal that ended it; nil before.
    package var exitCode: Int32?
    /// The run's number in the store, where one was made.
    package var storeRun: Int64?
    /// One sentence of what went wrong, where something did.
    package var error: String?
    /// How far it has come, while it is going.
    package var progress: ServedProgress?
    /// What its records came to, once it has ended with a report.
    package var counts: ServedCounts?
    /// How long the parts of it took, once it has ended.
    package var times = ServedTimes()

    /// Makes a run that waits.
    package init(id: ID, pipeline: String, kind: Kind) {
        (self.id, self.pipeline, self.kind) = (id, pipeline, kind)
    }
}

/// How far a run has come.
package struct ServedProgress: Sendable, Hashable {
    /// The stream that it is at.
    package var stream: String?
    /// How many pages were read.
    package var pages = 0
    /// How many bytes were read.
    package var bytes = 0
    /// How many records were taken so far.
    package var records = 0
    /// The line that a terminal would show.
    package var line = ""

    /// Makes the progress of a run that has just begun.
    package init() {}
}

/// How long the parts of a run took.
package struct ServedTimes: Sendable, Hashable {
    /// How many seconds each stage took, by its name.
    package var stages: [String: Double] = [:]
    /// For how many seconds limits held requests back: `rate_limit` of the pipeline, or those of the source.
    package var limited = 0.0
    /// How often a request was sent again, as far as the run told so.
    package var retries = 0

    /// Makes zero times.
    package init() {}
}

/// What the records of a run came to: those of its streams, as in the `summary` of its report, and apart from them those
/// that stand within others.
package struct ServedCounts: Sendable, Hashable {
    package var inserted = 0
    package var updated = 0
    package var deleted = 0
    package var unchanged = 0
    package var keptLocal = 0
    package var conflicts = 0
    /// Of the records in conflict those that were written in part.
    package var conflictsWritten = 0
    package var quarantined = 0
    package var deletesRefused = 0
    /// Records that a saved plan does not show as they were, so that they were left.
    package var stale = 0
    /// Rows that are gone from the source and stay, since that is only to be reported.
    package var deletesReported = 0
    /// Records whose key came again.
    package var duplicates = 0
    /// The counts of records that stand within others, by entity.
    package var within: [String: ServedCounts] = [:]

    /// The counts with the names that reports have for them, in their order.
    package static var members: [(name: String, count: WritableKeyPath<ServedCounts, Int>)] {
        [
            ("insert", \.inserted), ("update", \.updated), ("delete", \.deleted), ("unchanged", \.unchanged),
            ("kept_local", \.keptLocal), ("conflict", \.conflicts), ("conflict_written", \.conflictsWritten),
            ("quarantined", \.quarantined), ("delete_refused", \.deletesRefused),
            ("stale", \.stale), ("delete_reported", \.deletesReported), ("duplicates", \.duplicates),
        ]
    }

    /// The counts that are told only where there are any.
    private static let rare: Set<String> = ["stale", "delete_reported", "duplicates"]

    /// The counts of these records with their names, as reports tell them.
    package var told: [(name: String, count: Int)] {
        Self.members.map { ($0.name, self[keyPath: $0.count]) }.filter { $0.count > 0 || !Self.rare.contains($0.name) }
    }

    /// Makes zero counts.
    package init() {}
}
