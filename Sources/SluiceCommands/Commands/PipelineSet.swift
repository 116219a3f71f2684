internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSystem

/// The pipelines that arguments name, read and checked together.
struct PipelineSet {
    /// Those without errors, in the order of the arguments.
    let definitions: [PipelineDefinition]
    /// The problems of all files, file by file.
    let problems: [Diagnostic]
    /// How many files were read.
    let fileCount: Int

    var hasErrors: Bool { problems.contains { $0.severity == .error } }

    /// What is said where the other files are gone on with.
    static let leftOut = "What has errors is left out."

    /// Reads the files of an invocation, those that its arguments name or others.
    ///
    /// - Throws: ``Failure`` where the command would replace what these files read.
    init(_ invocation: Invocation, mode: PipelineLoader.Mode, paths: [String]? = nil) throws {
        let given = invocation.context.pipelineTexts.flatMap { try? FileSystem.contents(of: $0) }
        let texts = given.flatMap { PipelineTexts(encoded: $0) } ?? PipelineTexts()
        let paths = paths ?? invocation.arguments.paths
        // A file whose text is given may be gone meanwhile.
        let (found, missing) = PipelineLocator.locate(paths.filter { !texts.has($0) })
        let files = paths.filter(texts.has) + found
        var definitions: [PipelineDefinition] = []
        var problems = missing
        for file in files {
            let (definition, found) = PipelineLoader.load(
                path: file, variables: invocation.arguments.variables, environment: invocation.context.environment,
                mode: mode, texts: texts)
            problems += found
            guard let definition else { continue }
            // Two stores keep two states. Who runs both at once still needs two names to tell them apart.
            let areApart = mode == .validate && invocation.arguments.store == nil
            if let other = definitions.first(where: {
                $0.name == definition.name && !(areApart && $0.store != definition.store)
            }) {
                problems.append(Self.duplicate(definition, of: other))
            }
            definitions.append(definition)
        }
        try invocation.checkOutputs(
            against: Array(texts.paths) + texts.namedPaths + definitions.flatMap { FilePages.files(of: $0) })
        self.definitions = definitions
        self.problems = problems
        fileCount = files.count
    }

    private static func duplicate(_ definition: PipelineDefinition, of other: PipelineDefinition) -> Diagnostic {
        Diagnostic(
            code: "duplicate_pipeline", summary: "Duplicate pipeline",
            detail: "The pipeline in `\(other.file)` has the name `\(definition.name)` too.",
            location: SourceLocation(file: definition.file),
            help: "The store keeps the state of a pipeline under its name, so each pipeline needs its own name.")
    }
}
