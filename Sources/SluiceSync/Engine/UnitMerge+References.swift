internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// References whose records are not there once all is merged.
extension UnitMerge {
    /// Settles them, and tells of each row of the streams that loses one: it is a change of the row, though its source said
    /// nothing new, and is counted as what became of the record besides.
    ///
    /// - Parameter streams: The streams that were merged.
    /// - Returns: What was done, and how many rows lose one, by entity.
    /// - Throws: `StoreError`.
    func settleReferences(of streams: Set<String>) throws -> (ReferenceOutcome, unlinked: [String: Int]) {
        let schemas = Dictionary(
            engine.schemas.filter { streams.contains($0.stream) }.map { ($0.source, $0) }, uniquingKeysWith: { $1 })
        var unlinked: [String: Int] = [:]
        let outcome = try store.settleReferences { [observer] lost in
            guard let schema = schemas[lost.mapping] else { return }
            unlinked[schema.entity, default: 0] += 1
            if !observer.wants(lost.key, of: schema) { return observer.skippedChange(of: schema) }
            let fields = lost.columns.compactMap { name, value -> RecordChange.Field? in
                guard let index = schema.fields.firstIndex(where: { ColumnName.areSame($0.column, name) }) else {
                    return nil
                }
                return RecordChange.Field(
                    index: index, fieldClass: lost.isForGood ? .emptied : .waiting, base: nil, local: value,
                    remote: nil,
                    result: .null)
            }
            observer.changed(
                RecordChange(action: .update, kind: .unlink, key: lost.key, fields: fields), schema: schema)
        }
        return (outcome, unlinked)
    }
}
