package import SluiceDecode
package import SluiceModel
package import SluicePipeline
internal import SluicePlans
package import SluiceStore

/// The partitions whose records have open conflicts. People may settle one in the table, which shows only where what the source
/// says is compared with the row once more.
package struct DisputedPartitions {
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
    /// - Returns: The keys of those with conflicts.
    /// - Throws: `StoreError`.
    package func keys(among plan: PartitionPlan, parts: [any RecordTable]) throws -> Set<ExactText> {
        if marks.isEmpty { return [] }
        let records = try ([table] + parts).reduce(into: Set<RecordKey>()) { keys, table in
            for entry in try store.conflicts.open(of: table.schema.source) {
                // The key of what stands within a record begins with the record's.
                let count = self.table.schema.keyFields.count
                guard let key = StoredJSON().key(entry.key, schema: table.schema), key.values.count >= count else {
                    continue
                }
                keys.insert(RecordKey(Array(key.values.prefix(count))))
            }
        }.sorted()
        if records.isEmpty { return [] }
        let disputed = try zip(records, table.baseRows(records)).reduce(into: Set<[FieldSide]>()) { sides, record in
            if let base = record.1 { sides.insert(marks.sides(of: record.0, base)) }
        }
        let partitions = plan.asked + plan.unasked + plan.obstacles.map(\.partition)
        return Set(partitions.filter { marks.sides(of: $0).map(disputed.contains) ?? false }.map(\.key))
    }
}
