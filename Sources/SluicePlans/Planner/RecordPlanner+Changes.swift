package import SluiceMerge
package import SluiceModel
internal import SluiceStore

/// What is told of records.
extension RecordPlanner {
    package func insertChange(_ record: Int, of batch: borrowing RecordBatch, kind: RowKind) -> RecordChange {
        insertChange(batch.key(of: record, schema: schema), values(of: record, of: batch), kind: kind)
    }

    /// What is told of a row that is made of values, nil where one is not known.
    package func insertChange(_ key: RecordKey, _ values: [FieldValue?], kind: RowKind) -> RecordChange {
        let fields = values.enumerated().compactMap { index, value in
            value.map {
                RecordChange.Field(index: index, fieldClass: .fill, base: nil, local: nil, remote: $0, result: $0)
            }
        }
        return RecordChange(action: .insert, kind: kind, key: key, fields: fields)
    }

    func mergeChange(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow?, local: [FieldValue],
        merge: RecordMerge, kind: RowKind, action: RecordChange.Action
    ) -> RecordChange {
        var fields: [RecordChange.Field] = []
        for (index, decision) in merge.decisions.enumerated() {
            let isShown =
                decision.writes || decision.fieldClass.isDivergent || decision.fieldClass == .localOverride
                || decision.fieldClass == .keptLocal || decision.fieldClass == .merged
            guard isShown else { continue }
            let remote = batch.value(record: record, field: index)
            let result =
                switch decision.result {
                case .local: local[index]
                case .remote: remote
                case .merged(let value): value
                }
            var field = RecordChange.Field(
                index: index, fieldClass: decision.fieldClass, base: base?.entries[index].value, local: local[index],
                remote: remote, result: result, policy: merge.policies[index])
            field.baseAbsence = canonical.absence(of: base?.entries[index], field: index)
            field.otherSource = decision.claim.map(sources.path(of:))
            field.isOrdered = decision.settlement == .byPrecedence
            fields.append(field)
        }
        return RecordChange(action: action, kind: kind, key: key, fields: fields)
    }

    /// A record that one side no longer has, with what the other side changed of it.
    func heldChange(
        _ key: RecordKey, _ action: RecordChange.Action, _ kind: RowKind, _ base: BaseRow, local: [FieldValue]? = nil,
        remote: [FieldValue?]? = nil
    ) -> RecordChange {
        let values = local ?? remote ?? []
        let before = canonical.sides(of: base.entries)
        let now = canonical.sides(of: values.map { $0 ?? .null })
        let fields = values.indices.compactMap { index -> RecordChange.Field? in
            guard values[index] != nil, now[index] != before[index],
                (now[index], before[index]) != (.null, .nothing)
            else { return nil }
            let remoteClass: FieldClass =
                now[index] == .null ? .remoteClear : before[index] == .nothing ? .fill : .remoteUpdate
            var field = RecordChange.Field(
                index: index, fieldClass: local == nil ? remoteClass : .localOverride,
                base: base.entries[index].value, local: local?[index], remote: remote?[index], result: local?[index])
            field.baseAbsence = canonical.absence(of: base.entries[index], field: index)
            return field
        }
        return RecordChange(action: action, kind: kind, key: key, fields: fields)
    }
}
