internal import SluiceDecode
package import SluiceMerge
package import SluiceModel
internal import SluiceReport
package import SluiceStore

/// Conflicts are kept as data: opened once, brought up to date, and closed when they are over.
extension StreamMerger {
    /// What becomes of a record's conflicts, once it is written.
    ///
    /// - Parameters:
    ///   - record: The record's position in its batch.
    ///   - batch: The batch.
    ///   - key: The record's key.
    ///   - base: Its base, nil where there is none.
    ///   - local: Its row.
    ///   - sides: Its three sides.
    ///   - merge: What becomes of its fields.
    ///   - existing: Its open conflicts.
    /// - Returns: What is opened, brought up to date and closed.
    package func settlement(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow?, local: [FieldValue],
        sides: RecordSides, merge: RecordMerge, existing: [ConflictEntry]
    ) -> ConflictSettlement {
        let open = merge.open
        let overruled = merge.decisions.indices.filter { field in
            let decision = merge.decisions[field]
            return decision.settlement == .byPrecedence || decision.settlement == .byPolicy && decision.takesRemote
        }
        var settlement = ConflictSettlement()
        if open.isEmpty && overruled.isEmpty && existing.isEmpty { return settlement }
        let keyText = FieldJSON.object(key: key, schema: schema)
        for field in open + overruled {
            var entry = conflictEntry(
                keyText, field: field, kind: merge.decisions[field].fieldClass.rawValue)
            entry.base = base?.entries[field].value.map { canonical.text($0, field: field) }
            entry.baseAbsence = canonical.absence(of: base?.entries[field], field: field)
            entry.local = canonical.text(local[field], field: field)
            entry.remote = batch.value(record: record, field: field).map { canonical.text($0, field: field) }
            let known = existing.first { $0.field == entry.field }
            if let claim = merge.decisions[field].claim {
                name(claim, in: &entry, merge.decisions[field])
            } else if !merge.decisions[field].isSettled, wouldTakeNewest(field, kind: entry.kind) {
                // The run that opened the conflict may have moved the time itself, so its reason stands.
                let isKnown = known.map { $0.local == entry.local && saysSame($0, entry) } ?? false
                entry.note = isKnown ? known?.note : untold(sides, local: local)
            }
            // The value that a policy overwrites is kept with the conflict, so that it is not lost.
            if merge.decisions[field].isSettled {
                entry.status = .auto
                entry.policy = merge.policies[field]?.rawValue ?? entry.policy
                if known == nil { settlement.remembered.append((entry, nil)) }
            } else {
                settlement.remembered.append((entry, known))
            }
        }
        settlement.remainsOpen = !open.isEmpty
        let openNames = Set(open.map { schema.fields[$0].name })
        for old in existing where old.field.map({ !openNames.contains($0) }) ?? true {
            let index = old.field.flatMap { name in schema.fields.firstIndex { $0.name == name } }
            // An absent key says nothing, so what was open stays open.
            if let index, sides.remote[index] == .nothing,
                sides.local[index] != sides.base[index] || old.isUniqueCollision
            {
                settlement.remainsOpen = true
                continue
            }
            // Whether the value is still taken shows when it is written.
            if let index, old.isUniqueCollision, merge.decisions[index].takesRemote {
                settlement.collisions.append(old)
                continue
            }
            let hasConverged = index.map { sides.remote[$0] == sides.local[$0] } ?? false
            let isSettled = schema.writeMode != .merge || (index.map { merge.decisions[$0].isSettled } ?? false)
            settlement.closed.append((old, isSettled ? .auto : hasConverged ? .converged : .obsolete))
        }
        return settlement
    }

    /// Keeps what was settled about a record's conflicts.
    package mutating func apply(_ settlement: ConflictSettlement) throws {
        for (entry, known) in settlement.remembered { try remember(entry, over: known) }
        for (entry, status) in settlement.closed { try close(entry, as: status) }
    }

    /// The open conflicts of a record whose base says that there are some.
    package func openConflicts(_ key: RecordKey, _ base: BaseRow?) throws -> [ConflictEntry] {
        if base?.isOpen != true { return [] }
        return try context.store.conflicts.open(of: schema.source, key: FieldJSON.object(key: key, schema: schema))
    }

