/// One run, as it is kept.
package struct RunEntry: Sendable, Equatable {
    /// The number of the run.
    package var id: Int64
    /// The pipeline's name.
    package var pipeline: String
    /// What was asked for.
    package var command: String
    /// How far it has come.
    package var status: String
    /// RFC 3339 in UTC.
    package var startedAt: String
    /// RFC 3339 in UTC; nil while it runs.
    package var finishedAt: String?
    /// Records that were inserted.
    package var inserted: Int
    /// Records that were updated.
    package var updated: Int
    /// Records that were deleted.
    package var deleted: Int
    /// Records about which the source says what it said before, or what the store already holds.
    package var unchanged: Int
    /// Records whose change was not taken because the local value stands.
    package var keptLocal: Int
    /// Records with an open conflict.
    package var conflicts: Int
    /// Of these, the records that were written in part.
    package var conflictsWritten = 0
    /// Records that could not be taken.
    package var quarantined: Int
    /// Rows whose deletes were refused.
    package var deletesRefused = 0
    /// Records that were left, since they were not as the saved plan that the run carried out found them.
    package var stale = 0
    /// Rows that are gone from the source and stay, since that is only to be reported.
    package var deletesReported = 0
    /// Records whose key came again.
    package var duplicates = 0
    /// References that had waited and were linked.
    package var linked = 0
    /// Rows that lost a reference, by entity.
    package var unlinked: [String: Int] = [:]
    /// What became of records that stand within others, by entity. An entity is left out where all of its records are as
    /// they were and as their source says.
    package var within: [String: RunCounts] = [:]
    /// How many records it read, where it read all that there are; nil where it asked for changes or a part, where pages
    /// were as before, and where nobody noted it.
    package var recordsRead: Int?
    /// How many pages the source has, where it said of all of them that they are as before, and nothing changed; else nil,
    /// and where nobody noted it.
    package var pagesAsBefore: Int?
    /// Records that were read and left out: by a filter, or since they are older than the cursor.
    package var filtered = 0
    /// Rows that were missing in what it read, and count as gone once further scans did not see them either.
    package var suspected = 0
    /// What went wrong, where something did.
    package var error: String?
    /// The only stream or entity that it was asked for, as `stream issues`; nil where it was asked for all.
    package var scope: String?
    /// Who asked for it, where a person's decision is meant: an undo, a retry, a resolution; else nil.
    package var who: String?
    /// What people should know of it.
    package var warnings: [RunWarning] = []
    /// The run that this one took back.
    package var undoes: Int64?
    /// The run that took this one back.
    package var undoneBy: Int64?
    /// Whether it is known what it changed; nil where that was never kept.
    package var changes: RunChanges?

    /// Whether something of it is in the store: all, or what was merged before it broke off.
    package var isKept: Bool { ["succeeded", "partial", "refused"].contains(status) || changes == .kept }

    /// Whether it came to its end with its pipeline's lock, so that no later run had begun.
    package var hasSucceeded: Bool { status == "succeeded" }

    /// The command of a run over the quarantine, which reads nothing from its source.
    package static let retryCommand = "retry"
    /// The command of a run that gives records in quarantine up.
    package static let dropCommand = "drop"
    /// The command of a run that decides conflicts.
    package static let resolveCommand = "resolve"
    /// The command of a run that keeps what a program wrote of its own, as people do.
    package static let editCommand = "edit"
    /// The pipeline that such runs have.
    package static let editPipeline = "local"

    /// The commands that decide on what the store has: they say nothing newer of the source.
    private static let decisions: Set<String> = [resolveCommand, retryCommand, dropCommand, editCommand]

    /// Whether it is a run over what the source said.
    package var asksSource: Bool { ["run", "apply"].contains(command) }

    /// Whether what was read of the source before it is out of date: the store says something newer of it since, or goes back
    /// to something older on purpose. What people decide on meanwhile leaves that as it is.
    package var outdatesReading: Bool { isKept && !Self.decisions.contains(command) }

    /// Whether it wrote anything besides that it was tried.
    package var hasWritten: Bool { ["succeeded", "partial"].contains(status) || changes != nil }

    /// Makes an entry without counts.
    package init(id: Int64, pipeline: String, command: String, status: String, startedAt: String) {
        self.id = id
        self.pipeline = pipeline
        self.command = command
        self.status = status
        self.startedAt = startedAt
        (inserted, updated, deleted, unchanged, keptLocal, conflicts, quarantined) = (0, 0, 0, 0, 0, 0, 0)
    }
}

