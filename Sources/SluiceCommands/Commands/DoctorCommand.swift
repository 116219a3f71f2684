internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReport
internal import SluiceStores
internal import SluiceSync

/// `sluice doctor`: looks at everything that a run needs, and changes nothing.
struct DoctorCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let output = try invocation.openOutput()
        let pipelines = PipelineSet(invocation, mode: .run)
        var sections = [
            CheckupSection(
                title: "sluice \(Sluice.version)",
                findings: MachineCheckup.findings(environment: invocation.context.environment)
                    + [files(pipelines)].compactMap(\.self))
        ]
        for pipeline in pipelines.definitions {
            sections.append(CheckupSection(title: "pipeline \(pipeline.name)", findings: try findings(of: pipeline)))
        }
        if pipelines.definitions.isEmpty {
            let store = try StoreAddress.choose(
                option: invocation.arguments.store, environment: invocation.context.environment)
            let found = StoreCheckup.finding(store, name: "store \(store.url)")
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

    private func findings(of pipeline: PipelineDefinition) throws -> [CheckupFinding] {
        let job = try SyncJob(pipeline, invocation)
        let name = job.hasSecretStore ? "store of the pipeline" : "store \(job.store.url)"
        var store = StoreCheckup.finding(job.store, name: name)
        let options = SyncCommand(invocation: invocation).options(job)
        if store.verdict == .good, let problem = SyncEngine.problemOfGrants(of: pipeline, options: options) {
            store = CheckupFinding(store.subject, .bad, problem.message)
        }
        return [store] + (try SourceCheckup(pipeline, options: options).findings())
    }
}
