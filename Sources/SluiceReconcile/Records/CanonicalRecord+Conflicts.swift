internal import SluiceDecode
package import SluiceModel
package import SluicePlans
package import SluiceStore

/// What conflicts keep as JSON text.
extension CanonicalRecord {
    /// What the source said in conflicts, as far as it can be read.
    package func awaited(_ conflicts: [ConflictEntry]) -> [AwaitedRemote] {
        conflicts.compactMap { conflict in
            values(of: conflict).map { AwaitedRemote(field: conflict.field, values: $0) }
        }
    }

    /// What the source said in a conflict, by the positions of the fields: before a field had its type, as the source meant it.
    /// Nil where it said nothing, and where a value cannot be read.
    private func values(of conflict: ConflictEntry) -> [Int: FieldValue]? {
        guard let remote = conflict.remote else { return nil }
        let json = StoredJSON()
        if let values = current(remote, of: conflict.field) { return values }
        guard let members = conflict.field.map({ [($0, remote)] }) ?? json.members(remote) else { return nil }
        var values: [Int: FieldValue] = [:]
        for (name, text) in members {
            let index = schema.fields.firstIndex { $0.name == name }
            // Of a field that the pipeline no longer has nothing is asked.
            if index == nil && conflict.field == nil { continue }
            guard let field = index,
                let value = json.value(text, type: schema.fields[field].type, isKey: schema.identifies(field))
                    ?? meaning(FieldValue(untyped: text), field)
            else { return nil }
            values[field] = value
        }
        return values
    }

    /// What JSON says of a field, or of a whole record, in the types that fields have now; nil where it cannot be read.
    private func current(_ remote: String, of field: String?) -> [Int: FieldValue]? {
        let json = StoredJSON()
        guard let field else { return json.record(remote, schema: schema) }
        guard let index = schema.fields.firstIndex(where: { $0.name == field }) else { return nil }
        return json.value(remote, type: schema.fields[index].type).map { [index: $0] }
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
        guard let before = values(of: known), let now = values(of: entry), before.keys == now.keys else { return false }
        return before.allSatisfy { field, value in now[field].map { same(value, $0, field: field) } ?? false }
    }

    /// Whether a conflict has what its source said in the types that fields have now, so that a decision can write it.
    func isCurrent(_ conflict: ConflictEntry) -> Bool {
        conflict.remote.map { current($0, of: conflict.field) != nil } ?? true
    }
}
