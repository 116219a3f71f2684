internal import SluiceDecode
package import SluiceModel
package import SluicePlans
package import SluiceStore

/// What conflicts keep as JSON text.
extension CanonicalRecord {
    /// What the source said in conflicts, as far as it can be read.
    package func awaited(_ conflicts: [ConflictEntry]) -> [AwaitedRemote] {
        let json = StoredJSON()
        return conflicts.compactMap { conflict in
            guard let remote = conflict.remote else { return nil }
            guard let name = conflict.field else {
                return json.record(remote, schema: schema).map { AwaitedRemote(field: nil, values: $0) }
            }
            guard let field = schema.fields.firstIndex(where: { $0.name == name }),
                let value = json.value(remote, type: schema.fields[field].type)
            else { return nil }
            return AwaitedRemote(field: name, values: [field: value])
        }
    }

    /// What the source said of a record, as a conflict over the whole record shows it.
    ///
    /// - Parameters:
    ///   - base: Its base.
    ///   - key: Its identifier.
    /// - Returns: A JSON object of the values that the base has; nil where it has none besides the identifier.
    package func said(by base: BaseRow, of key: RecordKey) -> String? {
        let keys = schema.keyFields
        let values = base.entries.enumerated().map { field, entry in
            entry.value ?? keys.firstIndex(of: field).map { key.values[$0] }
        }
        guard values.indices.contains(where: { values[$0] != nil && !keys.contains($0) }) else { return nil }
        return object(values)
    }

    /// Whether two conflicts about the same have the same remote value.
    func saysSame(_ known: ConflictEntry, _ entry: ConflictEntry) -> Bool {
        if known.remote == entry.remote { return true }
        let json = StoredJSON()
        guard let name = entry.field, let field = schema.fields.firstIndex(where: { $0.name == name }),
            let before = known.remote.flatMap({ json.value($0, type: schema.fields[field].type) }),
            let now = entry.remote.flatMap({ json.value($0, type: schema.fields[field].type) })
        else { return false }
        return same(before, now, field: field)
    }
}
