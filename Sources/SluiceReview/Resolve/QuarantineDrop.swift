internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceReport
package import SluiceStore
internal import SluiceSystem

/// Gives records in quarantine up as a person decides, from the store alone.
package struct QuarantineDrop {
    private let store: any RecordStore

    /// Makes it; the store's transaction is the caller's.
    package init(store: any RecordStore) { self.store = store }

    /// Closes entries, as one run for each pipeline, which keeps who did it and when and can be taken back.
    ///
    /// - Parameters:
    ///   - entries: Open entries.
    ///   - who: Who gave them up.
    /// - Returns: The entries as they are kept then, in their order.
    /// - Throws: `StoreError`.
    package func carryOut(_ entries: [QuarantineEntry], who: String?) throws -> [QuarantineEntry] {
        try store.spellKeys()
        var dropped = entries
        for pipeline in Set(entries.map(\.pipeline)).sorted() {
            var run = RunEntry(
                id: try store.runs.nextID(), pipeline: pipeline, command: RunEntry.dropCommand, status: "succeeded",
                startedAt: WallClock.now())
            store.startRecording(run: run.id, naming: FieldJSON.object)
            for index in entries.indices where entries[index].pipeline == pipeline {
                guard let id = entries[index].id else { continue }
                try drop(id, entries[index], run: run.id)
                (dropped[index].status, dropped[index].lastRun) = (.dropped, run.id)
            }
            (run.finishedAt, run.who, run.changes) = (WallClock.now(), who, .kept)
            try store.runs.record(run)
        }
        return dropped
    }

    /// Drops an entry. Where it kept what a row counts as holding, see ``RecordTable/localRows(_:)``, the row counts as one that
    /// nobody edited from then on: what sources say next is taken.
    private func drop(_ id: Int64, _ entry: QuarantineEntry, run: Int64) throws {
        let mapping = entry.mapping
        guard let name = entry.changedField,
            let table = try store.knownTable(
                pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity),
            let field = table.schema.fields.firstIndex(where: { $0.name == name }),
            let key = entry.key.flatMap({ StoredJSON().key($0, schema: table.schema) }),
            let before = try table.localRow(key)
        else { return try store.quarantine.drop(id: id, run: run) }
        try store.quarantine.drop(id: id, run: run)
        guard !before[field].isNull, try table.localRow(key)?[field].isNull == true else { return }
        try forget(field, of: key, table, run: run)
        for source in try store.sources(of: table.schema.table) where source != mapping {
            guard
                let other = try store.knownTable(
                    pipeline: source.pipeline, stream: source.stream, entity: source.entity),
                let same = other.schema.fields.firstIndex(where: {
                    ColumnName.areSame($0.column, table.schema.fields[field].column)
                }), let otherKey = other.schema.key(key, of: table.schema),
                let said = try other.baseRow(otherKey)?.entries[same].value,
                CanonicalRecord(schema: other.schema).same(said, before[field], field: same)
            else { continue }
            try forget(same, of: otherKey, other, run: run)
        }
    }

    /// Has the base of a record say nothing of a field, where it says a value.
    private func forget(_ field: Int, of key: RecordKey, _ table: any RecordTable, run: Int64) throws {
        guard var base = try table.baseRow(key), base.entries[field] != BaseEntry.none,
            base.entries[field] != BaseEntry.null
        else { return }
        base.entries[field] = .none
        (base.rowHash, base.lastRun) = (BaseImage.voidHash, run)
        _ = try ReviewTable(table, in: store, run: run).writer.write([
            RecordPlan(writing: RecordWrite(key: key, row: .none, base: base))
        ])
        // Its record has to be read again, although its source did not change since.
        let (pipeline, stream) = (table.schema.pipeline, table.schema.stream)
        try store.state.set(.validators, to: nil, pipeline: pipeline, stream: stream)
    }
}

extension RecordSchema {
    /// A record's key as this schema has it, of a key that another schema of the table has; nil where that identifies records by
    /// other columns.
    fileprivate func key(_ key: RecordKey, of other: RecordSchema) -> RecordKey? {
        let values = keyFields.compactMap { field in
            zip(other.keyFields, key.values).first {
                ColumnName.areSame(other.fields[$0.0].column, fields[field].column)
            }?.1
        }
        return values.count == key.values.count && values.count == keyFields.count ? RecordKey(values) : nil
    }
}
