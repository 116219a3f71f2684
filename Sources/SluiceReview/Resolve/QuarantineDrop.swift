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

    /// Drops an entry. Where it kept an edit, see ``RecordTable/localRows(_:)``, its row counts as one that nobody edited
    /// from then on: what the source says next is taken.
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
        guard !before[field].isNull, try table.localRow(key)?[field].isNull == true,
            var base = try table.baseRow(key), base.entries[field] != BaseEntry.none,
            base.entries[field] != BaseEntry.null
        else { return }
        base.entries[field] = .none
        (base.rowHash, base.lastRun) = (BaseImage.voidHash, run)
        _ = try ReviewTable(table, in: store, run: run).writer.write([
            RecordPlan(writing: RecordWrite(key: key, row: .none, base: base))
        ])
        // Its record has to be read again, although its source did not change since.
        try store.state.set(.validators, to: nil, pipeline: mapping.pipeline, stream: mapping.stream)
    }
}
