internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluiceModel
internal import SluicePipeline
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// `sluice generate pipeline`: a pipeline for tables that another program made.
struct GeneratePipelineCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let names = arguments.texts(.fromTable)
        if names.isEmpty {
            throw Failure(
                .usage, "It needs a table, as in `sluice generate pipeline --from-table books --store sqlite:shop.db`.")
        }
        let output = arguments.text(.output) ?? "-"
        if output != "-" { try PipelineFile.requireNew(output) }
        let store = try StoreAddress.choose(option: arguments.store, environment: invocation.context.environment)
        let tables = try tables(names, in: store)
        let pipeline = TablePipeline(
            of: tables, name: store.shortName, store: store.url, url: arguments.text(.url),
            knowing: try filled(tables, in: store))
        let path = output == "-" ? "\(pipeline.definition.name).yaml" : output
        let writer = PipelineWriter(pipeline.definition, file: path, notes: pipeline.notes)
        let remedy = arguments.has(.url) ? "Name another `--url`, or leave it out." : "This is a bug in sluice."
        try PipelineFile(writer, path: output, of: "What was found", remedy: remedy, invocation).write()
        return .done
    }

    // MARK: Tables

    private func tables(_ names: [String], in store: StoreAddress) throws -> [AdoptableTable] {
        let backend = invocation.backend(store)
        if let file = backend.traits.file, FileSystem.kind(of: file) == nil {
            throw Failure(.failed, "The store `\(store)` does not exist. \(backend.traits.remedyWhereMissing)")
        }
        let reader = try backend.adoptableTables(busyMilliseconds: arguments.busyMilliseconds)
        var tables: [AdoptableTable] = []
        for name in names {
            let table = try table(name, reader, store)
            if !tables.contains(where: { $0.name == table.name }) { tables.append(table) }
        }
        return tables
    }

    /// What the store knows of tables that pipelines fill already; nothing where the database is no store yet.
    private func filled(_ tables: [AdoptableTable], in store: StoreAddress) throws -> [String: FilledTable] {
        let opened: (any RecordStore)?
        do {
            opened = try invocation.backend(store).openToRead(busyMilliseconds: arguments.busyMilliseconds)
        } catch let error as StoreError where error.code == .notAStore { return [:] }
        guard let opened else { return [:] }
        return try tables.reduce(into: [:]) { found, table in
            let sources = try opened.sources(of: table.name)
            if sources.isEmpty { return }
            let schemas = try sources.compactMap { source in
                try opened.knownTable(pipeline: source.pipeline, stream: source.stream, entity: source.entity)?.schema
            }
            // A source that only refers to its records may know less of them.
            let whole = schemas.first { schema in schemas.allSatisfy { $0.fields.count <= schema.fields.count } }
            found[table.name] = FilledTable(sources: sources, schema: whole)
        }
    }

    private func table(_ name: String, _ reader: any AdoptableTables, _ store: StoreAddress) throws -> AdoptableTable {
        switch try reader.find(name) {
        case .table(let table):
            if table.problems.isEmpty { return table }
            throw Failure(
                .failed,
                "No pipeline can adopt the table `\(PrintableText.escape(table.name))`: \(table.problems.joined(separator: "; "))."
            )
        case .other(let kind):
            throw Failure(.failed, "`\(name)` is \(kind), and records need a table of their own.")
        case .nothing:
            throw Failure(
                .failed, "The store `\(store)` has no table `\(name)`. \(hint(name, try reader.names()))")
        }
    }

    /// How many tables are listed at most.
    private static let listed = 20

    private func hint(_ name: String, _ names: [String]) -> String {
        let known = names.map { PrintableText.escape($0) }
        if known.isEmpty { return "It has no table that a pipeline could adopt." }
        let near = Suggestion.nearest(to: name, among: known).map { "Did you mean `\($0)`? " } ?? ""
        let list = known.prefix(Self.listed).map { "`\($0)`" }.joined(separator: ", ")
        let rest = known.count > Self.listed ? " and \(known.count - Self.listed) others" : ""
        return "\(near)It has \(list)\(rest)."
    }
}
