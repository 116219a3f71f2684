internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Records that their source no longer has.
extension StreamMerger {
    /// Decides what becomes of a record that is gone; writes nothing.
    func goneRecord(_ key: RecordKey, for reach: Reach = .source) throws -> GoneRecord {
        try gone(try facts(of: [key])[0], for: reach)
    }

    /// Decides what becomes of records that are gone; writes nothing.
    func goneRecords(_ keys: [RecordKey], for reach: Reach = .source) throws -> [GoneRecord] {
        try facts(of: keys).map { try gone($0, for: reach) }
    }

    private func gone(_ facts: RecordFacts, for reach: Reach) throws -> GoneRecord {
        let base = planner.base(of: facts, for: reach)
        let row = try facts.local.map { values in
            LocalRow.present(isEdited: try base.map { try isEdited(facts.key, values, base: $0, facts.others) } ?? true)
        }
        let below =
            base == nil || facts.local == nil
            ? .clean : try context.children.map { try $0.condition(under: facts.key) }.max() ?? .clean
        return planner.gone(
            facts, base: base, for: reach, row: row ?? .absent, below: below, hasMoved: moved.contains(facts.key))
    }

    /// Whether a person changed a row: something in it is what none of its sources said.
    func isEdited(
        _ key: RecordKey, _ local: [FieldValue], base: BaseRow, _ others: [SiblingSources.Record]
    ) throws -> Bool {
        let isEdited = RecordMerge.isEdited(
            base: canonical.sides(of: base.entries), local: canonical.sides(of: local), schema: schema,
            claims: context.siblings.claims(of: others))
        return try isEdited || context.siblings.haveEdits(key, others)
    }

    /// Plans a record that the source says is deleted.
    ///
    /// Its outcome is that of its row: in conflict, kept as edited here, or else unchanged; its deletion is counted on
    /// top, as for records that are gone. Where others fill the table too a deletion is a fact about the record, whoever
    /// listed it; where the source said the same before, whoever listed it since stands.
    func planDeleted(_ record: Int, _ facts: RecordFacts, of batch: borrowing RecordBatch) throws -> RecordPlan {
        var plan = RecordPlan(key: facts.key)
        if context.siblings.isEmpty {
            plan = try self.plan(gone(facts, for: .source), known: .flag) ?? plan
        } else if !isStatedBefore(record, facts.base, of: batch) {
            let entries = facts.base?.entries ?? planner.unknownBase(.live).entries
            let reach = Reach.statement(canonical.entries(record, of: batch, over: entries))
            plan = try self.plan(gone(facts, for: reach), known: .flag) ?? plan
        }
        plan.isReadBesides = plan.outcome != .conflict && plan.outcome != .keptLocal
        return plan
    }

    private func isStatedBefore(_ record: Int, _ base: BaseRow?, of batch: borrowing RecordBatch) -> Bool {
        guard let base, base.state == .statedTombstone, !base.isOpen else { return false }
        return !differs(record, of: batch, from: base)
    }

    private func plan(_ record: GoneRecord, known evidence: Evidence) throws -> RecordPlan? {
        let within = record.base != nil && record.decision.action == .conflict ? try editWithin(record.key) : nil
        return try planner.plan(record, known: evidence, within: within, isWanted: wants(record.key))
    }

    /// Lists a record that is gone and does nothing else.
    mutating func list(_ record: GoneRecord) {
        guard let base = record.base, record.isListed else { return }
        report.reportedGone += 1
        notify(record.key, planner.deleteChange(record, base, kind: .delete, .report))
    }

    /// Deletes the row of a record that is gone, or does what else was decided.
    mutating func apply(_ record: GoneRecord, known evidence: Evidence) throws {
        try apply([record], known: evidence)
    }

    /// Deletes the rows of records that are gone, or does what else was decided.
    mutating func apply(_ records: [GoneRecord], known evidence: Evidence) throws {
        let plans = try records.compactMap { try plan($0, known: evidence) }
        if evidence == .absence { report.goneConflicts += plans.count { $0.outcome == .conflict } }
        try carryOut(plans)
    }

    /// Deletes the records that belong to one which was deleted, whoever gave them.
    mutating func deleteAll(under owner: RecordKey) throws {
        var keys = try context.table.liveKeys(under: owner)
        if !context.siblings.isEmpty {
            keys = Set(keys).union(try context.table.rowKeys(under: owner)).sorted()
        }
        try applyAll(keys) { merger, keys in try merger.apply(merger.goneRecords(keys, for: .owner), known: .absence) }
    }

    /// Does something for keys together; where writing a row may change others, for one after the other.
    mutating func applyAll(
        _ keys: [RecordKey], _ body: (inout StreamMerger, [RecordKey]) throws -> Void
    ) throws {
        if keys.isEmpty { return }
        if !context.table.changesOtherRows { return try body(&self, keys) }
        for key in keys { try body(&self, [key]) }
    }
}
