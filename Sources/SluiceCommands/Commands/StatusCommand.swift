internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// `sluice status`: the last run of each pipeline, from the store alone.
struct StatusCommand {
    /// What is known of one pipeline.
    struct Row {
        let pipeline: String
        var run: RunEntry?
        /// The run before that left something unread or undone which no later one has made up for; nil where none did.
        var unfinished: RunEntry?
        var openConflicts = 0
        /// How many records have one or more of them.
        var recordsInConflict = 0
        var quarantined = 0
        /// What people changed of its records.
        var edits = EditCounts()
    }

    let invocation: Invocation

    /// What is known of the pipelines of one store.
    struct Block {
        /// How the store is called, after "the".
        let name: String
        /// What tells programs where it is.
        let url: String
        let rows: [Row]
    }

    func run() throws -> ExitCode {
        let choices = try StoreChoice.all(invocation)
        let blocks = try choices.map { choice in
            // Of several stores one may not be there yet, and the others have something to tell.
            let isMissing = choices.count > 1 && FileSystem.kind(of: choice.address.path) == nil
            let rows =
                try isMissing
                ? (choice.pipelines ?? []).map { Row(pipeline: $0) }
                : StoreReading(invocation, choice).read { try self.rows(of: $0, choice.pipelines) }
            return Block(name: choice.name, url: choice.url, rows: rows)
        }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(StatusJSON.text(blocks))
        } else {
            try output.write(StatusText(style: invocation.style(for: output)).text(blocks))
        }
        try output.finish()
        // A first run that fails leaves nothing that could tell of it: who has not run is not well.
        let rows = blocks.flatMap(\.rows)
        let isHealthy =
            !rows.isEmpty
            && rows.allSatisfy { $0.run?.status == RunReport.Status.succeeded.rawValue && $0.unfinished == nil }
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
            let streams = Set(try store.mappings(pipeline: pipeline, entity: nil).map(\.stream))
            let refused = try streams.compactMap {
                try store.state.value(.refusedRun, pipeline: pipeline, stream: $0)
            }
            return Row(
                pipeline: pipeline, run: runs.first,
                unfinished: UnfinishedRun.find(in: runs, refused: Set(refused.map { Int64($0) })),
                openConflicts: conflicts[pipeline]?.count ?? 0,
                recordsInConflict: Set((conflicts[pipeline] ?? []).map { [ExactText($0.entity), ExactText($0.key)] })
                    .count,
                quarantined: quarantined[pipeline] ?? 0,
                edits: try EditReader(store: store).counts(pipelines: [pipeline], entity: nil))
        }
    }
}
