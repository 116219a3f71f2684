internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
package import SluiceStore

/// Says of open conflicts without a base why there is none, as the base of their records tells.
package final class ConflictBases {
    private let store: any RecordStore
    private let json = StoredJSON()
    private var tables: [RecordMapping: (any RecordTable)?] = [:]

    /// Makes one for a store that is open.
    package init(store: any RecordStore) { self.store = store }

    /// Conflicts with the reason why they have no base, as far as it is known.
    ///
    /// The base of a record advances when its conflict is closed, so that of closed ones nothing is known.
    ///
    /// - Parameter entries: Conflicts of the store.
    /// - Returns: The same conflicts.
    /// - Throws: `StoreError`.
    package func explained(_ entries: [ConflictEntry]) throws -> [ConflictEntry] {
        try entries.map { entry in
            var entry = entry
            if entry.base == nil { entry.baseAbsence = try absence(of: entry) }
            return entry
        }
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
