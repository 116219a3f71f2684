internal import SluiceStore
internal import SluiceSwiftModels

/// `sluice inspect schema`: the tables of a store, and where each of their columns comes from; or those that Swift models
/// stand for.
struct InspectSchemaCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        if arguments.has(.swift) || arguments.has(.config) { return try showModels() }
        let reading = try StoreReading(invocation)
        try reading.checkNames(arguments)
        let tables = try reading.read { store in
            try store.tables(pipelines: reading.pipelines(arguments), entity: arguments.text(.entity))
        }
        if tables.isEmpty {
            throw Failure(.failed, "The \(reading.choice.name) has no tables\(reading.owner(arguments)) yet.")
        }
        let output = try invocation.openOutput()
        switch arguments.text(.schemaFormat) {
        case "json": try output.write(SchemaJSON.text(tables, store: reading.choice.url))
        case "mermaid": try output.write(SchemaDiagram.text(tables))
        default: try output.write(SchemaText(style: invocation.style(for: output)).text(tables))
        }
        try output.finish()
        return .done
    }

    // MARK: Models of Swift

    private func showModels() throws -> ExitCode {
        try checkModelOptions()
        let setup = ModelSetup(invocation)
        SyncCommand(invocation: invocation).report(setup.problems)
        if setup.hasErrors { return .invalidPipeline }
        let files = try SwiftSources.read(invocation, setup)
        let found = files.flatMap { FoundModel.all(in: $0.text, file: $0.path) }
        for model in found {
            guard let reason = model.reason else { continue }
            invocation.log.report(
                .modelInexact, "\(model.file): `\(model.name)` cannot be a model: \(reason).",
                [(.file, .text(model.file))])
        }
        let entity = arguments.text(.entity)
        let tables = ModelTable.all(found).filter { entity == nil || $0.entity == entity }
        if tables.isEmpty {
            let which = entity.map { " of the entity `\($0)`" } ?? ""
            throw Failure(.failed, "There is no model\(which) in \(CountText.of(files.count, "Swift file")).")
        }
        let output = try invocation.openOutput()
        if arguments.text(.schemaFormat) == "json" {
            try output.write(ModelSchemaJSON.text(tables, files: files.map(\.path)))
        } else {
            try output.write(ModelSchemaText(style: invocation.style(for: output)).text(tables))
        }
        try output.finish()
        return .done
    }

    private func checkModelOptions() throws {
        let others: [(OptionSpec.ID, String)] = [(.store, "--store"), (.pipeline, "--pipeline")]
        let name = others.first { arguments.has($0.0) }?.1 ?? arguments.storePaths.first
        if let name {
            throw Failure(
                .usage,
                "`--swift` shows what models say and reads no store, so that `\(name)` says nothing. Leave it out.")
        }
        if arguments.text(.schemaFormat) == "mermaid" {
            throw Failure(.usage, "`--format mermaid` draws the tables of a store. With `--swift` it is text or json.")
        }
    }
}
