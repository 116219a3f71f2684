internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReport
internal import SluiceStore
internal import SluiceStores
internal import SluiceSync

/// `sluice doctor`: looks at everything that a run needs, and changes nothing.
struct DoctorCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let output = try invocation.openOutput()
        let pipelines = try PipelineSet(invocation, mode: .run)
        var sections = [
            CheckupSection(
                title: "sluice \(Sluice.version)",
                findings: MachineCheckup.findings(environment: invocation.context.environment)
                    + [files(pipelines)].compactMap(\.self))
        ]
        for pipeline in pipelines.definitions {
            sections.append(
                CheckupSection(
                    title: "pipeline \(pipeline.name)",
                    findings: try findings(of: pipeline, among: pipelines.definitions)))
        }
        let unready = try unready(besides: pipelines)
        for pipeline in unready {
            guard let finding = try? storeFinding(of: pipeline) else { continue }
            sections.append(CheckupSection(title: "pipeline \(pipeline.name)", findings: [finding]))
        }
        if pipelines.definitions.isEmpty && unready.isEmpty && isStoreMeant(pipelines) {
            let store = try StoreAddress.choose(
                option: invocation.arguments.store, environment: invocation.context.environment)
            let found = StoreCheckup.finding(invocation.backend(store), name: "store \(store.url)")
            sections.append(CheckupSection(title: "store", findings: [found]))
        }
        if invocation.arguments.isJSON {
            try output.write(CheckupJSON.text(sections, version: Sluice.version))
        } else if invocation.writesResult(to: output) {
            try output.write(CheckupText(style: invocation.style(for: output)).text(sections))
        }
        try output.finish()
        return sections.contains { $0.findings.contains { $0.verdict == .bad } } ? .failed : .done
    }

    /// What the checker says of the files; nil where none was named and there is no folder of them.
    private func files(_ pipelines: PipelineSet) -> CheckupFinding? {
        if pipelines.fileCount == 0, invocation.arguments.operands.isEmpty { return nil }
        let errors = pipelines.problems.filter { $0.severity == .error }
        let files = CountText.of(pipelines.fileCount, "file")
        guard let first = errors.first else {
            return CheckupFinding("pipelines", .good, "\(files) without errors.")
        }
        let place = first.location.map { " (\($0.file))" } ?? ""
        return CheckupFinding(
            "pipelines", .bad,
            "\(CountText.of(errors.count, "error")) in \(files): \(first.detail)\(place) `sluice validate` lists all.")
    }

    /// Whether commands without a pipeline would use a store: where files are named, theirs is another one.
    private func isStoreMeant(_ pipelines: PipelineSet) -> Bool {
        let isNamed =
            invocation.arguments.store != nil || invocation.context.environment["SLUICE_STORE"]?.isEmpty == false
        return isNamed || files(pipelines) == nil
    }

    /// The pipelines that would run if what their files name were there, such as variables: their stores are looked at as well.
    private func unready(besides pipelines: PipelineSet) throws -> [PipelineDefinition] {
        if !pipelines.hasErrors { return [] }
        let ready = Set(pipelines.definitions.map(\.file))
        return try PipelineSet(invocation, mode: .validate).definitions.filter { pipeline in
            // A store that comes from what is missing is not known.
            !ready.contains(pipeline.file) && (!pipeline.storeIsSecret || invocation.arguments.store != nil)
        }
    }

    private func storeFinding(of pipeline: PipelineDefinition) throws -> CheckupFinding {
        let job = try SyncJob(pipeline, invocation)
        return StoreCheckup.finding(
            invocation.backend(job.store), name: job.hasSecretStore ? "store of the pipeline" : "store \(job.store.url)"
        )
    }

    private func findings(
        of pipeline: PipelineDefinition, among pipelines: [PipelineDefinition]
    ) throws -> [CheckupFinding] {
        let job = try SyncJob(pipeline, invocation)
        let store = try storeFinding(of: pipeline)
        var options = SyncCommand(invocation: invocation).options(job)
        options.companions = Companions(of: pipeline.name, among: pipelines)
        let misfits = store.verdict == .good ? Self.misfits(of: pipeline, options, store.subject) : []
        return (misfits.isEmpty ? [store] : misfits) + (try SourceCheckup(pipeline, options: options).findings())
            + HookCheckup.findings(of: pipeline, environment: invocation.context.environment)
    }

    /// What stands between a pipeline and the tables of its store. A store in which a run is at work is looked at no further.
    private static func misfits(
        of pipeline: PipelineDefinition, _ options: SyncOptions, _ subject: String
    ) -> [CheckupFinding] {
        SyncEngine.problemsOfNames(of: pipeline, options: options).filter {
            $0.problem.code != StoreError.Code.locked.name
        }.map { placed in
            let place = placed.place.map { "\($0): " } ?? ""
            return CheckupFinding(
                subject, placed.problem.severity == .error ? .bad : .doubtful, place + placed.problem.message)
        }
    }
}
