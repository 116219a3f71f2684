internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceSQLiteStore
internal import SluiceSchedule
internal import SluiceStore
internal import SluiceSystem

/// `sluice status`: the last run of each pipeline, from the store, and when it is due next, from its file.
struct StatusCommand {
    /// What is known of one pipeline.
    struct Row {
        let pipeline: String
        var run: RunEntry?
        /// The last run of the whole pipeline that succeeded and was not undone.
        var success: RunEntry?
        /// How many seconds ago that was.
        var age: Int?
        /// The run before that left something unread or undone which no later one has made up for; nil where none did.
        var unfinished: RunEntry?
        /// What its runs were like before the last one.
        var usual = UsualRuns()
        /// When it is due; nil where no file says so.
        var due: DueState?
        var openConflicts = 0
        /// How many records have one or more of them.
        var recordsInConflict = 0
        var quarantined = 0
        /// What people changed of its records.
        var edits = EditCounts()

        /// Whether the last run did everything, and no earlier one left something undone.
        var isDone: Bool { run?.status == RunReport.Status.succeeded.rawValue && unfinished == nil }
    }

    let invocation: Invocation
    /// Now, in seconds since the epoch.
    private let now = WallClock.seconds()

    init(invocation: Invocation) { self.invocation = invocation }

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
        var codes: [ExitCode] = choices.contains(where: \.lacksFiles) ? [.invalidPipeline] : []
        var blocks: [Block] = []
        for choice in choices {
            do {
                let rows = try rows(of: choice, isOnly: choices.count == 1)
                blocks.append(Block(name: choice.name, url: choice.url, rows: rows))
            } catch  where choices.count > 1 {
                // One store that cannot be read hides none of the others.
                let failure = Failure(error)
                invocation.log.tell(.storeUnreadable, failure.message)
                codes.append(failure.code)
            }
        }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(StatusJSON.text(blocks, isOne: choices.count == 1))
        } else {
            try output.write(StatusText(style: invocation.style(for: output)).text(blocks))
        }
        try output.finish()
        if !isHealthy(blocks.flatMap(\.rows)) { codes.append(.failed) }
        return ExitCode.first(of: codes)
    }

    /// Whether pipelines are as the command line wants them. A first run that fails leaves nothing that could tell of it:
    /// who has not run is not well.
    private func isHealthy(_ rows: [Row]) -> Bool {
        let arguments = invocation.arguments
        let mostAge = arguments.text(.maxAge).flatMap { OptionSpec.seconds($0) }
        if rows.isEmpty { return !arguments.has(.check) && mostAge == nil }
        return rows.allSatisfy { row in
            let isFresh = mostAge.map { most in row.age.map { Double($0) <= most } ?? false } ?? true
            return isFresh && (!arguments.has(.check) || row.isDone)
        }
    }

    /// How many runs are looked at for one that left something undone.
    private static let runsLookedAt = 100

    /// What is known of the pipelines of a store.
    private func rows(of choice: StoreChoice, isOnly: Bool) throws -> [Row] {
        // Of several stores one may not be there yet, and the others have something to tell.
        let isMissing = !isOnly && FileSystem.kind(of: choice.address.path) == nil
        var rows =
            try isMissing
            ? (choice.pipelines ?? []).map { Row(pipeline: $0) }
            : StoreReading(invocation, choice).read { try self.rows(of: $0, choice.pipelines) }
        for index in rows.indices {
            guard let due = choice.schedules.first(where: { $0.name == rows[index].pipeline }) else { continue }
            let start = (rows[index].run?.startedAt).flatMap(MomentText.moment)
            rows[index].due = DueState(due.schedule, lastStart: start, now: now)
        }
        return rows
    }

    /// What a store knows of its pipelines, or of those that are named.
    private func rows(of store: SQLiteRecordStore, _ named: [String]?) throws -> [Row] {
        let conflicts = Dictionary(grouping: try store.conflicts.list(includingClosed: false), by: \.pipeline)
        let quarantined = try store.quarantine.list(includingClosed: false).reduce(into: [:]) {
            $0[$1.pipeline, default: 0] += 1
        }
        return try (named ?? store.runs.pipelines()).map { pipeline in
            var row = Row(pipeline: pipeline)
            try addRuns(to: &row, from: store)
            row.openConflicts = conflicts[pipeline]?.count ?? 0
            row.recordsInConflict =
                Set((conflicts[pipeline] ?? []).map { [ExactText($0.entity), ExactText($0.key)] }).count
            row.quarantined = quarantined[pipeline] ?? 0
            row.edits = try EditReader(store: store).counts(pipelines: [pipeline], entity: nil)
            return row
        }
    }

    private func addRuns(to row: inout Row, from store: SQLiteRecordStore) throws {
        let runs = try store.runs.latest(of: row.pipeline, limit: Self.runsLookedAt)
        let streams = Set(try store.mappings(pipeline: row.pipeline, entity: nil).map(\.stream))
        let refused = try streams.compactMap {
            try store.state.value(.refusedRun, pipeline: row.pipeline, stream: $0)
        }
        row.run = runs.first
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
