internal import SluiceJSON
package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// What becomes of the conflicts of a record once it is written.
struct ConflictSettlement {
    package var changes: [ConflictChange] = []
    /// Open collisions of unique values that are tried again.
    package var collisions: [ConflictEntry] = []
    /// Whether a conflict waits for a person.
    package var remainsOpen = false

    /// Whether any conflict is opened or brought up to date.
    var opensOrUpdates: Bool { changes.contains { if case .remember = $0 { true } else { false } } }
}

/// Conflicts are kept as data: opened once, brought up to date, and closed when they are over.
extension RecordPlanner {
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
    ///   - awaited: What its source said in these.
    /// - Returns: What is opened, brought up to date and closed.
    func settlement(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow?, local: [FieldValue],
        sides: RecordSides, merge: RecordMerge, existing: [ConflictEntry],
        awaited: [AwaitedRemote]
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
            // A part of what is not there has no value, also where the source leaves it out.
            let value = batch.value(record: record, field: field) ?? (sides.remote[field] == .null ? .null : nil)
            entry.remote = value.map { canonical.text($0, field: field) }
            let known = existing.first { $0.field == entry.field }
            let saysSame = known.map { self.saysSame($0, entry, now: value, awaited, field: field) } ?? false
            // What the source said before may be known no longer; what is to be decided is the same.
            if let known, base?.entries[field] == BaseEntry.none, entry.kind == FieldClass.addAdd.rawValue,
                known.local == entry.local, saysSame
            {
                (entry.kind, entry.base, entry.baseAbsence) = (known.kind, known.base, known.baseAbsence)
            }
            if let claim = merge.decisions[field].claim {
                name(claim, in: &entry, merge.decisions[field])
            } else if !merge.decisions[field].isSettled, wouldTakeNewest(field, kind: entry.kind) {
                // The run that opened the conflict may have moved the time itself, so its reason stands.
                let isKnown = known?.local == entry.local && saysSame
                entry.note = isKnown ? known?.note : untold(sides, local: local)
            }
            // The value that a policy overwrites is kept with the conflict, so that it is not lost.
            if merge.decisions[field].isSettled {
                entry.status = .auto
                entry.policy = merge.policies[field]?.rawValue ?? entry.policy
                if known == nil { settlement.changes.append(.remember(entry, over: nil)) }
            } else {
                settlement.changes.append(.remember(entry, over: known))
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
            let end: ConflictEnd? =
                if let index {
                    ConflictEnd(
                        sides, field: index, decision: merge.decisions[index],
                        isRedacted: schema.fields[index].redaction != nil && old.base == old.remote)
                } else {
                    old.field == nil ? old.endByFields : .unmanaged
                }
            settlement.changes.append(
                .close(old, as: isSettled ? .auto : hasConverged ? .converged : .obsolete, since: end))
        }
        return settlement
    }

    /// Plans a conflict of the whole record, which is told once per distinct remote.
    ///
    /// - Parameters:
    ///   - facts: What is known of the record.
    ///   - base: Its base, as it is to be compared.
    ///   - kind: How the sides relate.
    ///   - local: Its row, nil where there is none.
    ///   - remote: What the source says, nil where the record is gone.
    ///   - note: What happened within the record.
    ///   - within: What people did below the record.
    ///   - isNews: Whether it is news; nil where the sides tell that.
    ///   - isWanted: Whether somebody wants to see it.
    /// - Returns: The plan.
    package func hold(
        _ facts: RecordFacts, base: BaseRow, kind: RowKind, local: [FieldValue]? = nil, remote: [FieldValue?]? = nil,
        note: String? = nil, within: String? = nil, isNews: Bool? = nil, isWanted: Bool
    ) -> RecordPlan {
        let existing = base.isOpen ? facts.conflicts : []
        var entry = conflictEntry(FieldJSON.object(key: facts.key, schema: schema), field: nil, kind: kind.rawValue)
        entry.local = local.map { canonical.object($0, within: within) }
        entry.remote = remote.map { canonical.object($0) }
        let known = existing.first { $0.field == nil }
        // What the source changed within a record that was deleted here stays to be decided.
        entry.note = note ?? (kind == .deleteEdit && known?.kind == entry.kind ? known?.note : nil)
        var plan = RecordPlan(key: facts.key)
        plan.outcome = .conflict
        // A conflict of the record takes the place of its fields' conflicts.
        plan.conflicts = existing.filter { $0.field != nil }.map { .close($0, as: .obsolete, since: .record(nil)) }
        plan.conflicts.append(.remember(entry, over: known, isNews: isNews))
        if !base.isOpen {
            var open = base
            open.isOpen = true
            plan.write = baseWrite(facts.key, open, keepsHash: true)
        }
        if isWanted { plan.change = heldChange(facts.key, .conflict, kind, base, local: local, remote: remote) }
        return plan
    }

