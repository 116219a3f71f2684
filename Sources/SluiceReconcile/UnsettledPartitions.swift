package import SluiceDecode
package import SluiceModel
package import SluicePipeline
internal import SluicePlans
package import SluiceStore

/// The partitions whose records have open conflicts, and those with records in quarantine. People may settle a conflict in the table,
/// and a table may come to take a record: either shows only where what the source says is looked at once more.
package struct UnsettledPartitions {
    /// Partitions by their keys.
    package struct Found {
        /// Those that are known.
        package var keys: Set<ExactText> = []
        /// Whether a record in quarantine does not say which one it belongs to.
        package var mayBeOthers = false
    }

    private let marks: PartitionMarks
    private let table: any RecordTable
    private let store: any RecordStore

    /// - Parameters:
    ///   - shape: What tells the partitions apart.
    ///   - entity: What their records are.
    ///   - table: The table of the records.
    ///   - store: The store that it is in.
    package init(
        _ shape: PartitionShape, entity: EntityDefinition, table: any RecordTable, in store: any RecordStore
    ) {
        marks = PartitionMarks(shape, entity: entity, schema: table.schema)
        (self.table, self.store) = (table, store)
    }

    /// Finds them, as far as fields of the records say which partition these belong to.
    ///
    /// - Parameters:
    ///   - plan: The partitions.
    ///   - parts: The tables of what stands within the records.
    /// - Returns: The partitions.
    /// - Throws: `StoreError`.
    package func find(among plan: PartitionPlan, parts: [any RecordTable]) throws -> Found {
        var found = Found()
        var sides = try disputed(parts)
        for table in [table] + parts {
            for entry in try store.quarantine.openKeys(of: table.schema.source) {
                if let key = entry.key.flatMap({ record($0, of: table) }), marks.areOfKey, !marks.isEmpty {
                    sides.insert(marks.sides(of: key))
                } else {
                    found.mayBeOthers = true
                }
            }
        }
        if sides.isEmpty { return found }
        let keys = plan.all.filter { marks.sides(of: $0).map(sides.contains) ?? false }.map(\.key)
        found.keys = Set(keys)
        return found
    }

    /// What tells the partitions of records in conflict apart.
    private func disputed(_ parts: [any RecordTable]) throws -> Set<[FieldSide]> {
        if marks.isEmpty { return [] }
        let records = try ([table] + parts).reduce(into: Set<RecordKey>()) { keys, table in
            keys.formUnion(try store.conflicts.open(of: table.schema.source).compactMap { record($0.key, of: table) })
        }.sorted()
        if records.isEmpty { return [] }
        return try zip(records, table.baseRows(records)).reduce(into: []) { sides, record in
            if let base = record.1 { sides.insert(marks.sides(of: record.0, base)) }
        }
    }

    /// The record that something belongs to; nil where its key cannot be read. The key of what stands within a record begins with
    /// the record's.
    private func record(_ key: String, of table: any RecordTable) -> RecordKey? {
        let count = self.table.schema.keyFields.count
        guard let key = StoredJSON().key(key, schema: table.schema), key.values.count >= count else { return nil }
        return RecordKey(Array(key.values.prefix(count)))
    }
}