    /// Says between which sources a disagreement is, and how their order decided it.
    private func name(_ claim: Int, in entry: inout ConflictEntry, _ decision: FieldDecision) {
        entry.otherSource = context.siblings.path(of: claim)
        // Where nobody said which source goes first, no policy can.
        entry.policy = ConflictPolicy.manual.rawValue
        guard decision.settlement == .byPrecedence else { return }
        entry.policy = "precedence"
        entry.resolution = decision.takesRemote ? "remote" : "local"
    }

    mutating func holdRecord(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow, kind: RowKind
    ) throws {
        let values = schema.fields.indices.map { batch.value(record: record, field: $0) }
        try hold(key, base: base, kind: kind, local: nil, remote: values)
        countConflict(key)
    }

    /// Keeps a conflict of the whole record open, and says so once per distinct remote.
    package mutating func hold(
        _ key: RecordKey, base: BaseRow, kind: RowKind, local: [FieldValue]?, remote: [FieldValue?]?,
        note: String? = nil, isNews: Bool = false
    ) throws {
        let existing = try openConflicts(key, base)
        var entry = conflictEntry(FieldJSON.object(key: key, schema: schema), field: nil, kind: kind.rawValue)
        entry.local = local.map { canonical.object($0) }
        entry.remote = remote.map { canonical.object($0) }
        let known = existing.first { $0.field == nil }
        // What the source changed within a record that was deleted here stays to be decided.
        entry.note = note ?? (kind == .deleteEdit && known?.kind == entry.kind ? known?.note : nil)
        // A conflict of the record takes the place of its fields' conflicts.
        for old in existing where old.field != nil { try close(old, as: .obsolete) }
        let news = report.newConflicts
        try remember(entry, over: known, isNews: isNews)
        if !base.isOpen {
            var open = base
            open.isOpen = true
            try writeBase(key, open, keepsHash: true)
        }
        if report.newConflicts > news {
            notify(key, heldChange(key, .conflict, kind, base, local: local, remote: remote))
        }
    }

    func conflictEntry(_ key: String, field: Int?, kind: String) -> ConflictEntry {
        let policies = field.flatMap { schema.fields[$0].policies } ?? schema.policies
        return ConflictEntry(
            pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity, key: key,
            field: field.map { schema.fields[$0].name }, kind: kind, base: nil, local: nil, remote: nil,
            policy: policies.policy(for: kind, newest: .unknown).rawValue, status: .open, firstRun: context.run,
            lastRun: context.run)
    }

    /// A conflict of a whole record that a policy decided against the store.
    package func overruled(_ key: RecordKey, kind: RowKind, local: [FieldValue]?, remote: String?) -> ConflictEntry {
        var entry = conflictEntry(FieldJSON.object(key: key, schema: schema), field: nil, kind: kind.rawValue)
        entry.local = local.map { canonical.object($0) }
        entry.remote = remote
        entry.status = .auto
        return entry
    }

    /// Which side was changed last, as far as both say so. An edit that left the timestamp as it was has no time.
    func newestSide(
        _ record: Int, of batch: borrowing RecordBatch, local: [FieldValue], sides: RecordSides
    ) -> NewestSide {
        guard let field = schema.newestField, sides.local[field] != sides.base[field],
            let remote = batch.value(record: record, field: field)
        else { return .unknown }
        switch (CursorPoint(local[field]), CursorPoint(remote)) {
        case (let local?, let remote?) where local != remote: return local < remote ? .remote : .local
        default: return .unknown
        }
    }

    /// Whether the newer side would stand, if one was known to be.
    private func wouldTakeNewest(_ field: Int, kind: String) -> Bool {
        let policies = schema.fields[field].policies ?? schema.policies
        return policies.policy(for: kind, newest: .remote) == .newestWins
    }

    /// Why it is not known which side is newer.
    private func untold(_ sides: RecordSides, local: [FieldValue]) -> String? {
        guard let field = schema.newestField else { return nil }
        let name = schema.fields[field].name
        let reason =
            if sides.local[field] == sides.base[field] {
                "the edit left `\(name)` as it was"
            } else if sides.remote[field] == .nothing || sides.remote[field] == .null {
                "the source gives no `\(name)`"
            } else if CursorPoint(local[field]) == nil {
                "`\(name)` has no time here"
            } else {
                "`\(name)` is the same on both sides"
            }
        return "newest_wins cannot tell: \(reason)"
    }

