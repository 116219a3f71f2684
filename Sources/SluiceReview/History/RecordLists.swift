internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// Puts together what a store knows of the records that stand within one record.
struct RecordLists {
    let store: any RecordStore

    /// The records that stand within a record, by entity.
    ///
    /// - Parameters:
    ///   - owner: The record's key.
    ///   - mapping: What fills its table.
    /// - Returns: What the source gave and what the tables hold; entities of which there is nothing are left out.
    /// - Throws: `StoreError`.
    func lists(within owner: RecordKey, of mapping: RecordMapping) throws -> [RecordLife.List] {
        try ChildRows.all(of: mapping, in: store).compactMap { rows in
            let table = rows.table
            let (live, held) = try (table.liveKeys(under: [owner])[0], table.rowKeys(under: [owner])[0])
            let text = ListText(schema: table.schema)
            let conflict = try store.conflicts.entries(of: table.schema.source, key: text.name(of: owner))
                .last { $0.isOfList && $0.status == .open }
            if live.isEmpty && held.isEmpty && conflict == nil { return nil }
            let keys = Array(Set(live).union(held)).sorted()
            let (bases, locals) = try (table.baseRows(keys), table.localRows(keys))
            let facts = ListFacts(
                live: live, rows: held,
                keys.indices.map { RecordFacts(key: keys[$0], base: bases[$0], local: locals[$0]) })
            let names = keys.map { FieldJSON.object(key: $0, schema: table.schema) }
            let open = try store.conflicts.open(of: table.schema.source, keys: names).values.joined()
            return RecordLife.List(
                mapping: table.schema.source, table: table.schema.table, said: text.base(facts),
                held: text.local(facts.values),
                isEdited: try rows.conditions(under: [owner])[0] != .clean || !Set(live).isSubset(of: held),
                conflict: conflict, elementConflicts: open.compactMap(\.id).sorted())
        }
    }
}
