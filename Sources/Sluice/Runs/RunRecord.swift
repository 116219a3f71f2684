internal import SluiceReport
internal import SluiceStore

/// A run that the store remembers: a sync of a program, a run of `sluice`, an undo or a decision.
public struct RunRecord: Sendable, Identifiable {
    /// Its number.
    public let id: Int
    /// The pipeline of its source.
    public let pipeline: String
    /// What was asked for: `run`, `undo`, `resolve`, or `edit` for a program's own write.
    public let command: String
    /// How it ended: `succeeded`, `partial`, `refused`, `failed`.
    public let status: String
    /// When it began, RFC 3339 in UTC.
    public let startedAt: String
    /// Who asked for it, where a person or a program decided; nil where nobody is noted.
    public let who: String?
    /// The counts.
    public let summary: SyncSummary
    /// The run that it took back.
    public let undoes: Int?
    /// The run that took it back.
    public let undoneBy: Int?

    init(_ entry: RunEntry) {
        id = Int(entry.id)
        pipeline = entry.pipeline
        command = entry.command
        status = entry.status
        startedAt = entry.startedAt
        who = entry.who
        summary = SyncSummary(
            insert: entry.inserted, update: entry.updated, delete: entry.deleted, unchanged: entry.unchanged,
            keptLocal: entry.keptLocal, conflict: entry.conflicts, quarantined: entry.quarantined,
            deleteRefused: entry.deletesRefused)
        undoes = entry.undoes.map { Int($0) }
        undoneBy = entry.undoneBy.map { Int($0) }
    }
}

/// What taking a run back came to.
public struct UndoResult: Sendable {
    /// The number of the undo, which is a run as well; nil for a plan, and where nothing was written.
    public let run: Int?
    /// The counts of what was written.
    public let summary: SyncSummary
    /// How many values were left as they are, because people changed them since.
    public let left: Int
}

/// What became of a decision.
public enum DecisionOutcome: Sendable {
    /// It was carried out.
    case resolved
    /// The row had changed meanwhile: the conflict shows what there is now, and waits for another decision.
    case reopened
}
