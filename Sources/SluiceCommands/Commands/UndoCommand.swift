internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceStore
internal import SluiceSync
internal import SluiceSystem

/// `sluice undo`: takes back what a run did.
struct UndoCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let id = try EntryNumbers.read(arguments.operands, noun: "run").first ?? 0
        let found = try target(id)
        var options = SyncOptions(
            storePath: found.choice.address.path, command: arguments.has(.planOnly) ? .plan : .run,
            version: Sluice.version,
            cancellation: invocation.context.cancellation)
        options.store.waitSeconds = arguments.waitSeconds
        let output = try invocation.openOutput()
        if options.command == .run { output.outlive() }
        let progressLine = ProgressLine(sink: nil, pipeline: found.pipeline)
        let recorder: any ReportRecorder =
            arguments.isJSON
            ? JSONRecorder(changeLimit: arguments.changeLimit, progressLine: progressLine)
            : UndoRecorder(
                style: invocation.style(for: output), limit: arguments.changeLimit, storeOption: found.choice.option)
        let start = WallClock.monotonicSeconds()
        var report = UndoEngine(run: id, of: found.pipeline, options: options.store, observer: recorder).perform()
        for index in report.problems.indices {
            report.problems[index].message = found.choice.hiding(report.problems[index].message)
        }
        let seconds = WallClock.monotonicSeconds() - start
        if arguments.isJSON { try output.write("{\"format\":\"sluice.report/1\",\"pipelines\":[\n") }
        if invocation.writesResult(to: output) { try recorder.write(report, seconds: seconds, to: output) }
        if arguments.isJSON { try output.write("\n]}\n") }
        let code = try invocation.finish(
            output, code(report), orTell: "See `sluice history\(found.choice.option)`.")
        // Where a person sees the text report, which has the problems, they are not told twice.
        let isSeen = !arguments.isJSON && !arguments.isQuiet && output.isStandardOutput
        if !(isSeen && invocation.context.errorsShareOutput) {
            invocation.log.about(found.pipeline).tell(report.problems)
        }
        return code
    }

    /// The pipeline of the run and the store, which is closed again: the lock comes before the database.
    private func target(_ id: Int64) throws -> (pipeline: String, choice: StoreChoice) {
        let reading = try StoreReading(invocation)
        let run = try reading.read { try HistoryCommand.run(id, arguments, $0, reading) }
        return (run.pipeline, reading.choice)
    }

    private func code(_ report: RunReport) -> ExitCode {
        if report.left > 0 { return .failed }
        return ExitCode(report, strictness: ExitCode.Strictness(), signal: invocation.context.signal())
    }
}
