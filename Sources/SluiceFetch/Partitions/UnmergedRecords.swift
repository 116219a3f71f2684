internal import SluiceDecode
package import SluiceModel
package import SluiceStore

/// What a source says of records now where the base does not have it: of those in conflict and of those in quarantine.
package struct UnmergedRecords {
    private let conflicts: any ConflictLedger
    private let mapping: RecordMapping
    private let schema: RecordSchema
    private let quarantined: Set<ExactText>

    /// - Parameters:
    ///   - schema: What fills the table.
    ///   - store: The store, as the records' stream was merged.
    /// - Throws: `StoreError`.
    package init(of schema: RecordSchema, in store: any RecordStore) throws {
        (conflicts, mapping, self.schema) = (store.conflicts, schema.source, schema)
        quarantined = Set(try store.quarantine.openKeys(of: schema.source).compactMap { $0.key.map { ExactText($0) } })
    }

    /// Whether a record waits in quarantine, so that nothing of what its source says now is known but its key.
    package func isQuarantined(_ key: RecordKey) -> Bool {
        !quarantined.isEmpty && quarantined.contains(ExactText(FieldJSON.object(key: key, schema: schema)))
    }

    /// The source's values of the fields over which a record is in conflict, by the fields' positions, and the last run that
    /// changed one of these conflicts.
    ///
    /// - Throws: `StoreError`.
    package func disputed(_ key: RecordKey) throws -> (values: [Int: FieldValue], lastRun: Int64?) {
        var values: [Int: FieldValue] = [:]
        var lastRun: Int64?
        for entry in try conflicts.open(of: mapping, key: FieldJSON.object(key: key, schema: schema)) {
            guard let field = schema.fields.firstIndex(where: { $0.name == entry.field }), let remote = entry.remote,
                let value = StoredJSON().value(remote, type: schema.fields[field].type)
            else { continue }
            values[field] = value
            lastRun = [lastRun, entry.lastRun].compactMap(\.self).max()
        }
        return (values, lastRun)
    }
}
