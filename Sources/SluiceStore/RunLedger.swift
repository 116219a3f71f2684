/// One run, as it is kept.
public struct RunEntry: Sendable, Equatable {
    /// The number of the run.
    public var id: Int64
    /// The pipeline's name.
    public var pipeline: String
    /// What was asked for.
    public var command: String
    /// How far it has come.
    public var status: String
    /// RFC 3339 in UTC.
    public var startedAt: String
    /// RFC 3339 in UTC; nil while it runs.
    public var finishedAt: String?
    /// Records that were inserted.
    public var inserted: Int
    /// Records that were updated.
    public var updated: Int
    /// Records that were deleted.
    public var deleted: Int
    /// Records about which the source says what it said before, or what the store already holds.
    public var unchanged: Int
    /// Records whose change was not taken because the local value stands.
    public var keptLocal: Int
    /// Records with an open conflict.
    public var conflicts: Int
    /// Of these, the records that were written in part.
    public var conflictsWritten = 0
    /// Records that could not be taken.
    public var quarantined: Int
    /// Rows whose deletes were refused.
    public var deletesRefused = 0
    /// What became of records that stand within others, by entity; those of which none changed are left out.
    public var within: [String: RunCounts] = [:]
    /// What went wrong, where something did.
    public var error: String?
    /// What people should know of it.
    public var warnings: [RunWarning] = []
    /// The run that this one took back.
    public var undoes: Int64?
    /// The run that took this one back.
    public var undoneBy: Int64?
    /// Whether it is known what it changed; nil where that was never kept.
    public var changes: RunChanges?

    /// Whether something of it is in the store: all, or what was merged before it broke off.
    public var isKept: Bool { ["succeeded", "partial", "refused"].contains(status) || changes == .kept }

    /// Makes an entry without counts.
    public init(id: Int64, pipeline: String, command: String, status: String, startedAt: String) {
        self.id = id
        self.pipeline = pipeline
        self.command = command
        self.status = status
        self.startedAt = startedAt
        (inserted, updated, deleted, unchanged, keptLocal, conflicts, quarantined) = (0, 0, 0, 0, 0, 0, 0)
    }
}

/// What people should know of a run that did not fail for it.
public struct RunWarning: Sendable, Equatable {
    /// The kind of problem, in snake_case.
    public var code: String
    /// What is wrong and what to do, as sentences.
    public var message: String

    /// Makes a warning.
    public init(code: String, message: String) { (self.code, self.message) = (code, message) }
}

/// How many records of an entity had which outcome in a run.
public struct RunCounts: Sendable, Equatable {
    /// Records that were inserted.
    public var inserted = 0
    /// Records that were updated.
    public var updated = 0
    /// Records that were deleted.
    public var deleted = 0
    /// Records about which the source says what it said before, or what the store already holds.
    public var unchanged = 0
    /// Records whose change was not taken because the local value stands.
    public var keptLocal = 0
    /// Records with an open conflict.
    public var conflicts = 0
    /// Of these, the records that were written in part.
    public var conflictsWritten = 0
    /// Records that could not be taken.
    public var quarantined = 0
    /// Rows whose deletes were refused.
    public var deletesRefused = 0

    /// Makes zero counts.
    public init() {}
}

/// Whether it is known what a run changed.
public enum RunChanges: String, Sendable, CaseIterable {
    /// All of it.
    case kept
    /// A part of it: the run is too old.
    case pruning
    /// Nothing any more: the run is too old.
    case pruned
}

/// What was run, and how it ended.
public protocol RunLedger: AnyObject {
    /// The id that the next run will have.
    func nextID() throws -> Int64
    /// Writes a run that has ended.
    func record(_ run: RunEntry) throws
    /// The newest runs of a pipeline or of all, newest first.
    func list(pipeline: String?, limit: Int) throws -> [RunEntry]
    /// The newest run of a pipeline that asked its source.
    func last(of pipeline: String) throws -> RunEntry?
    /// One run.
    func entry(id: Int64) throws -> RunEntry?
    /// Notes which run took another one back; nil where that holds no longer.
    func noteUndone(_ run: Int64, by other: Int64?) throws
    /// The names of all pipelines that ever ran here.
    func pipelines() throws -> [String]
}
