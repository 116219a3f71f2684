internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceSchedule
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// `sluice status`: the last run of each pipeline, from the store, and when it is due next, from its file.
struct StatusCommand {
    let invocation: Invocation
    /// Now, in seconds since the epoch.
    private let now = WallClock.seconds()

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let choices = try StoreChoice.all(invocation)
        var codes: [ExitCode] = choices.contains(where: \.lacksFiles) ? [.invalidPipeline] : []
        var blocks: [StatusBlock] = []
        for choice in choices {
            do {
                let rows = try rows(of: choice, isOnly: choices.count == 1)
                blocks.append(StatusBlock(name: choice.name, url: choice.url, rows: rows))
            } catch  where choices.count > 1 && !invocation.context.cancellation.isCancelled {
                // One store that cannot be read hides none of the others.
                let failure = Failure(error)
                invocation.log.report(.storeUnreadable, failure.message)
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

    /// How old the last success of a pipeline may be.
    private var mostAge: Double? { invocation.arguments.text(.maxAge).flatMap { OptionSpec.seconds($0) } }

    /// Whether pipelines are as the command line wants them. A first run that fails leaves nothing that could tell of it:
    /// who has not run is not well.
    private func isHealthy(_ rows: [StatusRow]) -> Bool {
        let arguments = invocation.arguments
        if rows.isEmpty { return !arguments.has(.check) && mostAge == nil }
        return rows.allSatisfy { row in
            !row.isTooOld && (!arguments.has(.check) || row.isDone)
        }
    }

    /// What is known of the pipelines of a store.
    private func rows(of choice: StoreChoice, isOnly: Bool) throws -> [StatusRow] {
        // Of several stores one may not be there yet, and the others have something to tell.
        let isMissing = !isOnly && !invocation.backend(choice.address).exists
        if isMissing {
            return with(choice.schedules, ScheduleRows(), (choice.pipelines ?? []).map { StatusRow(pipeline: $0) })
        }
        var line = WorkProgressLine(invocation)
        defer { line.erase() }
        var rows = try StoreReading(invocation, choice).read { store in
            var rows = try StatusReader(store: store, now: now).rows(of: choice.pipelines, countsEdits: true) {
                line.show("counting edits in \($0)", $1, "row")
            }
            rows += choice.expected.filter { name in !rows.contains { $0.pipeline == name } }
                .map { StatusRow(pipeline: $0) }
            return with(choice.schedules, try store.schedule.read(), rows)
        }
        // Only now: the store is closed.
        for index in rows.indices where rows[index].mayBeAtWork {
            if invocation.backend(choice.address).isTaken(.pipeline(rows[index].pipeline)) { rows[index].markAtWork() }
        }
        return rows
    }

    /// Adds what the command line and files say.
    ///
    /// - Parameters:
    ///   - schedules: When pipelines are due.
    ///   - decided: What a service decided on due times.
    ///   - known: The rows.
    /// - Returns: The rows with it.
    private func with(_ schedules: [ScheduledPipeline], _ decided: ScheduleRows, _ known: [StatusRow]) -> [StatusRow] {
        var rows = known
        for index in rows.indices {
            rows[index].mostAge = mostAge
            let passed = decided.dueTimes.filter { $0.id.pipeline == rows[index].pipeline }
            // A service knows more of its runs than that they began.
            if let unkept = UnkeptRun(in: passed, after: rows[index].run) { rows[index].unkept = unkept }
            let known = (rows[index].run?.startedAt).flatMap(MomentText.moment)
            rows[index].tookTooLong =
                rows[index].run?.status == RunReport.Status.interrupted.rawValue
                && known.flatMap { DueTime.ended(around: $0, of: passed) }?.tookTooLong == true
            guard let due = schedules.first(where: { $0.name == rows[index].pipeline }) else { continue }
            // One that is going was started for its time.
            let started = passed.flatMap(\.attempts).map(\.start).max()
            let start = [started, known].compactMap { $0 }.max()
            // Up to there a service decided, and had no due time since the last start: its schedule was another one.
            let mark = decided.marks[due.name]?.decided
            let isPassedOver = start.map { start in !passed.contains { $0.id.moment > start } } ?? false
            let since = [start, isPassedOver ? mark : nil].compactMap { $0 }.max()
            rows[index].due = DueState(due.schedule, lastStart: since, now: now)
            guard let since = rows[index].due?.since, let last = DueTime.lastLeftOut(of: passed),
                last.id.moment >= since
            else { continue }
            rows[index].leftOut = (last.id.moment, last.reason.words)
        }
        return rows
    }
}
