internal import SluiceMerge
package import SluiceModel
internal import SluiceStore

/// Conflicts that people end in the table: by writing there what the source says, by taking their change back, by bringing back or
/// deleting a row. A stream that asks for changes alone does not show their records again.
extension RecordPlanner {
    /// Plans a record that its source did not show again by what it said last, which its open conflicts keep, and by the row as it
    /// is now.
    ///
    /// - Parameters:
    ///   - facts: What the store holds of it.
    ///   - isWanted: Whether somebody wants to see what happens to it.
    /// - Returns: The plan; nil where each conflict is still to be decided, or where that cannot be told.
    package func met(_ facts: RecordFacts, isWanted: Bool) -> RecordPlan? {
        guard schema.writeMode == .merge, let base = facts.base, base.isOpen,
            [.live, .localTombstone].contains(base.state)
        else { return nil }
        var told = facts
        told.conflicts = facts.conflicts.filter { isKept($0, facts.awaited) }
        let areAllTold = told.conflicts.count == facts.conflicts.count
        if !areAllTold && facts.local == nil { return nil }
        let batch = canonical.batch(of: facts.key, saying: saidLast(told.conflicts, facts.awaited))
        // What a policy refuses now waits as before.
        guard
            var plan = try? plan(Listed(record: 0, facts: told, isWanted: isWanted), of: batch, base: base),
            plan.conflicts.contains(where: { if case .close = $0 { true } else { false } }), plan.below == .stay
        else { return nil }
        if !areAllTold { plan.write?.base?.isOpen = true }
        // It is none of those that were read.
        (plan.ordinal, plan.kept) = (nil, nil)
        if plan.outcome != .update && plan.outcome != .conflict { plan.outcome = .none }
        return plan
    }

    /// A record that was read, together with what its source said last of the fields that it leaves out now, as open conflicts keep
    /// that: an absent key says nothing, so that a conflict over it ends in the table like any other.
    ///
    /// - Parameters:
    ///   - record: The record's position in its batch.
    ///   - batch: The batch.
    ///   - facts: What the store holds of it.
    /// - Returns: A batch of the record alone; nil where it leaves out nothing that a conflict is about, or has no row: then it shows that
    ///   nothing of the record is changed any more.
    package func completed(_ record: Int, of batch: borrowing RecordBatch, _ facts: RecordFacts) -> RecordBatch? {
        if facts.awaited.isEmpty || facts.local == nil || schema.writeMode != .merge { return nil }
        let known = saidLast(facts.conflicts.filter { isKept($0, facts.awaited) }, facts.awaited).filter { field, _ in
            schema.fields[field].redaction == nil && batch.value(record: record, field: field) == nil
        }
        return known.isEmpty ? nil : canonical.batch(of: record, in: batch, saying: known)
    }

    /// The values that conflicts keep of what the source said, by the positions of their fields.
    private func saidLast(_ conflicts: [ConflictEntry], _ awaited: [AwaitedRemote]) -> [Int: FieldValue] {
        var values: [Int: FieldValue] = [:]
        for conflict in conflicts where !conflict.isUniqueCollision {
            for remote in awaited where remote.field == conflict.field {
                values.merge(remote.values) { first, _ in first }
            }
        }
        return values
    }

    /// Whether a conflict keeps what the source says, or says nothing of that.
    private func isKept(_ conflict: ConflictEntry, _ awaited: [AwaitedRemote]) -> Bool {
        if conflict.isUniqueCollision { return true }
        guard let name = conflict.field else {
            return conflict.kind == RowKind.deleteEdit.rawValue && awaited.contains { $0.field == nil }
        }
        guard let field = schema.fields.firstIndex(where: { $0.name == name }), schema.fields[field].redaction == nil
        else { return false }
        return awaited.contains { $0.field == name && $0.values[field] != nil }
    }
}

extension CanonicalRecord {
    /// A record as its source would say it.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - values: The values by the positions of their fields, as they are shown; what is not among them is absent.
    /// - Returns: A batch of the record alone.
    fileprivate func batch(of key: RecordKey, saying values: [Int: FieldValue]) -> RecordBatch {
        var batch = RecordBatch(fieldCount: schema.fields.count)
        append(key, saying: values, to: &batch, origin: RecordOrigin(page: 0, ordinal: 0))
        return batch
    }

    /// A copy of a record in a batch of its own, in which some absent fields have values.
    ///
    /// - Parameters:
    ///   - record: The record's position in its batch.
    ///   - whole: The batch.
    ///   - values: The values by the positions of their fields, as they are shown.
    /// - Returns: The batch.
    fileprivate func batch(
        of record: Int, in whole: borrowing RecordBatch, saying values: [Int: FieldValue]
    ) -> RecordBatch {
        var batch = RecordBatch(fieldCount: schema.fields.count)
        for field in schema.fields.indices {
            if let value = values[field].map({ schema.stored($0, field: field) }) {
                batch.append(value, digest: digest(of: value, field: field))
            } else {
                batch.append(field: field, record, of: whole)
            }
        }
        batch.close(
            rowHash: schema.rowHash(digests: batch.digests), keyHash: whole.keyHashes[record],
            origin: whole.origins[record])
        if let mark = whole.textFingerprints[record] {
            batch.textFingerprints.append(hash: mark.hash, within: mark.within)
        }
        return batch
    }

    /// Appends a record as its source would say it. What is redacted is not among the values that are known, so it is absent.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - values: The values by the positions of their fields, as they are shown; what is not among them is absent.
    ///   - batch: Gets the record.
    ///   - origin: Where it is said to stand.
    package func append(
        _ key: RecordKey, saying values: [Int: FieldValue], to batch: inout RecordBatch, origin: RecordOrigin
    ) {
        let parts = Dictionary(zip(schema.keyFields, key.values)) { first, _ in first }
        for field in schema.fields.indices {
            let said = schema.fields[field].redaction == nil ? values[field] : nil
            let value = parts[field] ?? said.map { schema.stored($0, field: field) }
            batch.append(value, digest: value.map { digest(of: $0, field: field) } ?? 0)
        }
        batch.close(
            rowHash: schema.rowHash(digests: Array(batch.digests.suffix(schema.fields.count))),
            keyHash: KeyHash.hash(key),
            origin: origin)
    }

    /// The values that entries keep, by the positions of their fields.
    package func values(of entries: [BaseEntry]) -> [Int: FieldValue] {
        var values: [Int: FieldValue] = [:]
        for (field, entry) in entries.enumerated() {
            if let value = entry.value, schema.fields[field].canHold(value) { values[field] = value }
        }
        return values
    }
}
