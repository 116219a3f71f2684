internal import SluiceDecode
package import SluiceModel
package import SluiceStore

/// What a source says of records now where the base does not have it: of those in conflict and of those in quarantine.
package struct UnmergedRecords {
    private let conflicts: any ConflictLedger
    private let mapping: RecordMapping
    private let schema: RecordSchema
    private let quarantined: Set<ExactText>
    /// How many records wait in quarantine; those without a readable key count as one.
    package let quarantinedCount: Int

    /// - Parameters:
    ///   - schema: What fills the table.
    ///   - store: The store, as the records' stream was merged.
    /// - Throws: `StoreError`.
    package init(of schema: RecordSchema, in store: any RecordStore) throws {
        (conflicts, mapping, self.schema) = (store.conflicts, schema.source, schema)
        let keys = try store.quarantine.openKeys(of: schema.source).map(\.key)
        quarantined = Set(keys.compactMap { $0.map { ExactText($0) } })
        quarantinedCount = quarantined.count + (keys.contains(nil) ? 1 : 0)
    }

    /// Whether a record waits in quarantine, so that nothing of what its source says now is known but its key.
    package func isQuarantined(_ key: RecordKey) -> Bool {
        !quarantined.isEmpty && quarantined.contains(ExactText(FieldJSON.object(key: key, schema: schema)))
    }

    /// What the source says where it and the store disagree about a record.
    package struct Disputed {
        /// The source's values by the fields' positions: of fields in conflict, and of all where it is the whole record.
        package var values: [Int: FieldValue] = [:]
        /// The fields of which the conflict has the source's value in another type than they have now.
        package var unreadable: Set<Int> = []
        /// Whether the source has left the record out.
        package var isGone = false
        /// The last run that changed one of the conflicts.
        package var lastRun: Int64?
    }

    /// What the source says in the open conflicts of a record.
    ///
    /// - Throws: `StoreError`.
    package func disputed(_ key: RecordKey) throws -> Disputed {
        var disputed = Disputed()
        for entry in try conflicts.open(of: mapping, key: FieldJSON.object(key: key, schema: schema)) {
            if entry.isOfGoneRecord { disputed.isGone = true }
            guard let remote = entry.remote else { continue }
            let json = StoredJSON()
            for (name, said) in entry.field.map({ [(name: $0, json: remote)] }) ?? json.members(remote) ?? [] {
                guard let field = schema.fields.firstIndex(where: { $0.name == name }) else { continue }
                if let value = json.value(said, type: schema.fields[field].type) {
                    disputed.values[field] = value
                } else {
                    disputed.unreadable.insert(field)
                }
            }
            disputed.lastRun = [disputed.lastRun, entry.lastRun].compactMap(\.self).max()
        }
        return disputed
    }
}
