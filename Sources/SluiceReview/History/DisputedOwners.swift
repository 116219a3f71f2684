internal import SluiceModel
internal import SluiceReconcile
internal import SluiceStore

/// The records within which those of a table stand, as far as conflicts over them as a whole are open.
///
/// Until such a conflict is decided, runs take in what the source says within the record, although no row has it. What people
/// deleted is what the table held before.
struct DisputedOwners {
    private struct Owner {
        let mapping: RecordMapping
        let schema: RecordSchema
    }

    private let store: any RecordStore
    /// From the inside to the outside.
    private let owners: [Owner]

    /// Looks for the tables within whose records those of a schema stand.
    ///
    /// - Throws: `StoreError`.
    init(of schema: RecordSchema, in store: any RecordStore) throws {
        self.store = store
        var (owners, inner): ([Owner], RecordSchema) = ([], schema)
        let schemas = try schema.isOwned ? Self.schemas(beside: schema, in: store) : []
        while let target = inner.references.first(where: { $0.onDangling == .owner })?.target,
            let next = schemas.first(where: { ColumnName.areSame($0.table, target) }),
            !owners.contains(where: { $0.mapping == next.source })
        {
            owners.append(Owner(mapping: next.source, schema: next))
            inner = next
        }
        self.owners = owners
    }

    private static func schemas(beside schema: RecordSchema, in store: any RecordStore) throws -> [RecordSchema] {
        try store.mappings(pipeline: schema.pipeline, entity: nil).filter { $0.stream == schema.stream }.compactMap {
            try store.knownTable(pipeline: $0.pipeline, stream: $0.stream, entity: $0.entity)?.schema
        }
    }

    /// The base of a record whose row is gone, as it was when the table held that row.
    ///
    /// - Parameters:
    ///   - base: The base.
    ///   - key: The record.
    ///   - table: Its table.
    /// - Returns: Nil where the source has named the record only since, so that it never had a row.
    /// - Throws: `StoreError`.
    func settled(_ base: BaseRow, of key: RecordKey, _ table: any RecordTable) throws -> BaseRow? {
        guard let opened = try opening(around: key) else { return base }
        let name = FieldJSON.object(key: key, schema: table.schema)
        let since = try store.changes.records(table.schema.source, key: name).first { $0.run >= opened }
        guard let since else { return base }
        guard let image = since.baseBefore, image.state.isLive else { return nil }
        var settled = BaseRow(
            rowHash: image.rowHash, entries: base.entries.map { _ in .none }, state: image.state, isOpen: base.isOpen,
            firstRun: image.firstRun, lastRun: image.lastRun, missedScans: image.missedScans)
        for (slot, field) in table.fieldOfSlot.enumerated() where field >= 0 {
            settled.entries[field] = image.entry(slot)
        }
        return settled
    }

    /// The run that opened the conflict over a record within which another one stands; nil where none is open.
    private func opening(around key: RecordKey) throws -> Int64? {
        for owner in owners {
            let parts = Array(key.values.prefix(owner.schema.keyFields.count))
            let name = FieldJSON.object(key: RecordKey(parts), schema: owner.schema)
            let open = try store.conflicts.open(of: owner.mapping, keys: [name])[ExactText(name)] ?? []
            if let run = open.first(where: { $0.field == nil && !$0.isOfList })?.firstRun { return run }
        }
        return nil
    }
}
