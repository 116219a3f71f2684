internal import SluiceReport
internal import SluiceReview
internal import SluiceSQLiteStore
internal import SluiceStore

/// `sluice status`: the last run of each pipeline, from the store alone.
struct StatusCommand {
    /// What is known of one pipeline.
    struct Row {
        let pipeline: String
        let run: RunEntry?
        /// The run before that left something unread or undone which no later one has made up for; nil where none did.
        let unfinished: RunEntry?
        let openConflicts: Int
        /// How many records have one or more of them.
        let recordsInConflict: Int
        let quarantined: Int
        /// What people changed of its records.
        let edits: EditCounts
    }

    let invocation: Invocation

    func run() throws -> ExitCode {
        let reading = try StoreReading(invocation)
        let rows: [Row] = try reading.read { store in try self.rows(of: store, reading.choice.pipelines) }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(StatusJSON.text(rows, store: reading.choice.url))
        } else {
            try output.write(StatusText(style: invocation.style(for: output)).text(rows, store: reading.choice.name))
        }
        try output.finish()
        // A first run that fails leaves nothing that could tell of it: who has not run is not well.
        let isHealthy = !rows.isEmpty && rows.allSatisfy { $0.run?.status == RunReport.Status.succeeded.rawValue }
        return invocation.arguments.has(.check) && !isHealthy ? .failed : .done
    }

    /// How many runs are looked at for one that left something undone.
    private static let runsLookedAt = 100

    /// What is known of the pipelines of a store, or of those that are named.
    private func rows(of store: SQLiteRecordStore, _ named: [String]?) throws -> [Row] {
        let conflicts = Dictionary(grouping: try store.conflicts.list(includingClosed: false), by: \.pipeline)
        let quarantined = try store.quarantine.list(includingClosed: false).reduce(into: [:]) {
            $0[$1.pipeline, default: 0] += 1
        }
        return try (named ?? store.runs.pipelines()).map { pipeline in
            let runs = try store.runs.latest(of: pipeline, limit: Self.runsLookedAt)
            return Row(
                pipeline: pipeline, run: runs.first, unfinished: UnfinishedRun.find(in: runs),
                openConflicts: conflicts[pipeline]?.count ?? 0,
                recordsInConflict: Set((conflicts[pipeline] ?? []).map { [$0.entity, $0.key] }).count,
                quarantined: quarantined[pipeline] ?? 0,
                edits: try EditReader(store: store).counts(pipelines: [pipeline], entity: nil))
        }
    }
}
