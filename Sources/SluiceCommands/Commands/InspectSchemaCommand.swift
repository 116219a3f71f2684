internal import SluiceStore

/// `sluice inspect schema`: the tables of a store, and where each of their columns comes from.
struct InspectSchemaCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
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
}