/// What people should know of a run that did not fail for it.
package struct RunWarning: Sendable, Equatable {
    /// The kind of problem, in snake_case.
    package var code: String
    /// What is wrong and what to do, as sentences.
    package var message: String
    /// The entity whose records it is about, nil where it is about none.
    package var entity: String?
    /// The first of these records, each key as a JSON object.
    package var keys: [String] = []
    /// How many more there are.
    package var unlisted = 0

    /// Makes a warning.
    package init(code: String, message: String) { (self.code, self.message) = (code, message) }
}

/// How many records of an entity had which outcome in a run.
package struct RunCounts: Sendable, Equatable {
    /// Records that were inserted.
    package var inserted = 0
    /// Records that were updated.
    package var updated = 0
    /// Records that were deleted.
    package var deleted = 0
    /// Records about which the source says what it said before, or what the store already holds.
    package var unchanged = 0
    /// Records whose change was not taken because the local value stands.
    package var keptLocal = 0
    /// Records with an open conflict.
    package var conflicts = 0
    /// Of these, the records that were written in part.
    package var conflictsWritten = 0
    /// Records that could not be taken.
    package var quarantined = 0
    /// Rows whose deletes were refused.
    package var deletesRefused = 0
    /// Records that were left, since they were not as the saved plan that the run carried out found them.
    package var stale = 0
    /// Rows that are gone from the source and stay, since that is only to be reported.
    package var deletesReported = 0
    /// Records whose key came again.
    package var duplicates = 0

    /// Makes zero counts.
    package init() {}
}

extension RunEntry {
    /// What became of the streams' own records.
    package var counts: RunCounts {
        get {
            var counts = RunCounts()
            (counts.inserted, counts.updated, counts.deleted, counts.unchanged) = (
                inserted, updated, deleted, unchanged
            )
            (counts.keptLocal, counts.conflicts, counts.conflictsWritten) = (keptLocal, conflicts, conflictsWritten)
            (counts.quarantined, counts.deletesRefused, counts.stale) = (quarantined, deletesRefused, stale)
            (counts.deletesReported, counts.duplicates) = (deletesReported, duplicates)
            return counts
        }
        set {
            (inserted, updated, deleted, unchanged) = (
                newValue.inserted, newValue.updated, newValue.deleted, newValue.unchanged
            )
            (keptLocal, conflicts, conflictsWritten) = (
                newValue.keptLocal, newValue.conflicts, newValue.conflictsWritten
            )
            (quarantined, deletesRefused, stale) = (newValue.quarantined, newValue.deletesRefused, newValue.stale)
            (deletesReported, duplicates) = (newValue.deletesReported, newValue.duplicates)
        }
    }
}

/// Whether it is known what a run changed.
package enum RunChanges: String, Sendable, CaseIterable {
    /// All of it.
    case kept
    /// A part of it: the run is too old.
    case pruning
    /// Nothing any more: the run is too old.
    case pruned
}

/// What was run, and how it ended.
package protocol RunLedger: AnyObject {
    /// The id that the next run will have.
    func nextID() throws -> Int64
    /// What is noted of runs of a pipeline that began, see ``RunBeginnings``; nil where nothing is.
    func beginnings(of pipeline: String) throws -> String?
    /// Writes what is noted of them, where runs are known.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline's name.
    ///   - known: What it takes the place of; where something else is noted by now, that stays. Nil for whatever is noted.
    ///   - text: What is noted from now on; nil for nothing.
    /// - Throws: ``StoreError``.
    func setBeginnings(of pipeline: String, from known: String?, to text: String?) throws
    /// Writes a run that has ended, in the place of what was written of it.
    func record(_ run: RunEntry) throws
    /// The newest runs of a pipeline or of all, newest first.
    func list(pipeline: String?, limit: Int, among filter: RunFilter) throws -> [RunEntry]
    /// The newest runs of a pipeline that asked its source, newest first.
    func latest(of pipeline: String, limit: Int, among filter: RunFilter) throws -> [RunEntry]
    /// One run.
    func entry(id: Int64) throws -> RunEntry?
    /// Records which run took another one back; nil where that holds no longer.
    func recordUndone(_ run: Int64, by other: Int64?) throws
    /// The names of all pipelines that ever ran here.
    func pipelines() throws -> [String]
}

extension RunLedger {
    /// The newest runs of a pipeline or of all, newest first.
    package func list(pipeline: String?, limit: Int) throws -> [RunEntry] {
        try list(pipeline: pipeline, limit: limit, among: .all)
    }

    /// The newest runs of a pipeline that asked its source, newest first.
    package func latest(of pipeline: String, limit: Int) throws -> [RunEntry] {
        try latest(of: pipeline, limit: limit, among: .all)
    }
}
