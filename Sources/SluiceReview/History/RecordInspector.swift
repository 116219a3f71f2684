internal import SluiceDecode
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
package import SluiceStore

/// Puts together what a store knows of one record.
package struct RecordInspector {
    private let store: any RecordStore
    private let reader: HistoryReader
    private let json = StoredJSON()

    /// Makes an inspector of a store that is open.
    package init(store: any RecordStore) {
        self.store = store
        reader = HistoryReader(store: store)
    }

    /// Looks a record up in every stream that fills its entity.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - text: The key as a person gives it: `42`, `"a b"`, or `field=value,field=value`.
    ///   - pipelines: The pipelines to look at, nil for all.
    /// - Returns: What is known, by stream; nothing where no stream knows the record.
    /// - Throws: `StoreError`, and ``KeyProblem`` where the entity or the key is not understood.
    package func lives(entity: String, key text: String, pipelines: [String]?) throws -> [RecordLife] {
        let known = try store.mappings(pipeline: nil, entity: nil)
            .filter { pipelines?.contains($0.pipeline) ?? true }
        let mappings = known.filter { $0.entity == entity }
        if mappings.isEmpty { throw KeyProblem.entity(known: known) }
        return try mappings.compactMap { mapping in
            guard let table = try reader.table(mapping) else { return nil }
            return try life(mapping, table, KeyText(schema: table.schema, json: json).key(text))
        }
    }

    private func life(_ mapping: RecordMapping, _ table: any RecordTable, _ key: RecordKey) throws -> RecordLife? {
        let schema = table.schema
        let name = FieldJSON.object(key: key, schema: schema)
        let (base, local) = try (table.baseRow(key), table.localRow(key))
        // A row that is there and yet is none is marked as deleted.
        let marked = try local == nil ? table.wholeRow(key)?["_deleted_at"] : nil
        let records = try store.changes.records(mapping, key: name)
        let quarantine = try store.quarantine.entries(of: mapping, key: name)
        if base == nil && local == nil && records.isEmpty && quarantine.isEmpty { return nil }
        var runs: [Int64: RunEntry] = [:]
        for id in records.map(\.run) + [base?.firstRun, base?.lastRun].compactMap({ $0 }) where runs[id] == nil {
            runs[id] = try store.runs.entry(id: id)
        }
        // Old runs are forgotten first, so what the first one changed is kept only if all is.
        let isCut = base?.firstRun.map { runs[$0]?.changes != .kept } ?? false
        let setters = RecordSetters(
            schema: schema, records: records, firstRun: isCut ? nil : base?.firstRun, isThere: local != nil)
        let state: RecordLife.State =
            switch base?.state {
            case nil: local == nil ? .forgotten : .unmanaged
            case .live: .live
            case .remoteTombstone: .remoteTombstone
            case .localTombstone: .localTombstone
            case .statedTombstone: .statedTombstone
            case .overruled: .overruled
            }
        return RecordLife(
            mapping: mapping, table: schema.table, key: name, state: state, isThere: local != nil,
            markedAt: marked.flatMap {
                if case .text(let text) = $0 { String(decoding: text, as: UTF8.self) } else { nil }
            },
            firstRun: base?.firstRun, lastRun: base?.lastRun,
            fields: try fields(table, key, base: base, local: local, setters),
            changes: try records.reversed().map { try reader.change($0) },
            conflicts: try ConflictBases(store: store).explained(try conflicts(of: key, mapping, schema)),
            quarantine: quarantine, runs: runs,
            isCut: isCut)
    }

    /// The conflicts over a record, and those over the list that it is an element of.
    private func conflicts(
        of key: RecordKey, _ mapping: RecordMapping, _ schema: RecordSchema
    ) throws -> [ConflictEntry] {
        let own = try store.conflicts.entries(of: mapping, key: FieldJSON.object(key: key, schema: schema))
        guard key.values.count > 1 else { return own }
        let list = FieldJSON.object(key: ListText.owner(of: key), schema: schema)
        return try own + store.conflicts.entries(of: mapping, key: list).filter(\.isOfList)
    }

    private func fields(
        _ table: any RecordTable, _ key: RecordKey, base: BaseRow?, local: [FieldValue]?, _ setters: RecordSetters
    ) throws -> [RecordLife.Field] {
        let schema = table.schema
        let waiting = try table.waitingTargets(key)
        let canonical = CanonicalRecord(schema: schema)
        let said = base.map { canonical.sides(of: $0.entries) }
        let held = local.map { canonical.sides(of: $0) }
        return schema.fields.indices.map { index in
            var isEdited = false
            if let said, let held {
                isEdited = held[index] != (said[index] == .nothing ? schema.fields[index].unsaid : said[index])
            }
            let reference = schema.references.first { $0.fields.contains(index) && waiting[$0.name] != nil }
            return RecordLife.Field(
                name: schema.fields[index].name, value: local.map { canonical.text($0[index], field: index) },
                base: base?.entries[index].value.map { canonical.text($0, field: index) }, isEdited: isEdited,
                run: isEdited ? nil : setters.runs[schema.fields[index].name],
                waitsFor: reference.flatMap { waiting[$0.name] }?.map(Self.text) ?? [],
                target: reference?.target ?? "")
        }
    }
}

extension RecordInspector {
    /// A key as a JSON array.
    fileprivate static func text(_ key: RecordKey) -> String {
        let values = key.values.map { value in
            if case .text = value { return FieldJSON.text(value, type: .string) }
            return FieldJSON.text(value, type: .json)
        }
        return "[" + values.joined(separator: ",") + "]"
    }
}

/// Which run wrote each field of a row that is there.
private struct RecordSetters {
    private(set) var runs: [String: Int64] = [:]

    init(schema: RecordSchema, records: [RecordedChange], firstRun: Int64?, isThere: Bool) {
        guard isThere else { return }
        let isAdopted = records.contains { $0.baseBefore == nil && $0.action != .insert && $0.run == firstRun }
        if let firstRun, !isAdopted { set(schema.fields.map(\.name), firstRun) }
        for record in records {
            switch record.action {
            case .insert: set(schema.fields.map(\.name), record.run)
            case .update: set(record.columns.filter(\.isField).map(\.name), record.run)
            case .delete: runs.removeAll()
            case .base: break
            }
        }
    }

    private mutating func set(_ fields: [String], _ run: Int64) { for field in fields { runs[field] = run } }
}
