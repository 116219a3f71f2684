internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceStores
internal import SluiceSwiftModels
internal import SluiceSystem

/// The configuration of models that a command uses.
struct ModelSetup {
    /// What it says; nil where there is none, or where it has errors.
    let configuration: SwiftConfiguration?
    /// The file as the command line names it; nil where there is none.
    let path: String?
    /// What is wrong with it.
    let problems: [Diagnostic]

    var hasErrors: Bool { problems.contains { $0.severity == .error } }

    /// No configuration.
    static var none: ModelSetup { ModelSetup() }

    private init() { (configuration, path, problems) = (nil, nil, []) }

    /// Reads the file that `--config` names, else the usual one if it is there and no pipelines are named.
    init(_ invocation: Invocation) {
        let arguments = invocation.arguments
        let isThere = arguments.operands.isEmpty && FileSystem.kind(of: SwiftConfiguration.fileName) == .file
        path = arguments.text(.config) ?? (isThere ? SwiftConfiguration.fileName : nil)
        guard let path else {
            (configuration, problems) = (nil, [])
            return
        }
        let reader = SwiftConfigurationReader(path: path, environment: invocation.context.environment)
        (configuration, problems) = (reader.configuration, reader.problems)
    }

    /// The store whose tables have models; nil where pipelines say what they are like.
    ///
    /// - Throws: ``Failure`` where it is none that is known.
    func store(_ arguments: ParsedArguments) throws -> StoreAddress? {
        guard arguments.operands.isEmpty, let url = configuration?.store else { return nil }
        guard let store = StoreAddress(url) else {
            throw Failure(.invalidPipeline, "\(path ?? ""): `store` \(StoreAddress.problem(with: url))")
        }
        return store
    }

    /// The paths of the pipelines: those of the command line, else of the configuration; none where that has errors.
    func pipelines(_ arguments: ParsedArguments) -> [String] {
        if arguments.operands.isEmpty && hasErrors { return [] }
        guard arguments.operands.isEmpty, let own = configuration?.pipelines, !own.isEmpty else {
            return arguments.paths
        }
        return own
    }

    /// What names the same pipelines and the same configuration to another command, as a shell takes it.
    func words(_ arguments: ParsedArguments) -> [String] {
        let config = arguments.text(.config).map { ["--config", ShellWord.quoted($0)] } ?? []
        return arguments.operands.map(ShellWord.quoted) + config + SyncJob.values(arguments)
    }

    /// The Swift files of the configuration's folder, sorted.
    ///
    /// - Throws: ``Failure`` where there is no folder.
    func swiftFiles() throws -> [String] {
        guard let configuration, let sources = configuration.sources else {
            let reason = path.map { "`\($0)` has no `sources`" } ?? "there is no `\(SwiftConfiguration.fileName)`"
            throw Failure(
                .usage, "`--swift` without a path stands for the folder of the configuration, and \(reason). Name one.")
        }
        if FileSystem.kind(of: sources) == nil {
            throw Failure(
                .failed,
                "There is no folder `\(sources)`, which `\(path ?? "")` names as `sources`. `sluice generate swift` makes it."
            )
        }
        func matches(_ patterns: [String]) -> [String] {
            patterns.flatMap { FileSystem.matches(of: FileSystem.resolve($0, in: FileSystem.escaped(sources))) }
        }
        let excluded = Set(matches(configuration.exclude))
        let found = Set(matches(configuration.include)).subtracting(excluded)
        return found.filter { FileSystem.kind(of: $0) == .file }.sorted()
    }
}
