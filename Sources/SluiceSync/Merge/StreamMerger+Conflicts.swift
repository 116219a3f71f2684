internal import SluiceMerge
internal import SluiceStore

/// Conflicts are kept as data: opened once, brought up to date, and closed when they are over.
extension StreamMerger {
    mutating func settleConflicts(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow?, local: [FieldValue],
        sides: RecordSides, merge: RecordMerge
    ) throws -> Bool {
        let open = merge.open
        if open.isEmpty && base?.isOpen != true { return false }
        let keyText = FieldJSON.object(key: key, schema: schema)
        let existing =
            base?.isOpen == true
            ? try context.store.conflicts.open(pipeline: schema.pipeline, stream: schema.stream, key: keyText) : []
        for field in open {
            var entry = conflictEntry(
                keyText, field: schema.fields[field].name, kind: merge.decisions[field].fieldClass.rawValue)
            entry.base = base?.entries[field].value.map { FieldJSON.text($0, type: schema.fields[field].type) }
            entry.local = FieldJSON.text(local[field], type: schema.fields[field].type)
            entry.remote = batch.value(record: record, field: field).map {
                FieldJSON.text($0, type: schema.fields[field].type)
            }
            try remember(entry, over: existing.first { $0.field == entry.field })
        }
        var remainsOpen = !open.isEmpty
        let openNames = Set(open.map { schema.fields[$0].name })
        for old in existing where old.field.map({ !openNames.contains($0) }) ?? true {
            let index = old.field.flatMap { name in schema.fields.firstIndex { $0.name == name } }
            // An absent key says nothing, so what was open stays open.
            if let index, sides.remote[index] == .nothing, sides.local[index] != sides.base[index] {
                remainsOpen = true
                continue
            }
            let hasConverged = index.map { sides.remote[$0] == sides.local[$0] } ?? false
            try close(old, as: hasConverged ? .converged : .obsolete)
        }
        return remainsOpen
    }

    mutating func holdRecord(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow, kind: RowKind
    ) throws {
        let values = schema.fields.indices.map { batch.value(record: record, field: $0) }
        try hold(key, base: base, kind: kind, local: nil, remote: canonical.object(values))
        report.summary.conflict += 1
    }

    /// Keeps a conflict of the whole record open, and says so once per distinct remote.
    mutating func hold(_ key: RecordKey, base: BaseRow, kind: RowKind, local: [FieldValue]?, remote: String?) throws {
        let keyText = FieldJSON.object(key: key, schema: schema)
        let existing =
            base.isOpen
            ? try context.store.conflicts.open(pipeline: schema.pipeline, stream: schema.stream, key: keyText) : []
        var entry = conflictEntry(keyText, field: nil, kind: kind.rawValue)
        entry.local = local.map { canonical.object($0) }
        entry.remote = remote
        let known = existing.first { $0.field == nil }
        // A conflict of the record takes the place of its fields' conflicts.
        for old in existing where old.field != nil { try close(old, as: .obsolete) }
        let news = report.newConflicts
        try remember(entry, over: known)
        if !base.isOpen {
            var open = base
            open.isOpen = true
            try writeBase(key, open, keepsHash: true)
        }
        if report.newConflicts > news {
            notify(RecordChange(action: .conflict, kind: kind, key: key, fields: []))
        }
    }

    func conflictEntry(_ key: String, field: String?, kind: String) -> ConflictEntry {
        ConflictEntry(
            pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity, key: key, field: field, kind: kind,
            base: nil, local: nil, remote: nil, policy: schema.policy.rawValue, status: .open, firstRun: context.run,
            lastRun: context.run)
    }

    mutating func remember(_ entry: ConflictEntry, over known: ConflictEntry?) throws {
        guard var known else {
            var entry = entry
            let id = try context.store.conflicts.insert(entry)
            entry.id = context.run == nil ? nil : id
            report.newConflicts += 1
            context.observer.conflict(entry)
            return
        }
        if (known.kind, known.base, known.local, known.remote) == (entry.kind, entry.base, entry.local, entry.remote) {
            return
        }
        let isNews = known.remote != entry.remote || known.kind != entry.kind
        (known.kind, known.base, known.local, known.remote) = (entry.kind, entry.base, entry.local, entry.remote)
        known.lastRun = context.run
        if isNews {
            known.seen += 1
            report.newConflicts += 1
        }
        try context.store.conflicts.update(known)
        if isNews { context.observer.conflict(shown(known)) }
    }

    /// Closes the conflicts of a record.
    mutating func closeConflicts(
        of key: RecordKey, except kept: Set<Int64>, _ status: (ConflictEntry) -> ConflictStatus
    ) throws {
        let keyText = FieldJSON.object(key: key, schema: schema)
        let open = try context.store.conflicts.open(pipeline: schema.pipeline, stream: schema.stream, key: keyText)
        for entry in open where entry.id.map({ !kept.contains($0) }) ?? true { try close(entry, as: status(entry)) }
    }

    func close(_ entry: ConflictEntry, as status: ConflictStatus) throws {
        var closed = entry
        closed.status = status
        closed.lastRun = context.run
        try context.store.conflicts.update(closed)
        context.observer.conflict(shown(closed))
    }

    /// Ids are not kept by a plan, so it shows none.
    func shown(_ entry: ConflictEntry) -> ConflictEntry {
        var shown = entry
        if context.run == nil { shown.id = nil }
        return shown
    }

    func conflictFailure(_ key: RecordKey, kind: String, field: Int? = nil) -> SyncError {
        let place = field.map { " field `\(schema.fields[$0].name)` of" } ?? ""
        return SyncError(
            .conflict,
            "The\(place) \(schema.entity) \(FieldJSON.object(key: key, schema: schema)) is in conflict (\(kind)), and its policy is `fail`. Nothing was written."
        )
    }
}
