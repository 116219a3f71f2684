internal import SluiceDecode
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// What becomes of a list that is one value as its conflict is decided.
struct ListSettlement {
    /// How it ended.
    struct Result {
        let outcome: ResolutionOutcome
        /// What was written of its elements; what changed no row at most once.
        var writes: [RecordWrite] = []
        /// Whether anything belongs to elements.
        var hasChildren = false

        /// Makes one of its parts.
        package init(outcome: ResolutionOutcome, writes: [RecordWrite] = [], hasChildren: Bool = false) {
            self.outcome = outcome
            self.writes = writes
            self.hasChildren = hasChildren
        }
    }

    /// The elements of a list by their keys, each with its values by field.
    private typealias Elements = [RecordKey: [Int: FieldValue]]

    private let table: any RecordTable
    private let children: [OwnedRows]
    private let store: any RecordStore
    private let run: Int64
    private let json = StoredJSON()
    private let text: ListText
    private let canonical: CanonicalRecord
    private var schema: RecordSchema { table.schema }

    /// - Parameters:
    ///   - table: The table of the elements.
    ///   - children: The rows that belong to them.
    ///   - store: The store, within a transaction.
    ///   - run: The number of the run that decides.
    init(table: any RecordTable, children: [OwnedRows], store: any RecordStore, run: Int64) {
        (self.table, self.children, self.store, self.run) = (table, children, store, run)
        text = ListText(schema: table.schema)
        canonical = CanonicalRecord(schema: table.schema)
    }

    /// Decides the conflict and writes all elements, or none.
    ///
    /// - Parameters:
    ///   - resolution: What stands from now on.
    ///   - conflict: The conflict; its local side is brought up to date where that is not what it shows.
    ///   - counts: Grows by what goes with elements, entity by entity.
    /// - Returns: How it ended.
    /// - Throws: `StoreError`.
    func carryOut(
        _ resolution: Resolution, _ conflict: inout ConflictEntry, counts: inout [String: RunCounts]
    ) throws -> Result {
        guard let owner = text.owner(named: conflict.key, json) else {
            return Result(outcome: .refused("The store does not know its table any more."))
        }
        let rows = try text.rows(under: owner, table)
        let local = text.local(rows)
        guard json.same(conflict.local, local) else {
            conflict.local = local
            return Result(outcome: .reopened)
        }
        guard let remote = conflict.remote.flatMap({ text.elements($0, under: owner, json) }) else {
            return Result(outcome: .refused("The source's list is not kept; run the pipeline again."))
        }
        let target: Elements?
        switch resolution {
        case .local: target = nil
        case .remote: target = remote
        case .base:
            guard let base = try base(under: owner) else {
                return Result(
                    outcome: .refused(
                        "Not all of its base is stored. Change the rows and take `local`; `keep_base: full` keeps it from now on."
                    ))
            }
            target = base
        case .value:
            return Result(
                outcome: .refused(
                    "It is about a whole list, which takes `--take local`, `remote` or `base`. To have another list, change the rows of `\(schema.table)` and take `local`."
                ))
        }
        let here = Dictionary(rows.map { ($0.key, $0.values) }) { $1 }
        let gone = target.map { target in rows.map(\.key).filter { target[$0] == nil } } ?? []
        for key in gone {
            for rows in children {
                guard let example = try rows.addition(under: key) else { continue }
                return Result(
                    outcome: .refused(
                        "\(example) belongs to an element that would go and was added here. Delete that first, or take `--take local`."
                    ))
            }
        }
        let keys = Set(remote.keys).union(here.keys).union(target.map { Array($0.keys) } ?? [])
            .union(try table.liveKeys(under: owner)).sorted()
        return try write(keys.map { try write($0, here[$0], target, remote[$0]) }, counts: &counts)
    }

    /// The list that the source gave before; nil where some of it is not known.
    private func base(under owner: RecordKey) throws -> Elements? {
        var elements: Elements = [:]
        for key in try table.liveKeys(under: owner) {
            guard let base = try table.baseRow(key) else { continue }
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

    // MARK: Writing

    /// What is written of one element; its base becomes what the source says.
    private func write(
        _ key: RecordKey, _ local: [FieldValue]?, _ target: Elements?, _ remote: [Int: FieldValue]?
    ) throws -> RecordWrite {
        var row = RecordWrite.Row.none
        if let target {
            switch (local, target[key]) {
            case (nil, nil): break
            case (nil, let wanted?): row = .insert(schema.fields.indices.map { wanted[$0] ?? .null })
            case (_?, nil): row = schema.deletesSoftly ? .markDeleted(at: WallClock.now(), run: run) : .delete
            case (let local?, let wanted?):
                let fields = schema.fields.indices.filter { field in
                    guard let value = wanted[field], schema.fields[field].owner != .local else { return false }
                    return !canonical.same(value, local[field], field: field)
                }
                if !fields.isEmpty { row = .update(fields: fields, values: fields.map { wanted[$0] ?? .null }) }
            }
        }
        let isThere = target.map { $0[key] != nil } ?? (local != nil)
        return RecordWrite(key: key, row: row, base: try base(key, remote, isThere: isThere))
    }

    private func base(_ key: RecordKey, _ remote: [Int: FieldValue]?, isThere: Bool) throws -> BaseRow? {
        let known = try table.baseRow(key)
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

    /// Writes all elements, or none where the table refuses one.
    private func write(_ writes: [RecordWrite], counts: inout [String: RunCounts]) throws -> Result {
        let before = counts
        try store.beginPart()
        for write in writes {
            for rows in children {
                if write.row.deletes {
                    try rows.delete(under: write.key, as: write.row, run: run, counts: &counts, in: store)
                } else if case .insert = write.row {
                    try rows.forgetAbsent(under: write.key, run: run)
                }
            }
            try table.write(write)
        }
        let outcome = try table.finish(run: nil) { _, _ in nil }
        guard let refused = outcome.reasons(schema).first else {
            try store.endPart()
            let rows = writes.filter { if case .none = $0.row { false } else { true } }
            return Result(
                outcome: .resolved, writes: rows.isEmpty ? Array(writes.prefix(1)) : rows,
                hasChildren: !children.isEmpty)
        }
        counts = before
        try store.revertPart()
        let element = FieldJSON.object(key: refused.key, schema: schema)
        return Result(outcome: .refused("Its element \(element) cannot be written. \(refused.reason)"))
    }
}
