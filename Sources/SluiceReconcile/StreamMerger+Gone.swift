package import SluiceMerge
package import SluiceModel
internal import SluiceReport
package import SluiceStore

/// Records that their source no longer has.
extension StreamMerger {
    /// How it is known that a record is gone.
    package enum Evidence {
        /// A complete scan did not see it. Such records are not among those that were read.
        case absence
        /// The source sent it and says that it is deleted.
        case flag
    }

    /// For whom a record is gone.
    enum Reach: Equatable {
        /// For the source that no longer has it; others may.
        case source
        /// For all sources, since this one states that the record is deleted; with what it says of the record.
        case statement([BaseEntry])
        /// For all sources, since the record that it belongs to was deleted.
        case owner

        /// What the record is at its source from now on.
        var tombstone: BaseState { if case .statement = self { .statedTombstone } else { .remoteTombstone } }

        /// What it is at other sources; nil where it is their own affair.
        var others: BaseState? {
            switch self {
            case .source: nil
            case .statement: .overruled
            case .owner: .remoteTombstone
            }
        }
    }

    /// A record that is gone, with all its sides.
    package struct GoneRecord {
        let key: RecordKey
        let base: BaseRow?
        let local: [FieldValue]?
        /// What other sources of the table said of it.
        let others: [SiblingSources.Record]
        let decision: RowDecision
        let reach: Reach
    }

    /// Decides what becomes of a record that is gone; writes nothing.
    func goneRecord(_ key: RecordKey, for reach: Reach = .source) throws -> GoneRecord {
        var base = try context.table.baseRow(key)
        let local = try context.table.localRow(key)
        if let known = base { base?.entries = canonical.recognised(known.entries, local: local) { _ in nil } }
        // What was added to a list that is taken goes with what it takes the place of.
        if takesList, local != nil, base?.state.isLive != true {
            if base == nil { base = unknownBase(.live) } else { base?.state = .live }
        }
        let isForAll = reach != .source
        let others = base == nil && !isForAll || context.siblings.isEmpty ? [] : try context.siblings.records(key)
        if isForAll { base = spokenFor(base, others) }
        var row = try local.map { values in
            LocalRow.present(isEdited: try base.map { try isEdited(key, values, base: $0, others) } ?? true)
        }
        var policy = schema.policies.policy(for: RowKind.editDelete.rawValue, newest: .unknown)
        if base != nil, case .present(let isEdited)? = row {
            let condition = try context.children.map { try $0.condition(under: key) }.max() ?? .clean
            row = .present(isEdited: (isEdited || condition != .clean) && !takesList)
            // What people added to a record would have nothing to belong to.
            if condition == .added && policy == .remoteWins { policy = .manual }
        }
        let isHeld = !isForAll && (context.siblings.isHeld(others) || moved.contains(key))
        let decision = RowMerge.decide(
            base: base?.state, local: row ?? .absent, remote: isHeld ? .goneHere : .gone, policy: policy)
        return GoneRecord(key: key, base: base, local: local, others: others, decision: decision, reach: reach)
    }

    /// The base of a record of which a source speaks for all others: what these have counts as had by it.
    private func spokenFor(_ base: BaseRow?, _ others: [SiblingSources.Record]) -> BaseRow? {
        if base?.state.isLive == true { return base }
        if var asked = base, asked.isOpen {
            asked.state = .live
            return asked
        }
        guard others.contains(where: \.isLive) else { return base }
        var unknown = unknownBase(.live)
        unknown.firstRun = base?.firstRun
        return unknown
    }

    /// Whether a person changed a row: something in it is what none of its sources said.
    package func isEdited(
        _ key: RecordKey, _ local: [FieldValue], base: BaseRow, _ others: [SiblingSources.Record]
    ) throws -> Bool {
        let isEdited = RecordMerge.isEdited(
            base: canonical.sides(of: base.entries), local: canonical.sides(of: local), schema: schema,
            claims: context.siblings.claims(of: others))
        return try isEdited || context.siblings.haveEdits(key, others)
    }

    /// Takes a record that the source says is deleted.
    ///
    /// Its outcome is that of its row: in conflict, kept as edited here, or else unchanged; its deletion is counted on
    /// top, as for records that are gone.
    mutating func mergeDeleted(_ record: Int, of batch: borrowing RecordBatch) throws {
        let outcomes = report.summary
        if let gone = try statedRecord(record, of: batch) { try apply(gone, known: .flag) }
        if report.summary.conflict == outcomes.conflict && report.summary.keptLocal == outcomes.keptLocal {
            report.summary.unchanged += 1
        }
    }

    /// What becomes of a record that the source says is deleted. Where others fill the table too it is a fact about the
    /// record, whoever listed it; nil where the source said the same before, so that whoever listed it since stands.
    private func statedRecord(_ record: Int, of batch: borrowing RecordBatch) throws -> GoneRecord? {
        let key = batch.key(of: record, schema: schema)
        if context.siblings.isEmpty { return try goneRecord(key) }
        let known = try context.table.baseRow(key)
        if let known, known.state == .statedTombstone, !known.isOpen, !differs(record, of: batch, from: known) {
            return nil
        }
        let entries = known?.entries ?? unknownBase(.live).entries
        return try goneRecord(key, for: .statement(canonical.entries(record, of: batch, over: entries)))
    }

