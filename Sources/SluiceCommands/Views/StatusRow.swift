internal import SluiceModel
internal import SluiceReconcile
package import SluiceReport
internal import SluiceReview
package import SluiceStore

/// What is known of one pipeline, from the store and its file.
package struct StatusRow: Sendable {
    /// Its name.
    package let pipeline: String
    /// The last run that asked its source.
    package var run: RunEntry?
    /// The last run that took another one back, where none asked the source since.
    package var undo: RunEntry?
    /// The last run of the whole pipeline that succeeded and was not undone.
    package var success: RunEntry?
    /// How many seconds ago that was.
    package var age: Int?
    /// How old it may be; nil where nobody said so.
    package var mostAge: Double?
    /// The run before that left something unread or undone which no later one has made up for; nil where none did.
    package var unfinished: RunEntry?
    /// What its runs were like before the last one.
    package var usual = UsualRuns()
    /// When it is due; nil where no file says so.
    package var due: DueState?
    /// Its last due time, where it has passed and is not run, and why; nil where that is not known.
    package var leftOut: (due: Int64, reason: String)?
    /// The last run, where it is later than all that the store keeps of runs.
    package var unkept: UnkeptRun?
    /// Whether the last run is at work still: what the store keeps of it is what it would be if it were broken off now.
    package private(set) var isAtWork = false
    /// The run before the last one.
    package var previous: RunEntry?
    /// Whether a service stopped the last run that the store keeps, since it took too long.
    package var tookTooLong = false
    /// How many conflicts are open.
    package var openConflicts = 0
    /// How many records have one or more of them.
    package var recordsInConflict = 0
    /// How many records and values are in quarantine.
    package var quarantined = 0
    /// How many of these are values that a change of type left.
    package var typeChanged = 0
    /// What people changed of its records.
    package var edits = EditCounts()

    /// Whether the last success is older than it may be, or there was none.
    package var isTooOld: Bool { mostAge.map { most in age.map { Double($0) > most } ?? true } ?? false }

    /// Whether the last run did everything, and no earlier one left something undone. One that could take no record did nothing.
    ///
    /// While one is at work, the one before it counts; the first one counts as done.
    package var isDone: Bool {
        let ended = isAtWork ? previous : run
        if isAtWork && ended == nil { return true }
        return ended?.status == RunReport.Status.succeeded.rawValue && ended?.tookNothing == false && unfinished == nil
            && unkept == nil
    }

    /// Whether the store keeps the last run as one that was broken off or is at work.
    package var mayBeAtWork: Bool { isOpen || run?.status == RunReport.Status.interrupted.rawValue }

    /// Whether the store keeps of the last run only that it began.
    private var isOpen: Bool { unkept.map { $0.end == nil } ?? false }

    /// Makes the last run one that is at work. One of which nothing is kept yet is not told: the one before it counts.
    package mutating func markAtWork() {
        if isOpen {
            unkept = nil
            return
        }
        isAtWork = true
        run?.error = nil
    }
}

/// Reads the state of pipelines from a store.
package struct StatusReader {
    /// How many runs are looked at for one that left something undone.
    private static let runsLookedAt = 100
    private let store: any RecordStore
    /// Now, in seconds since the epoch.
    private let now: Int64

    /// Makes a reader of a store that is open.
    package init(store: any RecordStore, now: Int64) { (self.store, self.now) = (store, now) }

    /// What a store knows of its pipelines, or of those that are named.
    ///
    /// - Parameters:
    ///   - named: The pipelines, nil for all.
    ///   - countsEdits: Whether to look for what people changed, in all rows.
    ///   - progress: Is told now and then how far that has come.
    /// - Returns: A row for each.
    /// - Throws: `StoreError`.
    package func rows(
        of named: [String]?, countsEdits: Bool, progress: @escaping (_ table: String, _ rows: Int) -> Void = { _, _ in }
    ) throws -> [StatusRow] {
        let conflicts = Dictionary(grouping: try store.conflicts.list(includingClosed: false), by: \.pipeline)
        let quarantined = Dictionary(grouping: try store.quarantine.list(includingClosed: false), by: \.pipeline)
        if countsEdits { try store.spellKeys() }
        return try (named ?? pipelinesWithSources()).map { pipeline in
            var row = StatusRow(pipeline: pipeline)
            try addRuns(to: &row)
            row.openConflicts = conflicts[pipeline]?.count ?? 0
            row.recordsInConflict =
                Set((conflicts[pipeline] ?? []).map { [ExactText($0.entity), ExactText($0.key)] }).count
            row.quarantined = quarantined[pipeline]?.count ?? 0
            row.typeChanged = quarantined[pipeline]?.count { $0.changedField != nil } ?? 0
            if countsEdits {
                row.edits = try EditReader(store: store, progress: progress).counts(pipelines: [pipeline], entity: nil)
            }
            return row
        }
    }

    /// The pipelines that ever ran, without what keeps programs' own writes.
    private func pipelinesWithSources() throws -> [String] {
        try store.runs.pipelines().filter { pipeline in
            try pipeline != RunEntry.editPipeline || !store.runs.latest(of: pipeline, limit: 1).isEmpty
        }
    }

    private func addRuns(to row: inout StatusRow) throws {
        let runs = try store.runs.latest(of: row.pipeline, limit: Self.runsLookedAt)
        let streams = Set(try store.mappings(pipeline: row.pipeline, entity: nil).map(\.stream))
        let refused = try streams.compactMap {
            try store.state.value(.refusedRun, pipeline: row.pipeline, stream: $0)
        }
        (row.run, row.previous) = (runs.first, runs.dropFirst().first)
        row.unkept = UnkeptRun(begun: try store.runs.beginning(of: row.pipeline))
        row.undo = try store.runs.list(pipeline: row.pipeline, limit: Self.runsLookedAt).first {
            $0.undoes != nil && $0.undoneBy == nil
        }.flatMap { $0.id > runs.first?.id ?? 0 ? $0 : nil }
        row.unfinished = UnfinishedRun.find(in: runs, refused: Set(refused.map { Int64($0) }))
        func latest(_ filter: RunFilter, _ count: Int) throws -> [RunEntry] {
            try store.runs.latest(of: row.pipeline, limit: count, among: filter)
        }
        let successes = try latest(RunFilter(isSuccess: true), UsualRuns.mostRuns + 1)
        row.success = successes.first
        row.age = successes.first?.end.map { Int(clamping: max(0, now - $0)) }
        row.usual = UsualRuns(
            last: runs.first, successes: successes, reading: try latest(RunFilter(isReading: true), 1).first,
            readings: try latest(RunFilter(isSuccess: true, isReading: true), UsualRuns.mostRuns + 1))
    }
}
