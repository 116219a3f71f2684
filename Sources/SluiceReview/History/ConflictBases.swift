internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
package import SluiceStore

/// Says of open conflicts what the base of their records tells: why one has none, and of a whole record what the source
/// said of it before.
package final class ConflictBases {
    private let store: any RecordStore
    private let json = StoredJSON()
    private var otherSources: [RecordMapping: OtherSourceLedger] = [:]
    private var tables: [RecordMapping: (any RecordTable)?] = [:]

    /// Makes one for a store that is open.
    package init(store: any RecordStore) { self.store = store }

    /// Conflicts with the reason why they have no base, as far as it is known, and those over whole records with their base.
    ///
    /// The base of a record advances when its conflict is closed. One over a whole record that was decided keeps it; of others
    /// that are closed nothing is known.
    ///
    /// - Parameter entries: Conflicts of the store.
    /// - Returns: The same conflicts.
    /// - Throws: `StoreError`.
    package func explained(_ entries: [ConflictEntry]) throws -> [ConflictEntry] {
        try entries.map { entry in
            var entry = entry
            if entry.base == nil {
                entry.base = try said(of: entry)
                entry.baseAbsence = try absence(of: entry)
            }
            return entry
        }
    }

    /// What the source said before of the record that a conflict is about as a whole, as far as the base has values.
    private func said(of entry: ConflictEntry) throws -> String? {
        guard entry.status == .open, entry.field == nil, !entry.isOfList, let table = try table(entry.mapping),
            let key = json.key(entry.key, schema: table.schema), var base = try table.baseRow(key)
        else { return nil }
        // It was edited beside what those say that list it.
        if base.state == .statedTombstone { base.entries = try standing(key, base, table) }
        return CanonicalRecord(schema: table.schema).said(by: base, of: key)
    }

    /// What the row of a record holds where nobody changed it, by all its sources.
    private func standing(_ key: RecordKey, _ base: BaseRow, _ table: any RecordTable) throws -> [BaseEntry] {
        let mapping = table.schema.source
        let others = try otherSources[mapping] ?? OtherSourceLedger(of: table.schema, in: store, asMerged: true)
        otherSources[mapping] = others
        return others.others.standing(of: try others.records(key), beside: base)
    }

    private func absence(of entry: ConflictEntry) throws -> BaseAbsence? {
        guard entry.status == .open, let name = entry.field, let table = try table(entry.mapping),
            let key = json.key(entry.key, schema: table.schema),
            let field = table.schema.fields.firstIndex(where: { $0.name == name })
        else { return nil }
        return CanonicalRecord(schema: table.schema).absence(of: try table.baseRow(key)?.entries[field], field: field)
    }

    private func table(_ mapping: RecordMapping) throws -> (any RecordTable)? {
        if let known = tables[mapping] { return known }
        let table = try store.knownTable(pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
        tables[mapping] = .some(table)
        return table
    }
}
