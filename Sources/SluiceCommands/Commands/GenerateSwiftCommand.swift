internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceStore
internal import SluiceStores
internal import SluiceSwiftModels
internal import SluiceSystem

/// `sluice generate swift`: models of a Swift program for what pipelines fill, or for the tables of a store.
struct GenerateSwiftCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let setup = ModelSetup(invocation)
        try checkOptions(setup)
        let sync = SyncCommand(invocation: invocation)
        sync.report(setup.problems)
        if setup.hasErrors { return .invalidPipeline }
        let configuration = setup.configuration ?? SwiftConfiguration()
        let options = SwiftModelChoice.options(arguments, configuration.options)
        guard let source = try Self.source(invocation, setup) else { return .invalidPipeline }
        let maker = SwiftModelMaker(source.pipelines, configuration)
        sync.report(maker.problems)
        if maker.problems.contains(where: { $0.severity == .error }) { return .invalidPipeline }
        report(maker.notes)
        if maker.models.isEmpty {
            throw Failure(.failed, "There is nothing to make a model of. Nothing was written.")
        }
        let files = ModelFiles(maker.models, options, header: try header(configuration), origin: source.name)
        guard let folder = folder(setup) else {
            let output = try invocation.openOutput()
            try output.write(files.text(output.isStandardStream ? ModelFiles.singleName : outputName, maker.models))
            try output.finish()
            return .done
        }
        let isSingle = arguments.has(.singleFile) || configuration.isSingleFile && !arguments.has(.splitByEntity)
        let layout = isSingle ? ModelFiles.Layout.single : .byEntity
        let plan = try ModelFolderPlan(
            files.files(layout, stubs: arguments.has(.stubs)), in: folder,
            overwrite: arguments.text(.overwrite).flatMap(ModelFolderPlan.Overwrite.init) ?? .changed,
            removesStale: arguments.has(.cleanStale))
        if !arguments.has(.dryRun) { try plan.perform(invocation.context) }
        try invocation.context.output.write(Array(plan.text(isDone: !arguments.has(.dryRun)).utf8))
        return .done
    }

    private var outputName: String { FileSystem.name(of: arguments.text(.output) ?? "") }

    // MARK: Options

    /// Where the files go; nil where they are printed, or written to one that is named.
    private func folder(_ setup: ModelSetup) -> String? {
        arguments.text(.recordTo) ?? (arguments.has(.output) ? nil : setup.configuration?.sources)
    }

    private func checkOptions(_ setup: ModelSetup) throws {
        if arguments.has(.singleFile), arguments.has(.splitByEntity) {
            throw Failure(.usage, "`--single-file` and `--split-by-entity` exclude each other.")
        }
        if folder(setup) != nil {
            if arguments.has(.recordTo), arguments.has(.output) {
                throw Failure(.usage, "`--to` and `--output` exclude each other.")
            }
            return
        }
        let ofFolders: [(OptionSpec.ID, String)] = [
            (.splitByEntity, "--split-by-entity"), (.overwrite, "--overwrite"), (.cleanStale, "--clean-stale"),
            (.dryRun, "--dry-run"), (.stubs, "--stubs"),
        ]
        if let (_, name) = ofFolders.first(where: { arguments.has($0.0) }) {
            throw Failure(.usage, "`\(name)` is about the files of a folder: name it with `--to`.")
        }
    }

    private func header(_ configuration: SwiftConfiguration) throws -> String? {
        guard let path = arguments.text(.headerTemplate) ?? configuration.header else { return nil }
        let text = String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
        if let problem = ModelFiles.problem(withHeader: text) {
            throw Failure(.usage, "The header `\(path)` cannot begin a file: \(problem).")
        }
        return text
    }

    private func report(_ notes: [SwiftModelNote]) {
        for note in notes {
            let place = note.file.isEmpty ? "" : "\(note.file): "
            let field = note.field.map { ".\(PrintableText.escape($0))" } ?? ""
            invocation.log.report(
                .modelInexact, "\(place)`\(PrintableText.escape(note.entity))\(field)`: \(note.message)",
                [(.entity, .text(note.entity))] + (note.file.isEmpty ? [] : [(.file, .text(note.file))]))
        }
    }

    // MARK: What models are made of

    /// The pipelines, or those that would adopt the tables of a store; nil where a file has errors.
    static func source(
        _ invocation: Invocation, _ setup: ModelSetup
    ) throws -> (pipelines: [PipelineDefinition], name: String)? {
        let arguments = invocation.arguments
        let operands = arguments.operands
        let named = operands.count == 1 ? StoreAddress(operands[0]) : nil
        if let store = try named ?? setup.store(arguments) {
            return ([try pipeline(of: store, invocation)], store.description)
        }
        if let store = operands.first(where: { StoreAddress($0) != nil }) {
            throw Failure(.usage, "`\(store)` is a store: name it alone, or pipeline files.")
        }
        let pipelines = try PipelineSet(invocation, mode: .validate, paths: setup.pipelines(arguments))
        let errors = pipelines.problems.filter { $0.severity == .error }
        SyncCommand(invocation: invocation).report(errors)
        return errors.isEmpty ? (pipelines.definitions, "") : nil
    }

    /// The pipeline that would adopt all tables of a store that one can adopt.
    ///
    /// - Throws: ``Failure`` where there is no store, and `StoreError`.
    static func pipeline(of store: StoreAddress, _ invocation: Invocation) throws -> PipelineDefinition {
        let backend = invocation.backend(store)
        if let file = backend.traits.file, FileSystem.kind(of: file) == nil {
            throw Failure(.failed, "The store `\(store)` does not exist. \(backend.traits.remedyWhereMissing)")
        }
        let reader = try backend.adoptableTables(busyMilliseconds: invocation.arguments.busyMilliseconds)
        let tables = try reader.names().compactMap { name -> AdoptableTable? in
            guard case .table(let table) = try reader.find(name), table.problems.isEmpty, !table.keys.isEmpty else {
                return nil
            }
            return table
        }
        var pipeline = TablePipeline(of: tables, name: store.shortName, store: store.url, url: nil).definition
        pipeline.file = ""
        return pipeline
    }
}

/// The options of models, as a command line has them.
enum SwiftModelChoice {
    /// The options of a configuration, with those of a command line over them.
    static func options(_ arguments: ParsedArguments, _ usual: SwiftModelOptions) -> SwiftModelOptions {
        var options = usual
        options.names = arguments.text(.names).flatMap(SwiftModelOptions.NameStyle.init) ?? usual.names
        options.access = arguments.text(.accessLevel).flatMap(SwiftModelOptions.Access.init) ?? usual.access
        options.saidPolicy = arguments.text(.policy).flatMap(SwiftModelOptions.FailurePolicy.init) ?? usual.saidPolicy
        options.hasInitializer = usual.hasInitializer || arguments.has(.initializer)
        options.hasCounts = usual.hasCounts && !arguments.has(.noCounts)
        options.hasOrigin = usual.hasOrigin && !arguments.has(.noOrigin)
        return options
    }
}
