internal import SluiceFetch
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// `sluice apply`: does what a saved plan shows. It asks the source only where the plan could not hold its answers.
struct ApplyCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    func run() throws -> ExitCode {
        let path = arguments.operands.first ?? ""
        let plan: PlanFileReader
        do {
            plan = try PlanFileReader(path)
        } catch { throw Failure(error.code == .planRefused ? .refused : .failed, error.message) }
        let file = plan.head.file
        if FileSystem.kind(of: file) != .file {
            throw Failure(
                .refused,
                "The pipeline's file `\(file)` of the plan is not there. Apply the plan in the folder where it was made. Nothing was done."
            )
        }
        let command = SyncCommand(invocation: invocation)
        let isAnswered = plan.keepsAnswers || plan.head.options[PlannedOptions.replay] != nil
        let pipelines = try PipelineSet(invocation, mode: isAnswered ? .replay : .run, paths: [file])
        command.report(pipelines.problems)
        guard !pipelines.hasErrors, let pipeline = pipelines.definitions.first else { return .invalidPipeline }
        let fingerprint = try PlanFingerprint.text(pipeline, arguments)
        if pipeline.name != plan.head.pipeline || fingerprint != plan.head.fingerprint {
            throw Failure(
                .refused,
                "`\(file)`, or a file that it includes, is not as it was when the plan was made, or `--var` gives other values. Make a new plan. Nothing was done."
            )
        }
        let job = try SyncJob(pipeline, invocation, store: plan.head.options["store"].flatMap(StoreAddress.init))
        let stores = PlannedStoreCheck(
            plan, pipeline: pipeline, storeName: job.storeName, allowsOlder: arguments.has(.allowOlder))
        let store = try invocation.backend(job.store).openToRead(busyMilliseconds: arguments.busyMilliseconds)
        do {
            try stores.require(store)
        } catch let error as SyncError { throw Failure(.refused, error.message) }
        return try command.run(
            [job],
            plan: PlanApplying(plan, at: path, takesMoved: arguments.text(.stale) == "merge", on: stores))
    }
}
