internal import SluiceMerge
internal import SluiceStore

/// Records that their source no longer has.
extension StreamMerger {
    /// How it is known that a record is gone.
    enum Evidence {
        /// A complete scan did not see it. Such records are not among those that were read.
        case absence
        /// The source sent it and says that it is deleted.
        case flag
    }

    /// A record that is gone, with all its sides.
    struct GoneRecord {
        let key: RecordKey
        let base: BaseRow?
        let local: [FieldValue]?
        /// What other sources of the table said of it.
        let others: [SiblingSources.Record]
        let decision: RowDecision
    }

    /// Decides what becomes of a record that is gone; writes nothing.
    func goneRecord(_ key: RecordKey) throws -> GoneRecord {
        var base = try context.table.baseRow(key)
        let local = try context.table.localRow(key)
        if let known = base { base?.entries = canonical.recognised(known.entries, local: local) { _ in nil } }
        let others = base == nil || context.siblings.isEmpty ? [] : try context.siblings.records(key)
        var row = try local.map { values in
            LocalRow.present(isEdited: try base.map { try isEdited(key, values, base: $0, others) } ?? true)
        }
        var policy = schema.policies.policy(for: RowKind.editDelete.rawValue, newest: .unknown)
        if base != nil, case .present(let isEdited)? = row {
            let condition = try context.children.map { try $0.condition(under: key) }.max() ?? .clean
            row = .present(isEdited: isEdited || condition != .clean || isContestedList)
            // What people added to a record would have nothing to belong to.
            if condition == .added && policy == .remoteWins { policy = .manual }
        }
        let decision = RowMerge.decide(
            base: base?.state, local: row ?? .absent, remote: context.siblings.isHeld(others) ? .goneHere : .gone,
            policy: policy)
        return GoneRecord(key: key, base: base, local: local, others: others, decision: decision)
    }

    /// Whether a person changed a row: something in it is what none of its sources said.
    private func isEdited(
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
    mutating func mergeDeleted(_ key: RecordKey) throws {
        let outcomes = report.summary
        try apply(try goneRecord(key), known: .flag)
        if report.summary.conflict == outcomes.conflict && report.summary.keptLocal == outcomes.keptLocal {
            report.summary.unchanged += 1
        }
    }

    /// Lists a record that is gone and does nothing else.
    mutating func list(_ record: GoneRecord) {
        guard let base = record.base, record.isListed else { return }
        report.reportedGone += 1
        notify(record.key, change(record, base, kind: .delete, .report))
    }

    /// Deletes the row of a record that is gone, or does what else was decided.
    mutating func apply(_ record: GoneRecord, known evidence: Evidence) throws {
        let (key, decision, local) = (record.key, record.decision, record.local)
        guard var base = record.base else { return }
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
            base.state = .remoteTombstone
            base.isOpen = false
            base.missedScans = 0
            let isWritten = try writeBase(
                key, base, row: schema.deletesSoftly ? .markDeleted(at: context.time, run: context.run) : .delete,
                kind: decision.kind)
            try conclude(tried, isWritten: isWritten)
        case .conflict:
            report.summary.conflict += 1
            if evidence == .absence { report.goneConflicts += 1 }
            try hold(key, base: base, kind: decision.kind, local: local, remote: nil)
        case .fail: throw conflictFailure(key, kind: decision.kind)
        case .nothing, .insert, .mergeFields:
            if decision.isSettledByPolicy && evidence == .flag { report.summary.keptLocal += 1 }
            guard let state = decision.newState, state != base.state else { return }
            if base.isOpen {
                try closeConflicts(of: key, except: []) { _ in decision.isSettledByPolicy ? .auto : .obsolete }
            }
            let before = base
            base.state = state
            base.isOpen = false
            base.missedScans = 0
            try writeBase(key, base)
            if decision.isSettledByPolicy, let local {
                notifyKept(heldChange(key, .keptLocal, decision.kind, before, local: local))
            }
            guard decision.kind == .heldElsewhere else { return }
            report.heldElsewhere += 1
            guard let local else { return }
            let abandoned = zip(canonical.sides(of: base.entries), canonical.sides(of: local)).map {
                $0 == $1 ? $0 : nil
            }
            try context.siblings.takeOver(key, record.others, abandoned: abandoned)
        }
    }

    func change(
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
