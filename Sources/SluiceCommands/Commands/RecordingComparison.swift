internal import SluiceDiscovery
internal import SluiceFetch
internal import SluiceMerge
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore
internal import SluiceStores
internal import SluiceSync
internal import SluiceSystem

/// Compares two recordings without a store of the user's: a store in a temporary folder is filled with the older one, and
/// a plan of the newer one says what has changed.
final class RecordingComparison: PlanUse {
    private let newer: String?
    private let older: String
    /// The folder of the stores, one for each pipeline.
    private let folder: String
    /// What became of filling the store of the pipeline at hand.
    private var base: RunReport?
    /// The fields of the pipeline at hand that only the older recording has values for.
    private var missing: [RunProblem] = []

    /// - Parameters:
    ///   - newer: The newer recording, as `--replay` names it.
    ///   - folder: The older recording, as `--against` names it.
    /// - Throws: ``SystemError`` where there is no room for a store.
    init(of newer: String?, against folder: String) throws {
        self.newer = newer
        older = folder
        self.folder = try FileSystem.makeTemporaryFolder()
    }

    deinit {
        clear()
        FileSystem.removeFolder(folder)
    }

    private func clear() {
        for path in FileSystem.matches(of: "\(folder)/*") + FileSystem.matches(of: "\(folder)/.*") {
            FileSystem.remove(path)
        }
    }

    /// The jobs of comparing what the pipelines' sources said.
    ///
    /// - Throws: ``Failure`` where none of the sources is one that is recorded.
    func jobs(_ jobs: [SyncJob]) throws -> [SyncJob] {
        if jobs.allSatisfy({ Self.readsFiles($0.pipeline) }), let first = jobs.first {
            throw Failure(
                .usage,
                "`\(first.pipeline.name)` reads files, of which there are no recordings. Nothing was compared."
            )
        }
        return jobs.map { job in
            SyncJob(
                comparing: Self.observing(job.pipeline), in: StoreAddress(file: "\(folder)/\(job.pipeline.name).db"))
        }
    }

    private static func readsFiles(_ pipeline: PipelineDefinition) -> Bool {
        if case .file = pipeline.source.base { true } else { false }
    }

    /// Why there is nothing to compare a pipeline with although there are recordings of others; nil where it is compared.
    private func obstacle(_ pipeline: PipelineDefinition) -> String? {
        if Self.readsFiles(pipeline) {
            return "`\(pipeline.name)` reads files, of which there are no recordings."
        }
        let isOfOthers = FileSystem.names(in: older).contains { name in
            let own = FileSystem.resolve(name, in: older)
            return FileSystem.kind(of: FileSystem.resolve(RecordingState.fileName, in: own)) != nil
        }
        let own = FileSystem.resolve(RecordingState.fileName, in: FileSystem.resolve(pipeline.name, in: older))
        guard isOfOthers, FileSystem.kind(of: own) == nil else { return nil }
        return "There is no recording of `\(pipeline.name)` in `\(older)`, as of a pipeline that is new."
    }

    func substitute(for pipeline: PipelineDefinition) -> RunReport? {
        guard let obstacle = obstacle(pipeline) else { return nil }
        var report = RunReport(pipeline: pipeline.name, command: .plan, startedAt: WallClock.now())
        report.problems = [
            RunProblem(code: RunProblem.notCompared, severity: .note, message: "\(obstacle) Nothing was compared.")
        ]
        return report
    }

    /// A pipeline that takes all that its source says: a comparison is about the source, and nobody edits its store.
    private static func observing(_ pipeline: PipelineDefinition) -> PipelineDefinition {
        var pipeline = pipeline
        for index in pipeline.streams.indices {
            pipeline.streams[index].writeMode = .merge
            var rule = DeleteRule(mode: .hard, maximum: .percent(100), minimumRecords: 0)
            rule.confirmation = .scans(0)
            pipeline.streams[index].deleteMissing = rule
        }
        for entity in pipeline.entities.indices {
            for field in pipeline.entities[entity].fields.indices {
                pipeline.entities[entity].fields[field].owner = .shared
            }
        }
        return pipeline
    }

