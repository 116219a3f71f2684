internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// Decides what becomes of a list that is one value as its conflict is decided. It reads and writes nothing.
struct ListSettlement {
    /// What is decided.
    enum Decision {
        /// The conflict does not show the list that is here; its local side is brought up to date.
        case reopened
        /// It cannot be done, for this reason.
        case refused(String)
        /// The plans of all elements that the store knows or the source gives, in the order of the key.
        case plans([RecordPlan])
    }

    /// The elements of a list by their keys, each with its values by field.
    typealias Elements = [RecordKey: [Int: FieldValue]]

    /// The key that the elements share.
    let owner: RecordKey
    /// What the store holds of the elements.
    let facts: ListFacts
    /// What the source gives; nil where that is not kept.
    let remote: Elements?
    let canonical: CanonicalRecord
    /// When it is decided, RFC 3339 in UTC.
    let time: String
    /// The number of the run that decides.
    let run: Int64
    private var schema: RecordSchema { canonical.schema }

    /// Decides the conflict over the list.
    ///
    /// - Parameters:
    ///   - resolution: What stands from now on.
    ///   - conflict: The conflict; its local side is brought up to date where that is not what it shows.
    /// - Returns: What becomes of the elements.
    func decide(_ resolution: Resolution, _ conflict: inout ConflictEntry) -> Decision {
        let local = ListText(schema: schema).local(facts.values)
        guard StoredJSON().same(conflict.local, local) else {
            conflict.local = local
            return .reopened
        }
        guard let remote else { return .refused("The source's list is not kept; run the pipeline again.") }
        let target: Elements?
        switch resolution {
        case .local: target = nil
        case .remote: target = remote
        case .base:
            guard let base else {
                return .refused(
                    "Not all of its base is stored. Change the rows and take `local`; `keep_base: full` keeps it from now on."
                )
            }
            target = base
        case .value:
            return .refused(
                "It is about a whole list, which takes `--take local`, `remote` or `base`. To have another list, change the rows of `\(schema.table)` and take `local`."
            )
        }
        let keys = Set(remote.keys).union(facts.rows).union(facts.live).union(target.map { Array($0.keys) } ?? [])
        return .plans(keys.sorted().map { plan($0, target, remote[$0]) })
    }

    /// The list that the source gave before; nil where some of it is not known.
    private var base: Elements? {
        var elements: Elements = [:]
        for key in facts.live {
            guard let base = facts.base(key) else { continue }
            var values: [Int: FieldValue] = [:]
            for (field, entry) in base.entries.enumerated() {
                if case .digest = entry { return nil }
                values[field] = schema.stored(entry.value ?? .null, field: field)
            }
            for (field, part) in zip(schema.keyFields, key.values) { values[field] = part }
            elements[key] = values
        }
        return elements
    }

    /// Plans one element; its base becomes what the source says.
    private func plan(_ key: RecordKey, _ target: Elements?, _ remote: [Int: FieldValue]?) -> RecordPlan {
        let local = facts.local(key)
        let isThere = target.map { $0[key] != nil } ?? (local != nil)
        let row: RecordWrite.Row = target.map { self.row(local, wanted: $0[key]) } ?? .none
        var plan = RecordPlan(
            writing: RecordWrite(key: key, row: row, base: base(of: key, remote, isThere: isThere)))
        if case .insert = row { plan.below = .startOver }
        if row.deletes { plan.below = .go }
        return plan
    }

    private func row(_ local: [FieldValue]?, wanted: [Int: FieldValue]?) -> RecordWrite.Row {
        switch (local, wanted) {
        case (nil, nil): return .none
        case (nil, let wanted?): return .insert(schema.fields.indices.map { wanted[$0] ?? .null })
        case (_?, nil): return schema.deletesSoftly ? .markDeleted(at: time, run: run) : .delete
        case (let local?, let wanted?):
            let fields = schema.fields.indices.filter { field in
                guard let value = wanted[field], schema.fields[field].owner != .local else { return false }
                return !canonical.same(value, local[field], field: field)
            }
            return fields.isEmpty ? .none : .update(fields: fields, values: fields.map { wanted[$0] ?? .null })
        }
    }

    private func base(of key: RecordKey, _ remote: [Int: FieldValue]?, isThere: Bool) -> BaseRow? {
        let known = facts.base(key)
        guard let remote else {
            guard var base = known, base.state.isLive else { return nil }
            (base.state, base.missedScans, base.lastRun) = (.remoteTombstone, 0, run)
            return base
        }
        let none = [BaseEntry](repeating: .none, count: schema.fields.count)
        var base =
            known
            ?? BaseRow(rowHash: 0, entries: none, state: .live, isOpen: false, firstRun: run, lastRun: run)
        let before = canonical.rowHash(of: base.entries)
        for (field, value) in remote { base.entries[field] = canonical.entry(value, field: field) }
        base.rowHash &+= canonical.rowHash(of: base.entries) &- before
        (base.state, base.missedScans, base.unasked) = (isThere ? .live : .localTombstone, 0, [])
        base.lastRun = run
        return base
    }
}
