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
            storePath: found.address.path, command: arguments.has(.planOnly) ? .plan : .run, version: Sluice.version,
            cancellation: invocation.context.cancellation)
        options.waitSeconds = arguments.waitSeconds
        let output = try invocation.openOutput()
        let progressLine = ProgressLine(sink: nil, pipeline: found.pipeline)
        let recorder: any ReportRecorder =
            arguments.isJSON
            ? JSONRecorder(changeLimit: arguments.changeLimit, progressLine: progressLine)
            : UndoRecorder(
                style: invocation.style(for: output), limit: arguments.changeLimit, storeOption: found.storeOption)
        let start = WallClock.monotonicSeconds()
        let report = UndoEngine(run: id, of: found.pipeline, options: options, observer: recorder).perform()
        let seconds = WallClock.monotonicSeconds() - start
        if arguments.isJSON { try output.write("{\"format\":\"sluice.report/1\",\"pipelines\":[\n") }
        if arguments.isJSON || !arguments.isQuiet { try recorder.write(report, seconds: seconds, to: output) }
        if arguments.isJSON { try output.write("\n]}\n") }
        try output.finish()
        // Where a person sees the text report, which has the problems, they are not told twice.
        let isSeen = !arguments.isJSON && !arguments.isQuiet && output.isStandardOutput
        if !(isSeen && invocation.context.errorsShareOutput) {
            invocation.log.about(found.pipeline).tell(report.problems)
        }
        return code(report)
    }

    /// The pipeline of the run and the store, which is closed again: the lock comes before the database.
    private func target(_ id: Int64) throws -> (pipeline: String, address: StoreAddress, storeOption: String) {
        let reading = try StoreReading(invocation)
        let run = try reading.read { try HistoryCommand.run(id, $0, reading) }
        return (run.pipeline, reading.address, reading.storeOption)
    }

    private func code(_ report: RunReport) -> ExitCode {
        if report.left > 0 { return .failed }
        return ExitCode(report, strictness: ExitCode.Strictness(), signal: invocation.context.signal())
    }
}
