internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReport
internal import SluiceStores
internal import SluiceSwiftModels
internal import SluiceSync
internal import SluiceSystem

/// `sluice validate`: the problems of pipeline files.
struct ValidateCommand {
    let invocation: Invocation

    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        try checkOptions()
        let output = try invocation.openOutput()
        let setup = arguments.has(.swift) || arguments.has(.config) ? ModelSetup(invocation) : nil
        let store = try setup?.store(arguments)
        // Tables that are there say what models are like without a pipeline.
        let pipelines = try PipelineSet(
            invocation, mode: .validate, paths: store == nil ? setup?.pipelines(arguments) : [])
        let isStrict = arguments.has(.strict)
        let ofPipelines =
            pipelines.problems + ScheduleProblems.cycles(of: pipelines.definitions)
            + RedactionProblems.all(of: pipelines.definitions, invocation) + problemsOfStore(pipelines.definitions)
        // What models are compared with has to be right first.
        let ofTables = try store.map { [try GenerateSwiftCommand.pipeline(of: $0, invocation)] }
        let models =
            pipelines.hasErrors ? nil : try setup.flatMap { try modelResult(ofTables ?? pipelines.definitions, $0) }
        if let models, isDry, arguments.isText, invocation.writesResult(to: output) {
            try output.write(models.check.diff)
        }
        let ofModels = (setup?.problems ?? []) + (models?.problems ?? [])
        let problems = ofPipelines + ofModels
        let isInvalid = problems.contains { $0.severity == .error || isStrict && $0.severity == .warning }
        let explained = invocation.arguments.has(.explain) ? pipelines.definitions : nil
        switch arguments.problemFormat {
        case "json": try output.write(ProblemsJSON.text(problems, explaining: explained))
        case "sarif": try output.write(ProblemsSARIF.text(problems, version: Sluice.version))
        case "github": try output.write(ProblemsAnnotations.text(problems))
        default:
            let style = invocation.style(for: output)
            try output.write(ProblemsText(style: style).text(problems))
            if invocation.writesResult(to: output) {
                if let explained { try output.write(FeaturesText(style: style).text(explained)) }
                if pipelines.fileCount > 0 || !ofPipelines.isEmpty {
                    try output.write(conclusion(ofPipelines, fileCount: pipelines.fileCount) + "\n")
                }
                if let models { try output.write(conclusion(models, of: store) + "\n") }
                if let note = noteOfUncheckedModels { try output.write(note + "\n") }
            }
        }
        try output.finish()
        return isInvalid ? .invalidPipeline : .done
    }

    // MARK: Models of Swift

    private func checkOptions() throws {
        let hasModels = arguments.has(.swift) || arguments.has(.config)
        if arguments.has(.fix), !hasModels {
            throw Failure(.usage, "`--fix` mends models of Swift: name them with `--swift PATH`.")
        }
        if arguments.has(.level), !hasModels {
            throw Failure(.usage, "`--level` is about models of Swift: name them with `--swift PATH`.")
        }
        if arguments.has(.dryRun), !arguments.has(.fix) {
            throw Failure(.usage, "`--dry-run` goes with `--fix`: without it nothing is edited.")
        }
    }

    /// The models that were checked, and the problems of the files as they are once the command has ended.
    private struct ModelResult {
        var check: ModelCheck
        let problems: [Diagnostic]
    }

    /// Whether edits are shown and not made.
    private var isDry: Bool { arguments.has(.fix) && arguments.has(.dryRun) }

    /// The models that are to be checked, mended where that is asked for; nil where their configuration has errors.
    private func modelResult(_ pipelines: [PipelineDefinition], _ setup: ModelSetup) throws -> ModelResult? {
        if setup.hasErrors { return nil }
        let isExact = arguments.text(.level).map { $0 == "exact" } ?? setup.configuration?.isExact ?? false
        var check = ModelCheck(
            try SwiftSources.read(invocation, setup), pipelines, exactly: isExact, setup.configuration,
            ModelCommandLine(setup.words(arguments)))
        if isDry {
            let problems = check.problems
            check.mend()
            return ModelResult(check: check, problems: problems)
        }
        if arguments.has(.fix) {
            check.mend()
            try check.write(invocation.context)
        }
        return ModelResult(check: check, problems: check.problems)
    }

    /// That there are models which nobody asked to be checked; nil where there are none, or they are.
    private var noteOfUncheckedModels: String? {
        let file = SwiftConfiguration.fileName
        let isUnchecked = !arguments.has(.swift) && !arguments.has(.config) && arguments.operands.isEmpty
        guard isUnchecked, FileSystem.kind(of: file) == .file else { return nil }
        return "The Swift models of `\(file)` were not checked: `sluice validate --swift` does it."
    }

    private func conclusion(_ models: ModelResult, of store: StoreAddress?) -> String {
        let (check, problems) = (models.check, models.problems)
        let count = "\(CountText.of(check.modelCount, "model")) in \(CountText.of(check.fileCount, "Swift file"))"
        let errors = problems.count { $0.severity == .error }
        let warnings = problems.count { $0.severity == .warning }
        let counts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { CountText.of($0.0, $0.1) }
        let result =
            counts.isEmpty
            ? "\(count) agree with \(store.map { "`\($0)`" } ?? "the pipelines")."
            : "\(counts.joined(separator: " and ")) in \(count)."
        if !arguments.has(.fix) { return result }
        let differences = CountText.of(check.mendedCount, "difference")
        if isDry { return "\(result) \(differences) would be mended." }
        return "\(differences) \(CountText.word(check.mendedCount, "was mended", "were mended")). \(result)"
    }

    // MARK: Stores

    /// What the pipelines and a store that is named would not agree on.
    private func problemsOfStore(_ pipelines: [PipelineDefinition]) -> [Diagnostic] {
        guard let store = invocation.arguments.store else { return [] }
        return pipelines.flatMap { pipeline in
            var options = SyncOptions(
                store: store, command: .plan, version: Sluice.version,
                cancellation: invocation.context.cancellation)
            options.companions = Companions(of: pipeline.name, among: pipelines)
            return SyncEngine.problemsOfNames(of: pipeline, options: options).map { placed in
                Diagnostic(
                    code: DiagnosticCode(rawValue: placed.problem.code),
                    severity: placed.problem.severity == .error ? .error : .warning,
                    summary: "Store and pipeline differ", detail: placed.problem.message,
                    location: placed.place ?? SourceLocation(file: pipeline.file))
            }
        }
    }

    private func conclusion(_ problems: [Diagnostic], fileCount: Int) -> String {
        let errors = problems.count { $0.severity == .error }
        let warnings = problems.count { $0.severity == .warning }
        let files = CountText.of(fileCount, "pipeline file")
        let verb = CountText.word(fileCount, "is", "are")
        let counts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { CountText.of($0.0, $0.1) }
        if counts.isEmpty { return "\(files) \(verb) valid." }
        let place = fileCount == 0 ? "" : " in \(files)"
        return errors > 0
            ? "\(counts.joined(separator: " and "))\(place)."
            : "\(files) \(verb) valid, with \(counts.joined())."
    }
}
