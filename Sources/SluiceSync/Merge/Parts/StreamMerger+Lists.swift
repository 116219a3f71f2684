internal import SluiceMerge
internal import SluiceStore

/// What the elements of a list that is one value say of it.
extension StreamMerger {
    /// Whether the source was known to have a record of the latest batch.
    func isKnown(_ record: Int) -> Bool { knownBase(record) != nil || lookup.findings[record] == .unchanged }

    /// Whether the source says something new of a record that the store does not hold already.
    func hasNews(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        if lookup.findings[record] == .unchanged { return false }
        let base = knownBase(record)
        guard let local = try context.table.localRow(batch.key(of: record, schema: schema)) else {
            return base.map { differs(record, of: batch, from: $0) } ?? true
        }
        let entries = base.map { known in
            canonical.recognised(known.entries, local: local) { batch.value(record: record, field: $0) }
        }
        let sides = RecordSides(
            base: entries.map(canonical.sides(of:)) ?? schema.fields.map { _ in .nothing },
            local: canonical.sides(of: local), remote: canonical.sides(of: record, in: batch))
        return schema.fields.indices.contains { sides.isApart($0, schema) && sides.remote[$0] != sides.base[$0] }
    }

    /// Whether the store and the source say different things of a record.
    func isApart(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        guard let local = try context.table.localRow(batch.key(of: record, schema: schema)) else { return true }
        let remote = canonical.sides(of: record, in: batch)
        let sides = RecordSides(base: remote, local: canonical.sides(of: local), remote: remote)
        return schema.fields.indices.contains { sides.isApart($0, schema) }
    }

    /// Whether a person changed a list: an element in it, or which of them there are.
    func isListEdited(under owner: RecordKey) throws -> Bool {
        let live = Set(try context.table.liveKeys(under: owner))
        let rows = try context.table.rowKeys(under: owner)
        // Elements that were taken out here make another list.
        if !live.isSubset(of: rows) { return true }
        return try rows.contains { key in
            let others = context.siblings.isEmpty ? [] : try context.siblings.records(key)
            let base = live.contains(key) ? try context.table.baseRow(key) : nil
            guard var base = base ?? (others.contains(where: \.isLive) ? unknownBase(.live) : nil),
                let local = try context.table.localRow(key)
            else { return true }
            base.entries = canonical.recognised(base.entries, local: local) { _ in nil }
            return try isEdited(key, local, base: base, others)
        }
    }

    /// Whether a conflict over a list waits for somebody to decide.
    func isListUndecided(under owner: RecordKey) throws -> Bool {
        try context.table.liveKeys(under: owner).contains { key in
            try openConflicts(key, context.table.baseRow(key)).contains { !$0.isUniqueCollision }
        }
    }

    /// The base of a record that the source was known to have, where its hash is not the same.
    private func knownBase(_ record: Int) -> BaseRow? {
        lookup.rows[record].flatMap { $0.state == .remoteTombstone ? nil : $0 }
    }
}

extension RecordSides {
    /// Whether the source says something else of a field than the store holds, where people may change it.
    fileprivate func isApart(_ field: Int, _ schema: RecordSchema) -> Bool {
        schema.fields[field].owner == .shared && remote[field] != .nothing && remote[field] != local[field]
    }
}
