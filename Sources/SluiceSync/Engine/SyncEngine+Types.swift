internal import SluiceDecode
internal import SluiceModel
internal import SluiceReconcile
package import SluiceStore

/// What was stored before a field had another type.
extension SyncEngine {
    /// Gives columns the types that their fields have now, with all that the store keeps of them. What an import takes for
    /// a type is no wish of anybody.
    ///
    /// - Returns: What was done.
    /// - Throws: `StoreError`, also where a value would be lost.
    package func convertStored(in store: any RecordStore) throws -> [SchemaChange] {
        fetched == nil ? try store.convertStored(schemas, by: .lossless()) : []
    }
}

extension FieldConversion {
    /// Values pass by what they are as JSON, and only where the way back leads to the same value.
    static func lossless() -> FieldConversion {
        let stored = StoredJSON()
        let sameness = Sameness()
        func converted(_ value: FieldValue, _ before: RecordSchema.Field, _ now: RecordSchema.Field) -> FieldValue? {
            if value.isNull { return .null }
            guard let result = stored.value(FieldJSON.text(value, type: before.type), type: now.type), !result.isNull,
                let back = stored.value(FieldJSON.text(result, type: now.type), type: before.type),
                sameness.holds(back, .value(value), before)
            else { return nil }
            return result
        }
        return FieldConversion(
            value: converted,
            json: { json, before, now in
                stored.value(json, type: before.type).flatMap { converted($0, before, now) }
                    .map { FieldJSON.text($0, type: now.type) }
            },
            entry: { sameness.entry($0, $1) }, isSame: { sameness.holds($0, $1, $2) })
    }
}
