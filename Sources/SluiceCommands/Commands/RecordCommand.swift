internal import SluiceMerge
internal import SluiceModel
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReport
internal import SluiceStore
internal import SluiceSync
internal import SluiceSystem

/// `sluice record`: keeps what the sources answer, for `--replay`.
struct RecordCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    func run() throws -> ExitCode {
        guard let folder = arguments.text(.recordTo) else {
            throw Failure(.usage, "`sluice record` needs the folder to write to, as in `--to recordings`.")
        }
        let sync = SyncCommand(invocation: invocation)
        let pipelines = try PipelineSet(invocation, mode: .run)
        sync.report(pipelines.problems)
        if pipelines.hasErrors { return .invalidPipeline }
        let jobs = try SyncJob.jobs(for: pipelines.definitions, invocation: invocation)
        let output = try invocation.openOutput()
        output.outlive()
        let text = RecordText(style: invocation.style(for: output))
        var codes: [ExitCode] = []
        if arguments.isJSON { try output.write("{\"format\":\"sluice.recordings/1\",\"recordings\":[") }
        for (index, job) in jobs.enumerated() {
            if invocation.context.cancellation.isCancelled {
                codes.append(.stopped(by: invocation.context.signal()))
                break
            }
            let result = record(job, to: folder, sync)
            if arguments.isJSON {
                try output.write((index == 0 ? "\n" : ",\n") + RecordJSON.text(result))
            } else if invocation.writesResult(to: output) {
                try output.write(text.text(result))
            }
            invocation.log.about(job.pipeline.name).report(result.report.problemsBesideStop)
            codes.append(
                ExitCode(result.report, strictness: ExitCode.Strictness(), signal: invocation.context.signal()))
        }
        if arguments.isJSON { try output.write("\n]}\n") }
        return try invocation.finish(output, ExitCode.first(of: codes), orTell: "See the folder `\(folder)`.")
    }

    private func record(_ job: SyncJob, to folder: String, _ sync: SyncCommand) -> RecordingReport {
        let line = sync.progressLine(for: job.pipeline.name)
        defer { line.erase() }
        var options = sync.options(job)
        options.to = arguments.text(.until)
        let observer = RecordObserver(line)
        return SyncEngine(pipeline: job.pipeline, options: options, observer: observer).record(to: folder)
    }
}

/// Shows how far the fetch has come; nothing else happens to a recording.
private final class RecordObserver: RunObserver {
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
