internal import SluiceMerge
internal import SluiceStore

/// Merges the batches of one stream into the store and counts the outcomes.
struct StreamMerger {
    /// What the merge of a stream is given.
    struct Context {
        let store: any RecordStore
        let table: any RecordTable
        let observer: any RunObserver
        /// The run's number, nil in a plan.
        let run: Int64?
    }

    private let context: Context
    private let schema: RecordSchema
    private let canonical = CanonicalValue()
    private var lookup = BaseLookup()
    private var inserts: [Int] = []
    /// The open quarantine entries of records whose key was readable.
    private var quarantinedKeys: [String: [Int64]] = [:]
    /// The open quarantine entries without a key.
    private var quarantinedKeyless: Set<Int64> = []
    private var keysSeenInQuarantine: Set<Int64> = []
    /// The open entries of records that were decoded; whether they can be closed shows at the end.
    private var released: [Int64] = []
    private(set) var report: StreamReport
    /// How many records were met that the source was known to have.
    private(set) var liveMet = 0
    /// Whether a record had no readable identifier, so that nothing can be said to be gone.
    private(set) var lostKeys = 0

    init(_ context: Context, report: StreamReport) throws {
        self.context = context
        self.report = report
        schema = context.table.schema
        let open = try context.store.quarantine.openKeys(pipeline: schema.pipeline, stream: schema.stream)
        for (id, key) in open {
            if let key { quarantinedKeys[key, default: []].append(id) } else { quarantinedKeyless.insert(id) }
        }
    }

    // MARK: Batches

