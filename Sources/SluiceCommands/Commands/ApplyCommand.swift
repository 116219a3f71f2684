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
        try requireStore(of: job, plan)
        return try command.run(
            [job], plan: PlanApplying(plan, at: path, takesMoved: arguments.text(.stale) == "merge"))
    }

    /// Refuses another store than the one that the plan was made for, and one that a later run has changed.
    private func requireStore(of job: SyncJob, _ plan: PlanFileReader) throws {
        let known = try PlannedStore(job, invocation)
        if let planned = plan.end.store, planned != known.identity {
            throw Failure(.refused, "The plan was made for another store than \(job.storeName). Nothing was done.")
        }
        let last = known.last
        if let planned = plan.end.lastRun {
            let store = try invocation.backend(job.store).openToRead(busyMilliseconds: arguments.busyMilliseconds)
            if try store?.runs.entry(id: planned)?.startedAt != plan.end.lastRunAt {
                throw Failure(
                    .refused,
                    "The plan was made for another store than \(job.storeName), or this one has gone another way since it was copied: run \(planned) of the plan's store began at \(plan.end.lastRunAt ?? ""). Nothing was done."
                )
            }
        }
        // A plan may have been made after a run that wrote nothing.
        if (last?.id ?? 0) <= (plan.end.lastRun ?? 0) || arguments.has(.allowOlder) { return }
        if let run = try appliedBy(job, plan) {
            let left = run.staleRecords
            let rest =
                left == 0
                ? ""
                : " \(CountText.of(left, "record was", "records were")) not as planned then: make a new plan for \(CountText.word(left, "it", "them"))."
            throw Failure(
                .refused, "This plan was applied in run \(run.id), at \(run.startedAt).\(rest) Nothing was done.")
        }
        throw Failure(
            .refused,
            "\(job.storeName) has changed since the plan was made: \(last.map(Self.words) ?? "something") came after it. Make a new plan, or give `--allow-older` to compare record by record. Nothing was done."
        )
    }

    /// What a run was, as a person remembers it who asked for it: a decision has a number of its own as well.
    private static func words(_ run: RunEntry) -> String {
        let who = run.who.map { " by \(ShortText.of($0))" } ?? ""
        let what: String? =
            switch run.command {
            case RunEntry.resolveCommand: "a decision on conflicts"
            case RunEntry.retryCommand: "a retry of records in quarantine"
            case RunEntry.dropCommand: "a decision to give records in quarantine up"
            case RunEntry.editCommand: "what a program wrote"
            default: run.undoes.map { "an undo of run \($0)" }
            }
        return "run \(run.id)" + (what.map { ", \($0)\(who)," } ?? "")
    }

    /// The run that carried out this very plan, where that holds still.
    private func appliedBy(_ job: SyncJob, _ plan: PlanFileReader) throws -> RunEntry? {
        let store = try invocation.backend(job.store).openToRead(busyMilliseconds: arguments.busyMilliseconds)
        for stream in job.pipeline.streams {
            let kept = try store?.state.value(.appliedPlan, pipeline: job.pipeline.name, stream: stream.name)
            guard let words = kept?.split(separator: " ", maxSplits: 1), words.count == 2,
                words[1] == plan.head.name, let run = Int64(words[0]),
                let entry = try store?.runs.entry(id: run), entry.undoneBy == nil
            else { continue }
            return entry
        }
        return nil
    }
}
