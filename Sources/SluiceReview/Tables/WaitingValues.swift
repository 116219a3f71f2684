internal import SluiceModel
package import SluiceStore

/// Values that count as held by rows whose columns are null: they wait in the quarantine since a change of type.
package enum WaitingValues {
    /// The entries that keep what the rows of conflicts over fields count as holding.
    ///
    /// - Parameters:
    ///   - conflicts: The conflicts.
    ///   - store: Their store.
    /// - Returns: The number of the entry of each; nil where the column holds the value.
    /// - Throws: `StoreError`.
    package static func entries(of conflicts: [ConflictEntry], in store: any RecordStore) throws -> [Int64?] {
        let asked = conflicts.filter { $0.field != nil && $0.local != nil }
        var open: [RecordMapping: [ExactText: [QuarantineEntry]]] = [:]
        for (mapping, some) in Dictionary(grouping: asked, by: \.mapping) {
            open[mapping] = try store.quarantine.open(of: mapping, keys: some.map(\.key))
        }
        return conflicts.map { conflict in
            guard let field = conflict.field else { return nil }
            let entries = open[conflict.mapping]?[ExactText(conflict.key)] ?? []
            return entry(in: entries, field: field, local: conflict.local)
        }
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