    func adjust(_ options: inout SyncOptions) {
        // Both recordings are read from their beginning: a cursor of the older one would leave out of the newer one what
        // did not change, which then could not be told from what is gone.
        options.isFull = true
        options.allowedDeletes = .max
    }

    func prepare(_ pipeline: PipelineDefinition, _ options: SyncOptions, _ observer: any RunObserver) {
        var options = options
        options.command = .run
        options.replay = Recording(folder: older, pipeline: pipeline.name)
        (base, missing) = (nil, [])
        if obstacle(pipeline) != nil { return }
        base = SyncEngine(pipeline: pipeline, options: options, observer: ProgressRelay(observer)).run()
        missing = missingFields(pipeline, options, observer)
    }

    /// What an absent key hides: that changes nothing of a record, so that the plan shows nothing of it.
    private func missingFields(
        _ pipeline: PipelineDefinition, _ options: SyncOptions, _ observer: any RunObserver
    ) -> [RunProblem] {
        guard base?.status == .succeeded, let newer else { return [] }
        var options = options
        options.replay = Recording(folder: newer, pipeline: pipeline.name)
        let survey = DriftSurvey(of: pipeline, options: options, asksSource: true, observer: ProgressRelay(observer))
        // What cannot be read is told by the plan.
        guard let drift = try? survey.perform() else { return [] }
        return drift.streams.flatMap { stream in
            stream.missingFields.map { field in
                let before = CountText.of(field.before, "record")
                let candidate = field.candidate.map { " If `\($0)` stands for it now, write `from: \($0)`." } ?? ""
                var problem = RunProblem(
                    code: "missing_field", severity: .note,
                    message:
                        "No record of the first page has `\(field.field)`, which \(before) of it had in `\(older)`. An absent key says nothing, so the plan shows no change.\(candidate)"
                )
                problem.stream = stream.name
                return problem
            }
        }
    }

    func observer(_ inner: any RunObserver) -> any RunObserver { inner }

    /// That a record may be new for the plan alone: what the older recording gave of it fits no field.
    private func unread(_ base: RunReport) -> [RunProblem] {
        let count = base.summary.quarantined
        if count == 0 { return [] }
        return [
            RunProblem(
                code: "quarantined_before", severity: .note,
                message:
                    "\(CountText.of(count, "record")) of `\(older)` \(CountText.word(count, "goes", "go")) to the quarantine. Where the newer recording gives such a record so that it fits, it counts as inserted."
            )
        ]
    }

    func conclude(_ report: inout RunReport, seconds: Double) {
        clear()
        report.against = older
        guard let base else { return }
        // What is said of the temporary stores is of no use once they are gone.
        report.problems.removeAll { $0.code == "store_private" }
        let problems = base.problems.filter { $0.code != "store_private" }.map { problem in
            var problem = problem
            problem.message = "In `\(older)`: \(problem.message)"
            return problem
        }
        switch base.status {
        case .succeeded, .refused: break
        case .partial: if report.status == .succeeded { report.status = .partial }
        case .failed, .interrupted, .locked:
            report.status = base.status
            (report.streams, report.schemaChanges, report.problems) = ([], [], [])
        }
        report.problems = problems + report.problems + missing + unread(base)
    }
}

extension RunProblem {
    /// The code of what says that there was no older recording to compare a pipeline with.
    static let notCompared = "not_compared"
}

/// Passes on how far the work has come, and nothing of what becomes of records.
private final class ProgressRelay: RunObserver {
    private let observer: any RunObserver
    let wantsChanges = false

    init(_ observer: any RunObserver) { self.observer = observer }

    func changed(_ change: RecordChange, schema: RecordSchema) {}
    func skippedChange(of schema: RecordSchema) {}
    func conflict(_ entry: ConflictEntry) {}
    func quarantined(_ entry: QuarantineEntry) {}
    func restart() {}
    func progress(_ progress: RunProgress) { observer.progress(progress) }
}