    /// Merges a batch.
    ///
    /// - Parameters:
    ///   - batch: Decoded records.
    ///   - duplicates: The keys that come more than once.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    mutating func merge(_ batch: borrowing RecordBatch, duplicates: DuplicateIndex) throws {
        try context.table.lookUp(batch, into: &lookup)
        liveMet += lookup.liveCount
        inserts.removeAll(keepingCapacity: true)
        let mayMeetLocalRows = !context.table.wasEmpty
        for record in 0..<batch.count {
            report.read += 1
            if !duplicates.isEmpty && duplicates.isSuperseded(record, of: batch, schema: schema) {
                report.duplicates += 1
                if lookup.findings[record] == .unchanged { liveMet -= 1 }
                if let base = lookup.rows[record], base.state != .remoteTombstone { liveMet -= 1 }
                continue
            }
            switch lookup.findings[record] {
            case .unchanged: report.summary.unchanged += 1
            case .other:
                guard let base = lookup.rows[record] else { continue }
                try merge(record, of: batch, base: base)
            case .new:
                let key = mayMeetLocalRows ? batch.key(of: record, schema: schema) : nil
                if let key, let local = try context.table.localRow(key) {
                    try mergeFields(record, of: batch, key: key, base: nil, local: local, kind: .adopt)
                } else {
                    inserts.append(record)
                    report.summary.insert += 1
                    notifyInsert(record, of: batch, kind: .insert)
                }
            }
            if !quarantinedKeys.isEmpty { release(batch.key(of: record, schema: schema)) }
        }
        if !inserts.isEmpty { try context.table.insert(batch, records: inserts, run: context.run) }
    }

    // MARK: One record

    private mutating func merge(_ record: Int, of batch: borrowing RecordBatch, base: BaseRow) throws {
        let key = batch.key(of: record, schema: schema)
        let local = try context.table.localRow(key)
        let baseSides = sides(of: base.entries)
        let remoteSides = remoteSides(record, of: batch)
        let localRow: LocalRow =
            local.map { values in
                .present(isEdited: RecordMerge.isEdited(base: baseSides, local: sides(of: values), schema: schema))
            } ?? .absent
        let isChanged = RecordMerge.isChanged(base: baseSides, remote: remoteSides)
        let decision = RowMerge.decide(
            base: base.state, local: localRow, remote: .present(isChanged: isChanged), policy: schema.policy)
        if let local, decision.action == .mergeFields || base.isOpen || decision.action == .nothing {
            try mergeFields(record, of: batch, key: key, base: base, local: local, kind: decision.kind)
            return
        }
        switch decision.action {
        case .insert: try insertAgain(record, of: batch, key: key, base: base, decision: decision)
        case .conflict: try holdRecord(record, of: batch, key: key, base: base, kind: decision.kind)
        case .fail: throw conflictFailure(key, kind: decision.kind.rawValue)
        case .nothing, .mergeFields, .delete:
            report.summary.unchanged += 1
            if base.isOpen {
                try closeConflicts(of: key, except: []) { _ in .obsolete }
                var closed = base
                closed.isOpen = false
                try writeBase(key, closed)
            } else if decision.advancesBase {
                var advanced = base
                advanced.entries = entries(record, of: batch, over: base.entries)
                advanced.state = decision.newState ?? base.state
                try writeBase(key, advanced)
            }
        }
    }

    private mutating func mergeFields(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow?, local: [FieldValue],
        kind: RowKind
    ) throws {
        let oldEntries = base?.entries ?? Array(repeating: .none, count: schema.fields.count)
        let all = RecordSides(
            base: sides(of: oldEntries), local: sides(of: local), remote: remoteSides(record, of: batch))
        let merge = RecordMerge(all, schema: schema)
        if let failed = merge.decisions.firstIndex(where: { $0.settlement == .failed }) {
            throw conflictFailure(key, kind: merge.decisions[failed].fieldClass.rawValue, field: failed)
        }
        let isOpen = try settleConflicts(
            record, of: batch, key: key, base: base, local: local, sides: all, merge: merge)
        let written = merge.written
        var newBase = BaseRow(
            rowHash: 0, entries: entries(record, of: batch, over: oldEntries, only: merge.advanced), state: .live,
            isOpen: isOpen, firstRun: base?.firstRun ?? context.run, lastRun: base?.lastRun)
        newBase.rowHash = rowHash(of: newBase.entries)
        let needsBase = newBase != base
        if needsBase { newBase.lastRun = context.run }
        if !written.isEmpty || needsBase {
            let values = written.map { batch.value(record: record, field: $0) ?? .null }
            try context.table.write(
                RecordWrite(
                    key: key, row: written.isEmpty ? .none : .update(fields: written, values: values),
                    base: needsBase ? newBase : nil))
        }
        if isOpen {
            report.summary.conflict += 1
        } else if !written.isEmpty {
            report.summary.update += 1
        } else if merge.keptLocal {
            report.summary.keptLocal += 1
        } else {
            report.summary.unchanged += 1
        }
        if !written.isEmpty || (isOpen && needsBase) {
            notifyMerge(record, of: batch, key: key, base: base, local: local, merge: merge, kind: kind, isOpen: isOpen)
        }
    }

    private mutating func insertAgain(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow, decision: RowDecision
    ) throws {
        let values = schema.fields.indices.map { batch.value(record: record, field: $0) ?? .null }
        let none = [BaseEntry](repeating: .none, count: schema.fields.count)
        if base.isOpen { try closeConflicts(of: key, except: []) { _ in .auto } }
        var row = base
        row.entries = entries(record, of: batch, over: none)
        row.state = .live
        row.isOpen = false
        try writeBase(key, row, row: .insert(values))
        report.summary.insert += 1
        notifyInsert(record, of: batch, kind: decision.kind)
    }

    // MARK: Conflicts

    private mutating func settleConflicts(
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

    private mutating func holdRecord(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow, kind: RowKind
    ) throws {
        let values = schema.fields.indices.map { batch.value(record: record, field: $0) }
        try hold(key, base: base, kind: kind, local: nil, remote: object(values))
        report.summary.conflict += 1
    }

    /// Keeps a conflict of the whole record open, and says so once per distinct remote.
    mutating func hold(_ key: RecordKey, base: BaseRow, kind: RowKind, local: [FieldValue]?, remote: String?) throws {
        let keyText = FieldJSON.object(key: key, schema: schema)
        let existing =
            base.isOpen
            ? try context.store.conflicts.open(pipeline: schema.pipeline, stream: schema.stream, key: keyText) : []
        var entry = conflictEntry(keyText, field: nil, kind: kind.rawValue)
        entry.local = local.map { object($0) }
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

    private func conflictEntry(_ key: String, field: String?, kind: String) -> ConflictEntry {
        ConflictEntry(
            pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity, key: key, field: field, kind: kind,
            base: nil, local: nil, remote: nil, policy: schema.policy.rawValue, status: .open, firstRun: context.run,
            lastRun: context.run)
    }

    private mutating func remember(_ entry: ConflictEntry, over known: ConflictEntry?) throws {
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

    private func close(_ entry: ConflictEntry, as status: ConflictStatus) throws {
        var closed = entry
        closed.status = status
        closed.lastRun = context.run
        try context.store.conflicts.update(closed)
        context.observer.conflict(shown(closed))
    }

    /// Ids are not kept by a plan, so it shows none.
    private func shown(_ entry: ConflictEntry) -> ConflictEntry {
        var shown = entry
        if context.run == nil { shown.id = nil }
        return shown
    }

    private func conflictFailure(_ key: RecordKey, kind: String, field: Int? = nil) -> SyncError {
        let place = field.map { " field `\(schema.fields[$0].name)` of" } ?? ""
        return SyncError(
            .conflict,
            "The\(place) \(schema.entity) \(FieldJSON.object(key: key, schema: schema)) is in conflict (\(kind)), and its policy is `fail`. Nothing was written."
        )
    }

    // MARK: Quarantine

    /// Keeps a record that could not be decoded.
    mutating func quarantine(_ failure: DecodeFailure) throws {
        report.read += 1
        report.quarantined += 1
        report.summary.quarantined += 1
        if failure.key == nil { lostKeys += 1 }
        try put(
            QuarantineEntry(
                pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity,
                key: failure.key.map { FieldJSON.object(key: $0, schema: schema) },
                recordHash: Int64(bitPattern: FieldDigest.text(failure.record)), reason: failure.reason.rawValue,
                pointer: failure.pointer, value: failure.value, message: failure.message, record: failure.record,
                firstRun: context.run, lastRun: context.run))
    }

    private mutating func put(_ entry: QuarantineEntry) throws {
        var entry = entry
        let id = try context.store.quarantine.put(entry)
        keysSeenInQuarantine.insert(id)
        entry.id = context.run == nil ? nil : id
        context.observer.quarantined(entry)
    }

    private mutating func release(_ key: RecordKey) {
        released += quarantinedKeys.removeValue(forKey: FieldJSON.object(key: key, schema: schema)) ?? []
    }

    /// Ends the merge: settles unique values, and closes quarantine entries that a complete scan did not meet again.
    mutating func finish(isComplete: Bool) throws {
        for collision in try context.table.finish() {
            let names = collision.fields.map { "`\(schema.fields[$0].name)`" }.joined(separator: ", ")
            let holder = collision.holder.map { " by \(FieldJSON.object(key: $0, schema: schema))" } ?? ""
            if case .insert = collision.write.row {
                report.summary.insert -= 1
            } else if collision.write.base?.isOpen == true {
                report.summary.conflict -= 1
                try keepOpen(collision.write.key)
            } else {
                report.summary.update -= 1
            }
            report.summary.quarantined += 1
            report.quarantined += 1
            let values = collision.write.values(schema)
            try put(
                QuarantineEntry(
                    pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity,
                    key: FieldJSON.object(key: collision.write.key, schema: schema), recordHash: 0,
                    reason: Mismatch.Reason.uniqueCollision.rawValue, pointer: "", value: nil,
                    message: "The values of \(names), which must be unique, are taken\(holder).",
                    record: Array(object(values).utf8), firstRun: context.run, lastRun: context.run))
        }
        for id in released where !keysSeenInQuarantine.contains(id) {
            try context.store.quarantine.close(id: id, run: context.run)
        }
        guard isComplete else { return }
        for id in quarantinedKeyless.union(quarantinedKeys.values.joined()) where !keysSeenInQuarantine.contains(id) {
            try context.store.quarantine.close(id: id, run: context.run)
        }
    }

    /// Notes open conflicts of a record of which nothing else could be written.
    private func keepOpen(_ key: RecordKey) throws {
        let none = [BaseEntry](repeating: .none, count: schema.fields.count)
        var base =
            try context.table.baseRow(key)
            ?? BaseRow(rowHash: 0, entries: none, state: .live, isOpen: false, firstRun: nil, lastRun: nil)
        if base.isOpen { return }
        base.isOpen = true
        try writeBase(key, base, keepsHash: true)
    }

    // MARK: Sides and entries

    func sides(of entries: [BaseEntry]) -> [FieldSide] {
        zip(entries, schema.fields).map { entry, field in
            switch entry {
            case .none: .nothing
            case .null: .null
            case .digest(let digest): .value(digest)
            case .value(let value): FieldSide(digest: canonical.digest(of: value, type: field.type))
            }
        }
    }

    func sides(of values: [FieldValue]) -> [FieldSide] {
        zip(values, schema.fields).map { FieldSide(digest: canonical.digest(of: $0, type: $1.type)) }
    }

    private func remoteSides(_ record: Int, of batch: borrowing RecordBatch) -> [FieldSide] {
        var sides: [FieldSide] = []
        for field in schema.fields.indices {
            sides.append(FieldSide(digest: batch.digest(record: record, field: field)))
        }
        return sides
    }

    private func rowHash(of entries: [BaseEntry]) -> UInt64 {
        let digests = zip(entries, schema.fields).map { entry, field -> UInt64 in
            switch entry {
            case .none: 0
            case .null: FieldDigest.null
            case .digest(let digest): digest
            case .value(let value): canonical.digest(of: value, type: field.type)
            }
        }
        return schema.rowHash(digests: digests)
    }

    private func entries(
        _ record: Int, of batch: borrowing RecordBatch, over old: [BaseEntry], only fields: [Int]? = nil
    ) -> [BaseEntry] {
        var entries = old
        for field in fields ?? Array(schema.fields.indices) {
            guard let value = batch.value(record: record, field: field) else { continue }
            entries[field] = BaseEntry(value: value, digest: batch.digest(record: record, field: field))
        }
        return entries
    }

    /// Writes a base, with or without its row, and notes the run.
    func writeBase(_ key: RecordKey, _ base: BaseRow, row: RecordWrite.Row = .none, keepsHash: Bool = false) throws {
        var base = base
        if !keepsHash { base.rowHash = rowHash(of: base.entries) }
        base.firstRun = base.firstRun ?? context.run
        base.lastRun = context.run
        try context.table.write(RecordWrite(key: key, row: row, base: base))
    }

    private func object(_ values: [FieldValue?]) -> String {
        let members = zip(schema.fields, values).compactMap { field, value in
            value.map { FieldJSON.quoted(field.name) + ":" + FieldJSON.text($0, type: field.type) }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    // MARK: Telling the observer

    func notify(_ change: @autoclosure () -> RecordChange) {
        if context.observer.wantsChanges {
            context.observer.changed(change(), schema: schema)
        } else {
            context.observer.skippedChange()
        }
    }

    private func notifyInsert(_ record: Int, of batch: borrowing RecordBatch, kind: RowKind) {
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

    private func notifyMerge(
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
                    local: local[index], remote: remote, result: decision.takesRemote ? remote : local[index]))
        }
        notify(RecordChange(action: isOpen ? .conflict : .update, kind: kind, key: key, fields: fields))
    }

    // MARK: What the delete phase counts

    mutating func countDelete() { report.summary.delete += 1 }
    mutating func countGoneConflict() {
        report.summary.conflict += 1
        report.goneConflicts += 1
    }
    mutating func countReportedGone() { report.reportedGone += 1 }
}

extension RecordWrite {
    /// One value per field of the schema, nil where nothing is written.
    func values(_ schema: RecordSchema) -> [FieldValue?] {
        var all = [FieldValue?](repeating: nil, count: schema.fields.count)
        switch row {
        case .insert(let values): for (index, value) in values.enumerated() { all[index] = value }
        case .update(let fields, let values): for (index, value) in zip(fields, values) { all[index] = value }
        case .none, .delete: break
        }
        return all
    }
}
