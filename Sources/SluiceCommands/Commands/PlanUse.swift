internal import SluiceFetch
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceStores
internal import SluiceSync
internal import SluiceSystem

/// What a plan or run has to do with something else: a saved plan is made by the one and carried out by the other, and a
/// comparison is a plan on a store of its own.
protocol PlanUse: AnyObject {
    /// Says how the engine is to work.
    func adjust(_ options: inout SyncOptions)
    /// Does what comes before the engine's work.
    func prepare(_ pipeline: PipelineDefinition, _ options: SyncOptions, _ observer: any RunObserver)
    /// The report of a pipeline of which there is nothing to find out; nil where the engine is to work.
    func substitute(for pipeline: PipelineDefinition) -> RunReport?
    /// Sees what is told, and passes it on.
    func observer(_ inner: any RunObserver) -> any RunObserver
    /// Adds what became of it to the report.
    ///
    /// - Parameters:
    ///   - report: How the work ended.
    ///   - seconds: How long it took.
    func conclude(_ report: inout RunReport, seconds: Double)
}

extension PlanUse {
    func prepare(_ pipeline: PipelineDefinition, _ options: SyncOptions, _ observer: any RunObserver) {}
    func substitute(for pipeline: PipelineDefinition) -> RunReport? { nil }
}

/// Saves a plan while it is made.
final class PlanSaving: PlanUse {
    private let path: String
    private let job: SyncJob
    private let writer: PlanFileWriter
    private let before: PlannedStore
    private var gate: PlanGate?

    /// Begins the file, before a source is asked.
    ///
    /// - Throws: ``Failure`` where the plan cannot be saved.
    init(_ job: SyncJob, to path: String, _ invocation: Invocation) throws {
        (self.job, self.path) = (job, path)
        let store = try invocation.backend(job.store).openToRead(
            busyMilliseconds: invocation.arguments.busyMilliseconds)
        before = try PlannedStore(store)
        let options = SyncCommand(invocation: invocation).options(job)
        let head = PlanHead(
            pipeline: job.pipeline.name, startedAt: WallClock.now(), version: Sluice.version, file: job.pipeline.file,
            fingerprint: try PlanFingerprint.text(job.pipeline, invocation.arguments),
            options: PlannedOptions.texts(invocation.arguments, of: job, isFull: options.isFull),
            keepsAnswers: !job.pipeline.hasRedactions)
        do {
            writer = try PlanFileWriter(path, head, hiding: options.secrets(of: job.pipeline))
        } catch { throw Failure(.failed, error.message) }
    }

    func adjust(_ options: inout SyncOptions) { gate = options.keep(in: writer, job.pipeline) }

    func observer(_ inner: any RunObserver) -> any RunObserver { PlanKeeper(writer, inner) }

    func conclude(_ report: inout RunReport, seconds: Double) {
        guard report.status == .succeeded, let gate else {
            writer.discard()
            if report.status != .interrupted {
                report.problems.append(
                    RunProblem(
                        code: "plan_not_saved", severity: .warning,
                        message: "The plan is not saved, since it could not be carried out as a whole."))
            }
            return
        }
        do {
            let end = PlanEnd(
                store: before.identity, lastRun: before.last?.id, lastRunAt: before.last?.startedAt,
                schema: gate.schema, lacking: gate.lacking)
            let saved = SavedReport(
                report, seconds: seconds, families: EntityFamilies.members(of: job.pipeline),
                storeOption: job.commands.storeOption)
            try writer.finish(end, marks: gate.marks, report: saved.json())
        } catch {
            writer.discard()
            report.status = .failed
            let message = (error as? SyncError)?.message ?? "The plan cannot be saved: \(error)."
            report.problems.append(
                RunProblem(code: SyncError.Code.fileFailed.name, severity: .error, message: message))
            return
        }
        report.savedAs = path
        if writer.hidesData {
            report.problems.append(
                RunProblem(
                    code: "plan_without_answers", severity: .note,
                    message:
                        "The source's answers repeat a secret, such as a value of `${env:}`, so the plan does not hold them: `sluice apply` asks the source again, and makes the planned changes alone."
                ))
        }
    }
}

/// Carries out a saved plan.
final class PlanApplying: PlanUse {
    private let path: String
    private let plan: PlanFileReader
    private let takesMoved: Bool
    private let stores: PlannedStoreCheck
    private var gate: PlanGate?

    init(_ plan: PlanFileReader, at path: String, takesMoved: Bool, on stores: PlannedStoreCheck) {
        (self.plan, self.path, self.takesMoved, self.stores) = (plan, path, takesMoved, stores)
    }

