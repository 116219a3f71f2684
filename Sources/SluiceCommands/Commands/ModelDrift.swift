internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceStore
internal import SluiceStores
internal import SluiceSwiftModels

/// Where Swift models are no longer as pipelines and stores are.
struct ModelDrift {
    /// A property whose column the store's table lacks.
    struct Column {
        let table: String
        let column: String
        let type: String
        let property: String
    }

    let modelCount: Int
    let fileCount: Int
    /// What models and pipelines do not agree on, and what is wrong with rules: errors and warnings.
    let problems: [Diagnostic]
    /// In the order of the models.
    let columns: [Column]

    /// Whether something is not as it was. Properties of a program's own and those that a model lacks are its business.
    var isDrifting: Bool { !problems.isEmpty || !columns.isEmpty }

    /// Compares models.
    ///
    /// - Parameters:
    ///   - files: The Swift files.
    ///   - setup: The configuration.
    ///   - jobs: The pipelines with their stores.
    ///   - invocation: The command.
    init(_ files: [SwiftSources.File], _ setup: ModelSetup, _ jobs: [SyncJob], _ invocation: Invocation) {
        let command = ModelCommandLine(setup.words(invocation.arguments))
        let check = ModelCheck(files, jobs.map(\.pipeline), exactly: false, setup.configuration, command)
        modelCount = check.modelCount
        fileCount = files.count
        problems = check.problems.filter { $0.severity != .note }
        let models = ModelTable.all(files.flatMap { FoundModel.all(in: $0.text, file: $0.path) })
        var columns: [Column] = []
        for job in jobs {
            let filled = Set(job.pipeline.entities.map { $0.table.lowercased() })
            let own = models.filter { filled.contains($0.name.lowercased()) }
            // A store that cannot be read is told of with its pipeline.
            let tables = own.isEmpty ? [] : (try? Self.tables(of: job.store, invocation)) ?? []
            for model in own { columns += Self.missing(model, tables) }
        }
        self.columns = columns
    }

    private static func missing(_ model: ModelTable, _ tables: [StoredTable]) -> [Column] {
        guard let table = tables.first(where: { $0.name.lowercased() == model.name.lowercased() }),
            !table.columns.isEmpty
        else { return [] }
        let known = Set(table.columns.map { $0.name.lowercased() })
        return model.columns.filter { !known.contains($0.name.lowercased()) }.map { column in
            Column(table: table.name, column: column.name, type: model.type, property: column.property)
        }
    }

    private static func tables(of store: StoreAddress, _ invocation: Invocation) throws -> [StoredTable] {
        let backend = invocation.backend(store)
        guard backend.exists else { return [] }
        let waiting = StoreWaiting(busyMilliseconds: invocation.arguments.busyMilliseconds)
        return try backend.open(.reading, waiting).tables(pipelines: nil, entity: nil)
    }

    // MARK: As text

    /// What drifts, for people.
    func text(style: TextStyle) -> String {
        let models = "\(CountText.of(modelCount, "model")) in \(CountText.of(fileCount, "file"))"
        let headline = "\(style.paint("Swift models", .strong))  \(style.paint("(\(models))", .faint))\n"
        if !isDrifting { return headline + "  Nothing drifts.\n" }
        let rows = columns.map { column in
            "    \(ShortText.of("\(column.table).\(column.column)"))  not there; a program that opens the store adds it for `\(ShortText.of(column.type)).\(ShortText.of(column.property))`\n"
        }
        let missing = rows.isEmpty ? "" : "  Columns that the table lacks:\n" + rows.joined()
        return headline + missing + ProblemsText(style: style).text(problems)
    }

    /// What drifts, for programs: an object.
    var json: String {
        var object = JSONObject()
        object.add("models", modelCount)
        object.add("files", fileCount)
        object.add("drifts", isDrifting)
        object.add("problems", json: JSONObject.array(problems.map { ProblemsJSON.text($0) }))
        object.add(
            "columns",
            json: JSONObject.array(
                columns.map { column in
                    var object = JSONObject()
                    object.add("kind", "missing")
                    object.add("table", column.table)
                    object.add("column", column.column)
                    object.add("model", column.type)
                    object.add("property", column.property)
                    return object.text
                }))
        return object.text
    }
}
