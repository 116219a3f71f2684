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
        let pipeline = found.run.pipeline
        var options = SyncOptions(
            store: found.choice.address, command: arguments.has(.planOnly) ? .plan : .run,
            version: Sluice.version,
            cancellation: invocation.context.cancellation)
        options.store.wait(as: arguments)
        options.store.who = invocation.user
        let output = try invocation.openOutput()
        if options.command == .run { output.outlive() }
        let progressLine = SyncCommand(invocation: invocation).progressLine(for: pipeline)
        let document = try invocation.document(for: output)
        let isWritten = invocation.writesResult(to: output)
        let recorder = document.recorder(
            for: ReportSubject(
                pipeline: pipeline, families: found.families,
                commands: CommandLines(storeOption: found.choice.option, pipeline: nil),
                isUndo: true, progressLine: progressLine))
        let start = WallClock.monotonicSeconds()
        var report = UndoEngine(run: id, of: pipeline, options: options.store, observer: recorder).perform()
        for index in report.problems.indices {
            report.problems[index].message = found.choice.hiding(report.problems[index].message)
        }
        if let note = RepetitionNote.problem(report, of: found.run) { report.problems.append(note) }
        progressLine.erase()
        let seconds = WallClock.monotonicSeconds() - start
        if isWritten {
            try document.begin(nil, count: 1, to: output)
            try document.separate(isFirst: true, to: output)
            try recorder.write(report, seconds: seconds, to: output)
            try document.end(to: output)
        }
        let code = try invocation.finish(
            output, code(report), orTell: "See `sluice history\(found.choice.option)`.")
        // Where a person sees the text report, which has the problems, they are not told twice.
        let isSeen =
            arguments.isText && !arguments.isQuiet && arguments.logFormat == .text && output.isStandardOutput
        if !(isSeen && invocation.context.errorsShareOutput) {
            invocation.log.about(pipeline).report(report.problemsBesideStop)
        }
        invocation.log.about(pipeline).finished(report, seconds: seconds)
        return code
    }

    /// The run and the store, which is closed again: the lock comes before the database.
    private func target(_ id: Int64) throws -> (run: RunEntry, families: EntityFamilies, choice: StoreChoice) {
        let reading = try StoreReading(invocation)
        let (run, families) = try reading.read { store in
            let run = try HistoryCommand.run(id, arguments, store, reading)
            return (run, try EntityFamilies(of: run.pipeline, in: store))
        }
        return (run, families, reading.choice)
    }

    private func code(_ report: RunReport) -> ExitCode {
        if report.left + report.leftEntries > 0 { return .failed }
        return ExitCode(report, strictness: ExitCode.Strictness(), signal: invocation.context.signal())
    }
}