    func adjust(_ options: inout SyncOptions) {
        PlannedOptions.set(&options, plan.head.options)
        if !plan.keepsAnswers, let folder = plan.head.options[PlannedOptions.replay] {
            options.replay = Recording(folder: folder, pipeline: plan.head.pipeline)
        }
        gate = options.apply(plan, takesMoved: takesMoved)
        options.admits = stores.require
    }

    func observer(_ inner: any RunObserver) -> any RunObserver { inner }

    func conclude(_ report: inout RunReport, seconds: Double) {
        guard let gate else { return }
        var applied = AppliedPlan(file: path, startedAt: plan.head.startedAt, planned: gate.plannedCount)
        if report.run != nil { (applied.made, applied.moved) = (gate.takenCount, gate.movedCount) }
        report.applied = applied
        // What a plan does not permit, `apply` does not either.
        for index in report.problems.indices {
            report.problems[index].message.replace(
                "Run once with `--allow-schema", with: "Make a new plan with `--allow-schema")
        }
        // A source that gave no answer said nothing else.
        let isRead = ![.failed, .interrupted, .locked].contains(report.status)
        if isRead, report.run != nil, !plan.keepsAnswers { recordUnsaid(applied, in: &report) }
    }

    /// Tells of planned changes for which there was no reason any more, since the source says something else now.
    private func recordUnsaid(_ applied: AppliedPlan, in report: inout RunReport) {
        let count = applied.planned - applied.made - applied.moved
        if count <= 0 { return }
        if report.status == .succeeded { report.status = .partial }
        report.problems.append(
            RunProblem(
                code: "unsaid_changes", severity: .warning,
                message:
                    "\(CountText.of(count, "planned change was", "planned changes were")) not made: the source says something else than when the plan was made. The plan holds no answers, since fields have `redact` or the answers repeat a secret, so the source was asked again. Make a new plan to see what is left."
            ))
    }
}

/// What tells whether a pipeline is the one that a plan was made of.
enum PlanFingerprint {
    /// A digest of the pipeline's file, of what it includes, and of the variables.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - arguments: The command line, which has the variables.
    /// - Returns: The digest.
    /// - Throws: `SystemError` where the file cannot be read.
    static func text(_ pipeline: PipelineDefinition, _ arguments: ParsedArguments) throws -> String {
        var digest = KeyHash.combine(
            FieldDigest.text(try FileSystem.contents(of: pipeline.file)),
            FieldDigest.text(Array(pipeline.fingerprint.utf8)))
        for (name, value) in arguments.variables.sorted(by: { $0.key < $1.key }) {
            digest = KeyHash.combine(digest, FieldDigest.text(Array("\(name)=\(value)".utf8)))
        }
        return String(digest, radix: 16)
    }
}

/// The options of `plan` that are those of `apply`, too.
enum PlannedOptions {
    /// The recording that answered in the place of the source.
    static let replay = "replay"

    /// The options as a plan keeps them.
    ///
    /// - Parameters:
    ///   - arguments: The command line of the plan.
    ///   - job: The pipeline and its store, which is kept where its file does not name it.
    ///   - isFull: Whether the plan reads streams from their beginning, as `--full` or its recording says.
    /// - Returns: Their values, by their names.
    static func texts(_ arguments: ParsedArguments, of job: SyncJob, isFull: Bool) -> [String: String] {
        var texts: [String: String] = [:]
        // No name of a stream has a comma.
        if arguments.has(.stream) { texts["stream"] = arguments.texts(.stream).joined(separator: ",") }
        texts["from"] = arguments.text(.from)
        texts["to"] = arguments.text(.to)
        if isFull { texts["full"] = "yes" }
        if arguments.has(.checkReferences) { texts["check-references"] = "yes" }
        if arguments.has(.allowSchema) {
            texts["allow-schema"] = Set(arguments.texts(.allowSchema)).sorted().joined(separator: ",")
        }
        texts["allow-deletes"] = arguments.allowedDeletes.map { String($0) }
        texts["store"] = arguments.store?.url ?? (job.pipeline.store == nil ? job.store.url : nil)
        texts[replay] = arguments.text(.replay)
        return texts
    }

    static func set(_ options: inout SyncOptions, _ texts: [String: String]) {
        options.streams = (texts["stream"] ?? "").split(separator: ",").map(String.init)
        options.from = texts["from"]
        options.to = texts["to"]
        options.isFull = texts["full"] != nil
        options.checksReferences = texts["check-references"] != nil
        let allowed = (texts["allow-schema"] ?? "").split(separator: ",")
        options.allowsDrops = allowed.contains("drop")
        options.quarantinesMisfits = allowed.contains("quarantine")
        options.allowedDeletes = texts["allow-deletes"].flatMap { Int($0) }
    }
}
