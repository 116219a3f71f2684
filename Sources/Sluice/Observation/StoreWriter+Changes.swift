internal import SluiceDecode
internal import SluiceModel
internal import SluiceSQLite
internal import SluiceSQLiteStore
internal import SluiceStore

extension StoreWriter {
    /// How far changes were looked at.
    struct Mark: Sendable, Equatable {
        /// A number that changes with each commit of another connection. See: sqlite.org/pragma.html#pragma_data_version
        var version: Int64
        /// The newest run.
        var run: Int64
    }

    /// A number that changes with each commit of another connection; nil where it cannot be told, as where what is open to be
    /// read alone may stand beside the file.
    func version() -> Int64? {
        if case .read = access { return nil }
        return try? store.connection.integer("PRAGMA data_version")
    }

    /// The state from which changes are told.
    func mark() throws -> Mark {
        try SluiceError.translating {
            Mark(
                version: try store.connection.integer("PRAGMA data_version") ?? 0,
                run: try runs(limit: 1).first?.id ?? 0)
        }
    }

    /// A file that is only read may be no store of runs.
    private func runs(limit: Int) throws -> [RunEntry] {
        if case .read = access { return (try? store.runs.list(pipeline: nil, limit: limit)) ?? [] }
        return try store.runs.list(pipeline: nil, limit: limit)
    }

    /// What was committed since a state.
    ///
    /// - Parameters:
    ///   - models: The models that are looked at.
    ///   - mark: The state.
    ///   - number: By which the program's own commits are kept.
    /// - Returns: The change, nil where nothing of the models changed, and the state now.
    /// - Throws: ``SluiceError``.
    func change(
        of models: [any PersistentModel.Type], since mark: Mark, _ number: Int
    ) throws -> (change: StoreChange?, mark: Mark) {
        try SluiceError.translating {
            var touched = log.take(number)
            let now = try self.mark()
            let most = 100
            let newest = now.run == mark.run ? [] : try runs(limit: most)
            let new = newest.filter { $0.id > mark.run }
            let others = new.filter { !touched.runs.contains($0.id) }
            // Somebody else wrote, and no run tells what; or there are more runs than were looked at.
            if now.version != mark.version && others.isEmpty || new.count == most { touched.touchEverything() }
            for run in new {
                for model in models {
                    let description = model.modelDescription
                    let keys = try keys(of: run, description)
                    touched.touch(description.table, keys)
                    // No history has what became of references that no source fills.
                    if !touched.settledRuns.contains(run.id), run.inserted + run.deleted > 0,
                        description.fields.contains(where: { $0.reference != nil }),
                        try store.sources(of: description.table).isEmpty
                    {
                        touched.touch(description.table, nil)
                    }
                }
            }
            let found = models.compactMap { model -> (model: any PersistentModel.Type, keys: Set<[BoxedValue]>?)? in
                if touched.isEverything { return (model, nil) }
                guard let keys = touched.tables[model.modelDescription.table.lowercased()], keys?.isEmpty != true else {
                    return nil
                }
                return (model, keys)
            }
            if found.isEmpty { return (nil, now) }
            return (StoreChange(runs: new.map { Int($0.id) }.sorted(), touched: found), now)
        }
    }

    /// The keys of the records of a model that a run changed; nil where there are too many.
    private func keys(of run: RunEntry, _ description: ModelDescription) throws -> Set<[BoxedValue]>? {
        var found: Set<[BoxedValue]> = []
        // What leads to a record that a run takes away or brings back may be of another source.
        let mappings = try store.sources(of: description.table) + store.edits(of: description.table)
        var tables: [RecordMapping: any RecordTable] = [:]
        for mapping in mappings {
            let table = try store.knownTable(
                pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
            guard let table, table.schema.table.lowercased() == description.table.lowercased() else { continue }
            tables[mapping] = table
            let new = try table.keys(firstWrittenBy: run.id, after: nil, limit: TouchedRecords.most)
            found.formUnion(new.compactMap { boxed($0, table.schema, description) })
        }
        var last: Int64?
        while found.count < TouchedRecords.most {
            let changes = try store.changes.records(run: run.id, order: .oldestFirst, beyond: last, limit: 1_000)
            guard let end = changes.last?.id else { return found }
            last = end
            for change in changes {
                guard let schema = tables[change.mapping]?.schema, change.action != .base,
                    let key = recordKey(change.key, schema).flatMap({ boxed($0, schema, description) })
                else { continue }
                found.insert(key)
            }
        }
        return nil
    }

    /// Records what a decision changed: a record, and with a record that comes or goes what leads to it and what belongs to it.
    func record(_ decided: ConflictEntry, _ references: ReferenceOutcome) throws {
        var touched = TouchedRecords()
        let table = try store.knownTable(
            pipeline: decided.pipeline, stream: decided.stream, entity: decided.entity)
        guard let table, decided.field != nil, let description = descriptions[table.schema.table.lowercased()],
            !table.schema.fields.contains(where: { $0.name == decided.field && $0.isLink }),
            let key = recordKey(decided.key, table.schema), let boxed = boxed(key, table.schema, description)
        else {
            touched.touchEverything()
            return log.add(touched)
        }
        touched.touch(description.table, [boxed])
        record(references, in: &touched)
        log.add(touched)
    }

    /// Records the tables of which references were taken away or lead to their records again, where the history has no word of it.
    func record(_ references: ReferenceOutcome, in touched: inout TouchedRecords) {
        let names = Set([references.deferred, references.cleared, references.linked].flatMap(\.keys))
        for table in descriptions.keys where names.contains(where: { $0.lowercased().hasPrefix(table + ".") }) {
            if (try? store.sources(of: table))?.isEmpty != false { touched.touch(table, nil) }
        }
        let emptied = references.emptied.keys.map(\.table)
        for table in Set(references.cascaded.keys).union(references.cascadedKept.keys).union(emptied) {
            touched.touch(table, nil)
        }
    }

    /// A key that the history keeps as a JSON object.
    private func recordKey(_ json: String, _ schema: RecordSchema) -> RecordKey? {
        guard let members = StoredJSON().members(json) else { return nil }
        let values = schema.keyFields.map { index -> FieldValue? in
            let field = schema.fields[index]
            return members.first { $0.name == field.name }.flatMap { StoredJSON().value($0.json, type: field.type) }
        }
        return values.contains(nil) ? nil : RecordKey(values.compactMap { $0 })
    }

    /// A key in the order of the model's identifier.
    private func boxed(_ key: RecordKey, _ schema: RecordSchema, _ description: ModelDescription) -> [BoxedValue]? {
        let columns = schema.keyFields.map { schema.fields[$0].column.lowercased() }
        let places = description.keyColumns.map { columns.firstIndex(of: $0.lowercased()) }
        guard !places.contains(nil), key.values.count == columns.count else { return nil }
        return places.compactMap { $0 }.map { BoxedValue(key.values[$0]) }
    }
}
