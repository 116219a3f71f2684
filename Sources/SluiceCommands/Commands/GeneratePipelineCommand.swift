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
        let choice = try StoreChoice(invocation)
        let pipeline = try StoreReading.told(choice) {
            let (found, store) = (try tables(names, in: choice), choice.address)
            let known = try known(store)
            // What a secret names stands in no file.
            return TablePipeline(
                of: found, name: choice.isSecret ? Self.secretName : store.shortName,
                store: choice.isSecret ? nil : store.url, url: arguments.text(.url),
                knowing: try known.map { try filled(found, in: $0) } ?? [:], beside: try known?.runs.pipelines() ?? [])
        }
        var notes = pipeline.notes
        if choice.isSecret {
            notes.comment.append("Its `store` is left out, since a secret names it: write it as your pipelines do.")
        }
        let path = output == "-" ? "\(pipeline.definition.name).yaml" : output
        let writer = PipelineWriter(pipeline.definition, file: path, notes: notes)
        let remedy = arguments.has(.url) ? "Name another `--url`, or leave it out." : "This is a bug in sluice."
        try PipelineFile(writer, path: output, of: "What was found", remedy: remedy, invocation).write()
        return .done
    }

    /// What several tables of a store are called whose name is a secret.
    private static let secretName = "tables"

    // MARK: Tables

    private func tables(_ names: [String], in store: StoreChoice) throws -> [AdoptableTable] {
        let backend = invocation.backend(store.address)
        if let file = backend.traits.file, FileSystem.kind(of: file) == nil {
            throw Failure(.failed, "The \(store.name) does not exist. \(backend.traits.remedyWhereMissing)")
        }
        let reader = try backend.adoptableTables(busyMilliseconds: arguments.busyMilliseconds)
        var tables: [AdoptableTable] = []
        for name in names {
            let table = try table(name, reader, store)
            if !tables.contains(where: { $0.name == table.name }) { tables.append(table) }
        }
        return tables
    }

    /// The store; nil where the database is none yet.
    private func known(_ store: StoreAddress) throws -> (any RecordStore)? {
        do {
            return try invocation.backend(store).openToRead(busyMilliseconds: arguments.busyMilliseconds)
        } catch let error as StoreError where error.code == .notAStore { return nil }
    }

    /// What a store knows of tables that pipelines fill already.
    private func filled(_ tables: [AdoptableTable], in store: any RecordStore) throws -> [String: FilledTable] {
        let stored = try store.tables(pipelines: nil, entity: nil)
        return try tables.reduce(into: [:]) { found, table in
            let sources = try store.sources(of: table.name)
            if sources.isEmpty { return }
            let schemas = try sources.compactMap { source in
                try store.knownTable(pipeline: source.pipeline, stream: source.stream, entity: source.entity)?.schema
            }
            // A source that only refers to its records may know less of them.
            let whole = schemas.first { schema in schemas.allSatisfy { $0.fields.count <= schema.fields.count } }
            found[table.name] = FilledTable(
                sources: sources, schema: whole,
                columns: stored.first { ColumnName.areSame($0.name, table.name) }?.columns ?? [])
        }
    }

    private func table(_ name: String, _ reader: any AdoptableTables, _ store: StoreChoice) throws -> AdoptableTable {
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
                .failed, "The \(store.name) has no table `\(name)`. \(hint(name, try reader.names()))")
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
