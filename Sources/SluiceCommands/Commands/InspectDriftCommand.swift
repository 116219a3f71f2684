internal import SluiceDiscovery
internal import SluiceMerge
internal import SluiceModel
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReport
internal import SluiceStore
internal import SluiceSync
internal import SluiceSystem

/// `sluice inspect drift`: where pipelines, their sources, their stores and Swift models are no longer as one.
struct InspectDriftCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let sync = SyncCommand(invocation: invocation)
        // Where no source is asked, its credentials need not be there.
        let isOffline = arguments.has(.offline)
        let setup = arguments.has(.swift) || arguments.has(.config) ? ModelSetup(invocation) : nil
        let pipelines = try PipelineSet(
            invocation, mode: isOffline || arguments.has(.replay) ? .replay : .run,
            paths: setup?.pipelines(arguments))
        sync.report((setup?.problems ?? []) + pipelines.problems)
        if pipelines.hasErrors || setup?.hasErrors == true { return .invalidPipeline }
        let jobs = try SyncJob.jobs(for: pipelines.definitions, invocation: invocation)
        let models = try setup.map { try ModelDrift(SwiftSources.read(invocation, $0), $0, jobs, invocation) }
        let output = try invocation.openOutput()
        var drifts: [PipelineDrift] = []
        var codes: [ExitCode] = []
        for job in jobs {
            do {
                drifts.append(try drift(of: job, isOffline: isOffline, sync))
            } catch  where invocation.context.cancellation.isCancelled {
                return .stopped(by: invocation.context.signal())
            } catch {
                // One store that cannot be read hides none of the others.
                let failure = Failure(error)
                invocation.log.about(job.pipeline.name).report(.commandFailed, failure.message)
                codes.append(failure.code)
            }
        }
        for drift in drifts {
            invocation.log.about(drift.pipeline).report(drift.problems)
            if drift.hasFailed { codes.append(.failed) }
            if drift.isDrifting && arguments.has(.detailedExitCode) { codes.append(.changes) }
        }
        if models?.isDrifting == true && arguments.has(.detailedExitCode) { codes.append(.changes) }
        if arguments.isJSON {
            try output.write(DriftJSON.text(drifts, swift: models?.json))
        } else if invocation.writesResult(to: output) {
            let style = invocation.style(for: output)
            try output.write(DriftText(style: style).text(drifts))
            if let models { try output.write((drifts.isEmpty ? "" : "\n") + models.text(style: style)) }
        }
        try output.finish()
        return ExitCode.first(of: codes)
    }

    private func drift(of job: SyncJob, isOffline: Bool, _ sync: SyncCommand) throws -> PipelineDrift {
        let line = sync.progressLine(for: job.pipeline.name)
        defer { line.erase() }
        return try DriftSurvey(
            of: job.pipeline, options: sync.options(job), asksSource: !isOffline, observer: PageObserver(line)
        ).perform()
    }
}

/// Shows how far the reading has come.
private final class PageObserver: RunObserver {
    private let line: ProgressLine
    let wantsChanges = false

    init(_ line: ProgressLine) { self.line = line }

    func changed(_ change: RecordChange, schema: RecordSchema) {}
    func skippedChange(of schema: RecordSchema) {}
    func conflict(_ entry: ConflictEntry) {}
    func quarantined(_ entry: QuarantineEntry) {}
    func restart() {}
    func progress(_ progress: RunProgress) { line.show(progress) }
}