    package mutating func remember(_ entry: ConflictEntry, over known: ConflictEntry?, isNews: Bool = false) throws {
        guard var known else {
            var entry = entry
            let id = try context.store.conflicts.insert(entry)
            entry.id = context.run == nil ? nil : id
            if entry.status == .open { report.newConflicts += 1 }
            context.observer.conflict(entry)
            return
        }
        // A source that only writes the same value in another way says nothing new.
        let isNews = isNews || known.kind != entry.kind || !saysSame(known, entry)
        let isShown =
            (known.base, known.local, known.note, known.otherSource)
            == (entry.base, entry.local, entry.note, entry.otherSource)
        if !isNews && isShown { return }
        (known.kind, known.base, known.local, known.remote) = (entry.kind, entry.base, entry.local, entry.remote)
        (known.note, known.policy, known.otherSource) = (entry.note, entry.policy, entry.otherSource)
        known.baseAbsence = entry.baseAbsence
        known.lastRun = context.run
        if isNews {
            known.seen += 1
            report.newConflicts += 1
        }
        try context.store.conflicts.update(known)
        if isNews { context.observer.conflict(shown(known)) }
    }

    /// Whether two conflicts about the same have the same remote value.
    private func saysSame(_ known: ConflictEntry, _ entry: ConflictEntry) -> Bool {
        if known.remote == entry.remote { return true }
        guard let name = entry.field, let field = schema.fields.firstIndex(where: { $0.name == name }),
            let before = known.remote.flatMap({ stored.value($0, type: schema.fields[field].type) }),
            let now = entry.remote.flatMap({ stored.value($0, type: schema.fields[field].type) })
        else { return false }
        return canonical.same(before, now, field: field)
    }

    /// Closes the conflicts of a record.
    mutating func closeConflicts(
        of key: RecordKey, except kept: Set<Int64>, _ status: (ConflictEntry) -> ConflictStatus
    ) throws {
        let keyText = FieldJSON.object(key: key, schema: schema)
        let open = try context.store.conflicts.open(of: schema.source, key: keyText)
        for entry in open where entry.id.map({ !kept.contains($0) }) ?? true { try close(entry, as: status(entry)) }
    }

    package func close(_ entry: ConflictEntry, as status: ConflictStatus) throws {
        var closed = entry
        closed.status = status
        closed.lastRun = context.run
        try context.store.conflicts.update(closed)
        context.observer.conflict(shown(closed))
    }

    /// Ids are not kept by a plan, so it shows none.
    package func shown(_ entry: ConflictEntry) -> ConflictEntry {
        var shown = entry
        if context.run == nil { shown.id = nil }
        return shown
    }

    /// Why the run fails where a field's policy says that it must.
    func conflictFailure(
        _ key: RecordKey, field: Int, kind: FieldClass, local: FieldValue, remote: FieldValue?
    ) -> SyncError {
        let described = schema.fields[field]
        func text(_ value: FieldValue?) -> String {
            String(FieldJSON.text(value ?? .null, type: described.type).prefix(80))
        }
        return SyncError(
            .conflict,
            "`\(described.name)` of \(schema.entity) \(FieldJSON.object(key: key, schema: schema)) was changed on both sides (\(kind.rawValue)): here it is \(text(local)), at the source \(text(remote)). Its policy is `fail`, so nothing was written. Make the two the same, or choose another `on_conflict`."
        )
    }

    /// Why the run fails where a record's policy says that it must.
    func conflictFailure(_ key: RecordKey, kind: RowKind) -> SyncError {
        let what =
            kind == .editDelete
            ? "was edited here and is gone from the source" : "was deleted here and changed at the source"
        return SyncError(
            .conflict,
            "\(schema.entity) \(FieldJSON.object(key: key, schema: schema)) \(what) (\(kind.rawValue)). Its policy is `fail`, so nothing was written. Take back what was done here, or choose another `on_conflict`."
        )
    }
}

extension ConflictEntry {
    /// Whether another row has the value that the source gives.
    var isUniqueCollision: Bool { kind == FieldClass.uniqueCollision.rawValue }
}
