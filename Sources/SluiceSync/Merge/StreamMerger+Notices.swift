internal import SluiceMerge
internal import SluiceStore

/// What the observer is told.
extension StreamMerger {
    func notify(_ change: @autoclosure () -> RecordChange) {
        if context.observer.wantsChanges {
            context.observer.changed(change(), schema: schema)
        } else {
            context.observer.skippedChange()
        }
    }

    func notifyInsert(_ record: Int, of batch: borrowing RecordBatch, kind: RowKind) {
        guard context.observer.wantsChanges else { return context.observer.skippedChange() }
        var fields: [RecordChange.Field] = []
        for field in schema.fields.indices {
            guard let value = batch.value(record: record, field: field) else { continue }
            fields.append(
                RecordChange.Field(
                    index: field, fieldClass: .fill, base: nil, local: nil, remote: value, result: value))
        }
        notify(RecordChange(action: .insert, kind: kind, key: batch.key(of: record, schema: schema), fields: fields))
    }

    func notifyMerge(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow?, local: [FieldValue],
        merge: RecordMerge, kind: RowKind, isOpen: Bool
    ) {
        guard context.observer.wantsChanges else { return context.observer.skippedChange() }
        var fields: [RecordChange.Field] = []
        for (index, decision) in merge.decisions.enumerated() {
            let isShown =
                decision.takesRemote || decision.fieldClass.isDivergent || decision.fieldClass == .localOverride
                || decision.fieldClass == .keptLocal
            guard isShown else { continue }
            let remote = batch.value(record: record, field: index)
            fields.append(
                RecordChange.Field(
                    index: index, fieldClass: decision.fieldClass, base: base?.entries[index].value,
                    local: local[index], remote: remote, result: decision.takesRemote ? remote : local[index],
                    policy: merge.policies[index]))
        }
        notify(RecordChange(action: isOpen ? .conflict : .update, kind: kind, key: key, fields: fields))
    }
}
