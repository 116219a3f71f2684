internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluiceFetch
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceSchedule
internal import SluiceStore
internal import SluiceStores
internal import SluiceSync
internal import SluiceSystem

/// `sluice plan` and `sluice run`: the two take the same way.
struct SyncCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }
    var context: CommandContext { invocation.context }
    private var command: RunReport.Command {
        arguments.command.id == .plan || arguments.has(.planOnly) ? .plan : .run
    }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let pipelines = try PipelineSet(invocation, mode: arguments.has(.replay) ? .replay : .run)
        report(pipelines.problems)
        if pipelines.hasErrors { return .invalidPipeline }
        let jobs = try SyncJob.jobs(for: pipelines.definitions, invocation: invocation)
        if let ticket = context.shareTicket, command == .run, jobs.count == 1, let job = jobs.first {
            return help(job, ticket)
        }
        if let folder = arguments.text(.against) {
            try checkComparison()
            let comparison = try RecordingComparison(of: arguments.text(.replay), against: folder)
            return try run(comparison.jobs(jobs), plan: comparison)
        }
        guard let path = arguments.text(.save) else { return try run(jobs) }
        if path == "-" {
            throw Failure(
                .usage,
                "`--save` needs a file, and `-` is none: a plan is read more than once when it is applied. Name a file, such as `--save shop.plan`. No request was made."
            )
        }
        guard jobs.count == 1, let job = jobs.first else {
            throw Failure(
                .usage, "`--save` takes the plan of one pipeline, and these are \(jobs.count). No request was made.")
        }
        return try run(jobs, plan: PlanSaving(job, to: path, invocation))
    }

    /// Refuses what says nothing of two recordings.
    private func checkComparison() throws {
        if !arguments.has(.replay) {
            throw Failure(
                .usage,
                "`--against` compares two recordings. Name the newer one with `--replay DIR`; `sluice record … --full --to DIR` makes one."
            )
        }
        let others: [(OptionSpec.ID, String)] = [
            (.store, "--store"), (.save, "--save"), (.allowDeletes, "--allow-deletes"),
            (.allowSchema, "--allow-schema"),
        ]
        if let option = others.first(where: { arguments.has($0.0) })?.1 {
            throw Failure(.usage, "`--against` looks at no store, and `\(option)` is about one. Leave one of them out.")
        }
    }

    /// Does jobs one after the other and writes their reports.
    ///
    /// - Parameters:
    ///   - jobs: The pipelines and their stores.
    ///   - retry: The records in quarantine to try again, nil for a run over the sources.
    ///   - claim: The right to write to the store of the only job, where it was claimed already.
    ///   - plan: The saved plan that it makes or carries out.
    ///   - onReport: Is given each report.
    /// - Returns: The exit code that speaks for all.
    /// - Throws: `SystemError`, where a report cannot be written.
    func run(
        _ jobs: [SyncJob], retry: QuarantineSelection? = nil, claim: StoreClaim? = nil, plan: (any PlanUse)? = nil,
        onReport: (RunReport) -> Void = { _ in }
    ) throws -> ExitCode {
        let asked = try invocation.openOutput()
        let page = try invocation.openPage()
        if command == .run { for output in [asked, page] { output?.outlive() } }
        var codes: [ExitCode] = []
        var stop = StopText()
        var left = jobs.map(\.pipeline.name)
        // A page is written also where no other report is.
        let isAsked = invocation.writesResult(to: asked)
        let output = isAsked ? asked : page ?? asked
        var document = try isAsked || page == nil ? invocation.document(for: asked) : invocation.page()
        if let page, isAsked { document = PairDocument(document, and: invocation.page(), to: page) }
        let isWritten = invocation.writesResult(to: output)
        if isWritten { try document.begin(nil, count: jobs.count, to: output) }
        for (index, job) in jobs.enumerated() {
            if context.cancellation.isCancelled {
                codes.append(.stopped(by: context.signal()))
                break
            }
            if isWritten { try document.separate(isFirst: index == 0, to: output) }
            let report = try perform(
                job, output, document, claim: claim, retry: retry, companions: jobs.map(\.pipeline), plan: plan)
            onReport(report)
            stop.add(report)
            left.removeFirst()
            let code = ExitCode(report, strictness: strictness, signal: context.signal())
            if code == .attention && arguments.isQuiet { reportWhatIsOpen(report, of: job) }
            codes.append(code)
        }
        if isWritten { try document.end(to: output) }
        let storeOption = jobs.first?.commands.storeOption ?? ""
        var code = try finish(asked, ExitCode.first(of: codes), storeOption: storeOption)
        if let page { code = try finish(page, code, storeOption: storeOption) }
        if code == .interrupted || code == .terminated {
            invocation.log.report(.stopped, lines: stop.line(left: left))
        }
        return code
    }

    /// Says what `--strict` exits 3 for where no report does; warnings tell the rest.
    private func reportWhatIsOpen(_ report: RunReport, of job: SyncJob) {
        let counts = [
            (report.total.conflict + report.openBesides.conflicts, "conflict"),
            (report.total.quarantined + report.openBesides.quarantined, "quarantine"),
        ]
        let values = report.openBesides.typeChanged
        if counts.allSatisfy({ $0.0 == 0 }) && values == 0 { return }
        var words = counts.filter { $0.0 > 0 }.map { "\(CountText.of($0.0, "record")) in \($0.1)" }
        if values > 0 { words.append(report.openBesides.typeChangedWords) }
        invocation.log.about(job.pipeline.name).report(
            .recordsOpen, words.joined(separator: ", ") + ".",
            [(.conflict, .number(counts[0].0)), (.quarantined, .number(counts[1].0 + values))])
    }

    /// Ends the report; a run stands without it.
    func finish(_ output: ResultOutput, _ code: ExitCode, storeOption: String) throws -> ExitCode {
        try invocation.finish(output, code, orTell: "See `sluice status\(storeOption)`.")
    }

    /// What the exit code is asked to tell.
    var strictness: ExitCode.Strictness {
        ExitCode.Strictness(
            reportsOpenConflicts: arguments.has(.strict), reportsChanges: arguments.has(.detailedExitCode))
    }

    /// Does one job and writes its report.
    ///
    /// - Parameters:
    ///   - job: The pipeline and its store.
    ///   - output: Where the report goes.
    ///   - document: The document that it is a part of.
    ///   - source: What was fetched for the job already, nil to fetch it.
    ///   - claim: The right to write to the store, where it was claimed already.
    ///   - retry: The records in quarantine to try again, nil for a run over the source.
    ///   - companions: All pipelines of the invocation.
    ///   - plan: The saved plan that it makes or carries out.
    ///   - witness: Makes an observer that passes on what it sees to another one.
    ///   - note: Adds to the report before it is written.
    /// - Returns: The report.
    /// - Throws: `SystemError`, where the report cannot be written.
    func perform(
        _ job: SyncJob, _ output: ResultOutput, _ document: any ReportDocument, source: ImportSource? = nil,
        claim: StoreClaim? = nil, retry: QuarantineSelection? = nil, companions: [PipelineDefinition] = [],
        plan: (any PlanUse)? = nil,
        witness: (any RunObserver) -> any RunObserver = { $0 }, note: (inout RunReport) -> Void = { _ in }
    ) throws -> RunReport {
        let log = invocation.log.about(job.pipeline.name)
        log.report(
            .runStarted, "\(command.rawValue) of `\(job.pipeline.file)` on \(job.storeName)",
            [(.command, .text(command.rawValue)), (.file, .text(job.pipeline.file))]
                + (job.hasSecretStore ? [] : [(.store, .text(job.store.url))]))
        let progressLine = progressLine(for: job.pipeline.name)
        let recorder = document.recorder(for: subject(job, progressLine, isRetry: retry != nil))
        var options = options(job)
        let backend = options.store.backend
        let isNew = command == .plan && source == nil && !backend.exists
        let isBlank = isNew && backend.isBlank
        let start = WallClock.monotonicSeconds()
        options.retry = retry
        options.store.who = invocation.user
        options.companions = Companions(of: job.pipeline.name, among: companions)
        plan?.adjust(&options)
        plan?.prepare(job.pipeline, options, recorder)
        let engine = SyncEngine(
            pipeline: job.pipeline, options: options, observer: plan?.observer(recorder) ?? witness(recorder),
            source: source,
            claim: claim)
        var report = plan?.substitute(for: job.pipeline) ?? engine.run()
        let seconds = WallClock.monotonicSeconds() - start
        plan?.conclude(&report, seconds: seconds)
        note(&report)
        if isNew, report.against == nil, ![.failed, .interrupted, .locked].contains(report.status) {
            report.problems.append(job.missingStore(environment: context.environment, isBlank: isBlank))
        }
        progressLine.erase()
        report.problems += RunNotices(engine, job, invocation).send(report)
        if invocation.writesResult(to: output) { try recorder.write(report, seconds: seconds, to: output) }
        self.report(report.streams, log)
        if !isReportSeenWithErrors(output) { log.report(report.problemsBesideStop, leavesStore: report.leavesStore) }
        log.finished(report, seconds: seconds)
        return report
    }

    /// What shows how far the work on a pipeline has come.
    func progressLine(for pipeline: String) -> ProgressLine {
        let log = invocation.log
        // A line that moves and lines that stay do not go together.
        let isTold = log.level >= .info
        let isWatched =
            invocation.canRedraw && log.format == .text && !isTold && !arguments.isQuiet
            && !arguments.has(.noProgress)
        return ProgressLine(
            sink: isWatched ? context.errors : nil, pipeline: pipeline, log: isTold ? log : nil,
            logInterval: context.isServed ? ProgressLine.watchedInterval : ProgressLine.logInterval,
            delay: context.progressDelay)
    }

    private func subject(_ job: SyncJob, _ progressLine: ProgressLine, isRetry: Bool) -> ReportSubject {
        ReportSubject(
            pipeline: job.pipeline.name, families: EntityFamilies(job.pipeline),
            // What the quarantine keeps is not what a run of the pipeline would read.
            commands: isRetry ? CommandLines(storeOption: job.commands.storeOption, pipeline: nil) : job.commands,
            listsNewTables: isRetry || arguments.text(.changes) != nil, progressLine: progressLine)
    }

    /// What the job's run is asked for.
    func options(_ job: SyncJob) -> SyncOptions {
        var options = SyncOptions(
            store: job.store, command: command, version: Sluice.version, cancellation: context.cancellation)
        options.allowedDeletes = arguments.allowedDeletes
        options.allowsDrops = arguments.texts(.allowSchema).contains("drop")
        options.quarantinesMisfits = arguments.texts(.allowSchema).contains("quarantine")
        options.isFull = arguments.has(.full)
        options.checksReferences = arguments.has(.checkReferences)
        options.from = arguments.text(.from)
        options.to = arguments.text(.to)
        if let folder = arguments.text(.replay) {
            options.replay = Recording(folder: folder, pipeline: job.pipeline.name)
        }
        options.streams = arguments.texts(.stream)
        options.entity = arguments.text(.entity)
        options.store.wait(as: arguments)
        if let token = context.claimToken {
            options.store.hold(PoolTicket(pipeline: job.pipeline.name, token: token))
        }
        return options
    }

    // MARK: Problems on standard error

    /// Whether a person sees the text report, which has the problems, where standard error is seen.
    private func isReportSeenWithErrors(_ output: ResultOutput) -> Bool {
        arguments.isText && !arguments.isQuiet && arguments.logFormat == .text && output.isStandardOutput
            && context.errorsShareOutput
    }

    func report(_ problems: [Diagnostic]) {
        let renderer = TextDiagnosticRenderer()
        for problem in problems where problem.severity == .error || arguments.logLevel >= .warning {
            invocation.log.report(problem, by: renderer)
        }
    }
}
