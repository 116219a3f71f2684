internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSchedule

/// `sluice schedule`: when pipelines are due.
struct ScheduleCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let from = try MomentOption.moment(arguments.text(.from), in: .utc)
        let count = arguments.text(.next).flatMap { OptionSpec.count($0) } ?? 5
        let pipelines = try PipelineSet(invocation, mode: .validate)
        let disagreements = ScheduleProblems.all(of: pipelines.definitions)
        // No source is read, so nothing is said of what would be missing then.
        SyncCommand(invocation: invocation).report(pipelines.problems.filter { $0.severity == .error } + disagreements)
        let isCircle = disagreements.contains { $0.severity == .error }
        if isCircle || pipelines.hasErrors && pipelines.definitions.isEmpty { return .invalidPipeline }
        if pipelines.hasErrors { invocation.log.report(.filesLeftOut, PipelineSet.leftOut) }
        let list = PipelineScheduleList(pipelines: pipelines.definitions, from: from, count: count)
        let output = try invocation.openOutput()
        try output.write(arguments.isJSON ? list.json : list.text(invocation.style(for: output)))
        try output.finish()
        return pipelines.hasErrors ? .invalidPipeline : .done
    }
}
