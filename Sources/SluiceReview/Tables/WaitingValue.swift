internal import SluiceDecode
internal import SluiceModel
package import SluiceStore

/// A value that counts as held by a row whose column is null: it waits in the quarantine since a change of type.
package struct WaitingValue: Sendable, Equatable {
    /// The field's name.
    package let field: String
    /// The number of the entry that keeps it.
    package let entry: Int64
}

extension WaitingValue {
    /// The values that the rows of conflicts count as holding: that of the field, or those of all fields of the record.
    ///
    /// - Parameters:
    ///   - conflicts: The conflicts.
    ///   - store: Their store.
    /// - Returns: Those of each, in the order of the record's fields; none where columns hold them.
    /// - Throws: `StoreError`.
    package static func all(of conflicts: [ConflictEntry], in store: any RecordStore) throws -> [[WaitingValue]] {
        let asked = conflicts.filter { $0.local != nil && !$0.isOfList }
        var open: [RecordMapping: [ExactText: [QuarantineEntry]]] = [:]
        for (mapping, some) in Dictionary(grouping: asked, by: \.mapping) {
            open[mapping] = try store.quarantine.open(of: mapping, keys: some.map(\.key))
        }
        return conflicts.map { conflict in
            let entries = open[conflict.mapping]?[ExactText(conflict.key)] ?? []
            if entries.isEmpty { return [] }
            return held(by: conflict).compactMap { field, local in
                entry(in: entries, field: field, local: local).map { WaitingValue(field: field, entry: $0) }
            }
        }
    }

    /// The fields whose values a conflict shows of its row, each as JSON.
    private static func held(by conflict: ConflictEntry) -> [(field: String, local: String)] {
        guard let local = conflict.local else { return [] }
        if let field = conflict.field { return [(field, local)] }
        return conflict.isOfList ? [] : StoredJSON().members(local)?.map { ($0.name, $0.json) } ?? []
    }

    /// The entry that keeps a value.
    ///
    /// - Parameters:
    ///   - entries: The entries of the record.
    ///   - field: The field's name.
    ///   - local: What its row counts as holding, as JSON; nil where there is no row.
    /// - Returns: The entry's number; nil where the column holds the value.
    static func entry(in entries: [QuarantineEntry], field: String, local: String?) -> Int64? {
        guard let value = local.map({ FieldValue(untyped: $0) }), !value.isNull else { return nil }
        return entries.last { entry in
            entry.isOpen && entry.changedField == field && entry.value.map { FieldValue(untyped: $0) } == value
        }?.id
    }
}
