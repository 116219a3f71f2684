internal import SluiceModel
package import SluiceStore

/// Takes back how tables followed the pipeline in one run, where that loses nothing.
package struct SchemaUndo {
    private let database: any SQLDatabase
    private let conversion: FieldConversion
    private let recorder: any ChangeNoting
    private var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Prepares it for a store.
    package init(database: any SQLDatabase, conversion: FieldConversion, recorder: any ChangeNoting) {
        (self.database, self.conversion, self.recorder) = (database, conversion, recorder)
    }

    /// Does it.
    ///
    /// - Parameters:
    ///   - run: The number of the run.
    ///   - entries: What the run changed, the last change first.
    /// - Returns: What was done.
    /// - Throws: `StoreError` where something would be lost; then nothing may be kept of the transaction.
    package func perform(run: Int64, _ entries: [RecordedEntry]) throws -> [SchemaChange] {
        var changes: [SchemaChange] = []
        var types: [RecordedEntry] = []
        var keys: [RecordedEntry] = []
        var objects: [RecordedEntry] = []
        for entry in entries {
            switch SchemaChange.Kind(rawValue: entry.kind) {
            case .createIndex: changes += try dropIndex(entry)
            case .dropIndex: changes += try createIndex(entry, run)
            case .changeType: types.append(entry)
            case .changeKey: keys.append(entry)
            case .leaveOutObject: objects.append(entry)
            case .forgetSource:
                let name = entry.field.map { "`\($0)` of `\(entry.mapping.entity)`" } ?? "`\(entry.mapping.entity)`"
                throw refusal(
                    run, "gave up \(name), as `--allow-schema drop` said",
                    "what the source \(entry.mapping.path) said of it is kept no longer.")
            default: continue
            }
        }
        if !types.isEmpty { changes += try changeTypes(types, run) }
        if !keys.isEmpty { changes += try changeKeys(keys, run) }
        return try changes + objects.reversed().compactMap(restore)
    }

    /// Makes an index, view or trigger of people again that the run could not make again.
    ///
    /// - Returns: Whether it is there again; nil where the entry names none.
    private func restore(_ entry: RecordedEntry) throws -> SchemaChange? {
        guard let sql = entry.old, let table = entry.key else { return nil }
        let isBack = try database.restore(sql)
        var change = SchemaChange(table: table, kind: isBack ? .restoreObject : .leaveOutObject, sql: sql)
        if isBack { change.statements = [sql] }
        return change
    }

    private func refusal(_ run: Int64, _ what: String, _ reason: String) -> StoreError {
        StoreError(
            .mismatch,
            "Run \(run) \(what), and that cannot be taken back: \(reason) To take back all else by hand, see run \(run) in the history."
        )
    }

    // MARK: Indexes

    private func dropIndex(_ entry: RecordedEntry) throws -> [SchemaChange] {
        guard let name = entry.field, let table = try registry.tables(of: EntityRegistry.name(entry.mapping))?.table,
            try database.index(name, of: table) != nil, try registry.entry("index", "\(table)/\(name)") != nil
        else { return [] }
        let sql = "DROP INDEX \(database.table(name))"
        let (_, statements) = try database.monitor.statements { try database.dropIndex(name, of: table) }
        try registry.remove("index", "\(table)/\(name)")
        return [try change(table, .dropIndex, sql, statements.map(\.sql))]
    }

    private func createIndex(_ entry: RecordedEntry, _ run: Int64) throws -> [SchemaChange] {
        guard let name = entry.field, let made = entry.old, let columns = entry.key,
            let table = try registry.tables(of: EntityRegistry.name(entry.mapping))?.table,
            try database.index(name, of: table) == nil
        else { return [] }
        // Table and columns may have other names by now.
        let list = SQLText.list(columns.split(separator: "\n").map(String.init))
        let rows = made.hasSuffix(DeletionMark.isNotSet) ? " WHERE \(DeletionMark.isNotSet)" : ""
        let sql = "CREATE UNIQUE INDEX \(SQLText.quoted(name)) ON \(database.table(table)) (\(list))\(rows)"
        if let refused = try database.attempt({ try database.execute(sql) }) {
            throw refusal(
                run, "dropped the index `\(name)`",
                "rows of `\(table)` have the same values by now (\(refused.message)). Correct the rows, and undo the run then."
            )
        }
        try registry.put("index", "\(table)/\(name)", columns)
        return [try change(table, .createIndex, sql, [sql])]
    }

    private func change(
        _ table: String, _ kind: SchemaChange.Kind, _ sql: String, _ statements: [String]
    ) throws -> SchemaChange {
        var change = SchemaChange(table: table, kind: kind, sql: sql)
        change.statements = statements
        change.rows = try database.count(of: table)
        return change
    }

    // MARK: Types

    private func changeTypes(_ entries: [RecordedEntry], _ run: Int64) throws -> [SchemaChange] {
        var schemas: [RecordMapping: RecordSchema] = [:]
        for entry in entries {
            guard let name = entry.field, let old = entry.old.flatMap(StoredType.init),
                let new = entry.new.flatMap(StoredType.init),
                var schema = try schemas[entry.mapping] ?? TableLayout.known(entry.mapping, database)?.schema,
                let field = schema.fields.firstIndex(where: { $0.name == name }),
                let slot = try registry.slots(of: EntityRegistry.name(entry.mapping)).first(where: { $0.field == name })
            else { continue }
            // It went back by itself.
            if old.isThat(of: slot) { continue }
            guard new.isThat(of: slot) else {
                throw refusal(
                    run, "gave `\(name)` of `\(entry.mapping.entity)` the type \(new.type.rawValue)",
                    "a later run gave it \(slot.type == new.type ? "other values" : "the type \(slot.type.rawValue)"). Undo that run first."
                )
            }
            schema.fields[field].type = old.type
            schema.fields[field].allowed = old.allowed ?? []
            schemas[entry.mapping] = schema
        }
        var conversion = conversion
        conversion.misfits = .refuse
        let ordered = schemas.values.sorted { EntityRegistry.name($0.source) < EntityRegistry.name($1.source) }
        var types = TypeConversion(database: database, conversion: conversion, recorder: recorder)
        types.undone = run
        do {
            return try types.perform(ordered)
        } catch let error as StoreError where error.code == .mismatch {
            let names = entries.compactMap(\.field).map { "`\($0)`" }
            throw refusal(run, "changed the type of \(names.joined(separator: ", "))", error.message)
        }
    }

    // MARK: Identifiers

    private func changeKeys(_ entries: [RecordedEntry], _ run: Int64) throws -> [SchemaChange] {
        let back = MappingReturn(
            try entries.compactMap { entry in
                guard let old = entry.old.flatMap(MappingSnapshot.init),
                    let new = entry.new.flatMap(MappingSnapshot.init),
                    let now = try MappingSnapshot(of: entry.mapping, database),
                    let table = try registry.tables(of: EntityRegistry.name(entry.mapping))?.table
                else { return nil }
                return MappingReturn.Change(mapping: entry.mapping, table: table, old: old, new: new, now: now)
            })
        var schemas: [RecordSchema] = []
        for change in back.changes {
            switch back.standing(of: change) {
            // What refers to a record of another identifier has its own identifier still.
            case .wentBack: continue
            case .changedAgain:
                throw refusal(
                    run, "changed the identifier of `\(change.mapping.entity)`",
                    "a later run changed it again. Undo that run first.")
            case .same:
                if let schema = try back.snapshot(of: change).schema(change.mapping, database) {
                    schemas.append(schema)
                }
            }
        }
        do {
            var change = KeyChange(
                database: database, conversion: conversion, schemas: schemas, recorder: recorder)
            return try change.perform()
        } catch let error as StoreError where error.code == .mismatch {
            throw refusal(run, "changed identifiers", error.message)
        }
    }
}