    /// Lists a record that is gone and does nothing else.
    package mutating func list(_ record: GoneRecord) {
        guard let base = record.base, record.isListed else { return }
        report.reportedGone += 1
        notify(record.key, change(record, base, kind: .delete, .report))
    }

    /// Deletes the row of a record that is gone, or does what else was decided.
    package mutating func apply(_ record: GoneRecord, known evidence: Evidence) throws {
        let (key, decision, local) = (record.key, record.decision, record.local)
        guard var base = record.base else {
            // Somebody may list it later in the run.
            if case .statement = record.reach { try writeBase(key, record.settled(unknownBase(.live))) }
            return
        }
        switch decision.action {
        case .delete:
            var tried = TriedWrite(key: key, ordinal: nil, outcome: \.delete)
            if wants(key) {
                tried.change = change(record, base, kind: decision.kind, schema.deletesSoftly ? .soft : .hard)
            }
            if base.isOpen {
                let status: ConflictStatus = decision.isSettledByPolicy ? .auto : .obsolete
                tried.settlement.closed = try openConflicts(key, base).map { ($0, status) }
            } else if decision.isSettledByPolicy {
                tried.settlement.remembered = [(overruled(key, kind: decision.kind, local: local, remote: nil), nil)]
            }
            tried.withdrawn = withdrawn(record)
            let isWritten = try writeBase(
                key, record.settled(base),
                row: schema.deletesSoftly ? .markDeleted(at: context.time, run: context.run) : .delete,
                kind: decision.kind)
            try conclude(tried, isWritten: isWritten)
        case .conflict:
            countConflict(key)
            if evidence == .absence { report.goneConflicts += 1 }
            try hold(
                key, base: base, kind: decision.kind, local: local, remote: nil, note: try editWithin(key))
            guard case .statement = record.reach else { return }
            // What waits is the answer to this statement.
            let known = try context.table.baseRow(key)
            base = record.settled(base)
            base.isOpen = true
            if known?.state != base.state || known?.entries != base.entries { try writeBase(key, base) }
        case .fail: throw conflictFailure(key, kind: decision.kind)
        case .nothing, .insert, .mergeFields:
            if decision.isSettledByPolicy && evidence == .flag { report.summary.keptLocal += 1 }
            var settled = record.settled(base)
            if case .statement = record.reach {
            } else {
                guard let state = decision.newState, state != base.state else { return }
                settled.state = state
            }
            if base.isOpen {
                try closeConflicts(of: key, except: []) { _ in decision.isSettledByPolicy ? .auto : .obsolete }
            }
            try writeBase(key, settled)
            if decision.isSettledByPolicy, let local {
                notifyKept(heldChange(key, .keptLocal, decision.kind, base, local: local))
            }
            if decision.kind == .converged {
                if let withdrawn = withdrawn(record) { try withdraw(key, withdrawn.others, as: withdrawn.state) }
                // What belongs to it is gone as well.
                if !context.children.isEmpty { deleted.append(key) }
            }
            guard decision.kind == .heldElsewhere else { return }
            report.heldElsewhere += 1
            if heldKeys.count < RunProblem.listedKeys { heldKeys.append(key) }
            if !context.children.isEmpty { abandoned.append(key) }
            guard let local else { return }
            let abandoned = zip(canonical.sides(of: base.entries), canonical.sides(of: local)).map {
                $0 == $1 ? $0 : nil
            }
            try context.siblings.takeOver(key, record.others, abandoned: abandoned)
        }
    }

    /// Which other sources no longer hold a record that is gone, and what it is at them.
    private func withdrawn(_ record: GoneRecord) -> (others: [SiblingSources.Record], state: BaseState)? {
        if let state = record.reach.others { return (record.others, state) }
        let embedding = context.siblings.embedding(record.others)
        return embedding.isEmpty ? nil : (embedding, .overruled)
    }

    /// Deletes the records that belong to one which was deleted, whoever gave them.
    mutating func deleteAll(under owner: RecordKey) throws {
        var keys = try context.table.liveKeys(under: owner)
        if !context.siblings.isEmpty {
            keys = Set(keys).union(try context.table.rowKeys(under: owner)).sorted()
        }
        for key in keys { try apply(try goneRecord(key, for: .owner), known: .absence) }
    }

    package func change(
        _ record: GoneRecord, _ base: BaseRow, kind: RowKind, _ deletion: RecordChange.Deletion
    ) -> RecordChange {
        let fields = schema.fields.indices.map { index in
            RecordChange.Field(
                index: index, fieldClass: .unchanged, base: base.entries[index].value, local: record.local?[index],
                remote: nil, result: nil)
        }
        return RecordChange(action: .delete, kind: kind, key: record.key, fields: fields, deletion: deletion)
    }
}

extension StreamMerger.GoneRecord {
    /// The base of the record once its absence is settled.
    fileprivate func settled(_ base: BaseRow) -> BaseRow {
        var base = base
        base.state = reach.tombstone
        base.isOpen = false
        base.missedScans = 0
        if case .statement(let entries) = reach { base.entries = entries }
        return base
    }
}