    /// Why a conflict is over whose record is decided as a whole; nil where that does not tell it.
    func end(of conflict: ConflictEntry, by decision: RowDecision, over base: BaseRow) -> ConflictEnd? {
        let end = conflict.end(by: decision)
        return end == .sourceReverted && isRedacted(conflict, over: base) ? .redacted : end
    }

    /// Whether what the source says in a conflict over a whole record is what it said before, as far as redaction keeps it.
    private func isRedacted(_ conflict: ConflictEntry, over base: BaseRow) -> Bool {
        // Where something within the record was changed, the conflict is about that.
        guard conflict.field == nil, conflict.note == nil, schema.fields.contains(where: { $0.redaction != nil }),
            let remote = conflict.remote.flatMap({ try? JSONDocument($0).root })
        else { return false }
        return schema.fields.indices.allSatisfy { index in
            let field = schema.fields[index]
            // Of what is dropped nothing is kept, in whatever form it was hidden.
            if field.redaction == .drop || schema.keyFields.contains(index) { return true }
            let said = remote.member(named: field.name).map { String(decoding: $0.json, as: UTF8.self) } ?? "null"
            return said == base.entries[index].value.map { canonical.text($0, field: index) } ?? "null"
        }
    }

    /// Says between which sources a disagreement is, and how their order decided it.
    private func name(_ claim: Int, in entry: inout ConflictEntry, _ decision: FieldDecision) {
        entry.otherSource = sources.path(of: claim)
        // Where nobody said which source goes first, no policy can.
        entry.policy = ConflictPolicy.manual.rawValue
        guard decision.settlement == .byPrecedence else { return }
        entry.policy = ConflictEntry.precedence
        entry.resolution = decision.takesRemote ? "remote" : "local"
    }

    /// The schema for a record some of whose fields are still to be inserted: what people alone may change is too, where its
    /// value was taken, and in a row that has nothing but its key since other records refer to it.
    func inserting(
        into local: [FieldValue], over base: BaseRow?, _ existing: [ConflictEntry]
    ) -> RecordSchema {
        var schema = schema
        if canonical.standsForRecord(local, of: base) {
            for field in schema.fields.indices where schema.fields[field].owner == .local {
                schema.fields[field].owner = .shared
            }
            return schema
        }
        for conflict in existing where conflict.isUniqueCollision {
            guard let field = schema.fields.firstIndex(where: { $0.name == conflict.field }) else { continue }
            if schema.fields[field].owner == .local { schema.fields[field].owner = .shared }
        }
        return schema
    }

    /// Whether an open conflict over a field has the remote value that the source gives now.
    private func saysSame(
        _ known: ConflictEntry, _ entry: ConflictEntry, now value: FieldValue?, _ awaited: [AwaitedRemote], field: Int
    ) -> Bool {
        if known.remote == entry.remote { return true }
        guard let value, let before = awaited.first(where: { $0.field == entry.field })?.values[field] else {
            return false
        }
        return canonical.same(before, schema.shown(value, field: field), field: field)
    }

    package func conflictEntry(_ key: String, field: Int?, kind: String) -> ConflictEntry {
        let policies = field.flatMap { schema.fields[$0].policies } ?? schema.policies
        return ConflictEntry(
            pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity, key: key,
            field: field.map { schema.fields[$0].name }, kind: kind, base: nil, local: nil, remote: nil,
            policy: policies.policy(for: kind, newest: .unknown).rawValue, status: .open, firstRun: run,
            lastRun: run)
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
    package func newestSide(
        _ record: Int, of batch: borrowing RecordBatch, local: [FieldValue], sides: RecordSides
    ) -> NewestSide {
        guard let field = schema.newestField, sides.local[field] != sides.base[field],
            let remote = batch.value(record: record, field: field)
        else { return .unknown }
        switch (ChangeTime(local[field]), ChangeTime(remote)) {
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
            } else if ChangeTime(local[field]) == nil {
                "`\(name)` has no time here"
            } else {
                "`\(name)` is the same on both sides"
            }
        return "newest_wins cannot tell: \(reason)"
    }
}
