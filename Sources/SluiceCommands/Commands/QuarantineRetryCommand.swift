internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReport
internal import SluiceStore

/// `sluice quarantine retry`: a run over what the quarantine kept, by the pipelines as they are now.
struct QuarantineRetryCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        // What is a number is an ID; a file of such a name is `./12`.
        let words = arguments.operands.filter { OptionSpec.count($0) != nil }
        let paths = arguments.operands.filter { OptionSpec.count($0) == nil }
        let ids = try EntryNumbers.read(words, noun: "record in quarantine")
        let choices: [OptionSpec.ID] = [.entity, .stream, .reason, .all]
        let isChosen = choices.contains { arguments.has($0) }
        if ids.isEmpty != isChosen {
            throw Failure(
                .usage,
                "Name records by their IDs, or choose them with `--entity`, `--stream`, `--reason` or `--all`: one or the other."
            )
        }
        let command = SyncCommand(invocation: invocation)
        let pipelines = try PipelineSet(
            invocation, mode: .run, paths: paths.isEmpty ? [ParsedArguments.standardFolder] : paths)
        command.report(pipelines.problems)
        if pipelines.hasErrors { return .invalidPipeline }
        let jobs = try jobs(for: pipelines.definitions)
        if !ids.isEmpty && Set(jobs.map(\.store)).count > 1 {
            throw Failure(
                .usage,
                "An ID names a record of one store, and these pipelines fill several: name the file of one, or the store with `--store`."
            )
        }
        let selection = QuarantineSelection(ids: ids.isEmpty ? nil : Set(ids), reason: arguments.text(.reason))
        var unknown = Set(ids)
        var isAnyRefused = false
        let code = try command.run(jobs, retry: selection) { report in
            unknown.subtract(report.retry?.known ?? [])
            isAnyRefused = isAnyRefused || report.retry?.refused.isEmpty == false
        }
        guard code == .done || code == .attention, !ids.isEmpty else { return code }
        for id in unknown.sorted() {
            let message =
                "Record \(id) was not tried again: no pipeline that was named has a record with this ID in quarantine."
            invocation.log.report(.quarantineRefused, message)
        }
        return unknown.isEmpty && !isAnyRefused ? code : .failed
    }

    private func jobs(for definitions: [PipelineDefinition]) throws -> [SyncJob] {
        let jobs = try SyncJob.jobs(for: definitions, invocation: invocation)
        guard let entity = arguments.text(.entity) else { return jobs }
        let chosen = jobs.filter { job in job.pipeline.streams.contains { $0.entity == entity } }
        if !chosen.isEmpty { return chosen }
        let names = jobs.flatMap(\.pipeline.streams).map(\.entity)
        let hint = Suggestion.nearest(to: entity, among: names).map { " Did you mean `\($0)`?" } ?? ""
        throw Failure(.usage, "No pipeline has a stream of the entity `\(entity)`.\(hint)")
    }
}
