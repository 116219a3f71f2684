package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// How it is known that a record is gone.
package enum Evidence {
    /// A complete scan did not see it. Such records are not among those that were read.
    case absence
    /// The source sent it and says that it is deleted.
    case flag
}

/// For whom a record is gone.
package enum Reach: Equatable {
    /// For the source that no longer has it; others may.
    case source
    /// For all sources, since this one states that the record is deleted.
    case statement(Statement)
    /// For all sources, since the record that it belongs to was deleted.
    case owner

    /// What the record is at its source from now on.
    var tombstone: BaseState { if case .statement = self { .statedTombstone } else { .remoteTombstone } }

    /// What it is at other sources; nil where it is their own affair.
    package var others: BaseState? {
        switch self {
        case .source: nil
        case .statement: .overruled
        case .owner: .remoteTombstone
        }
    }

    package var isStatement: Bool { if case .statement = self { true } else { false } }

    /// What a source says of a record as it states that it is deleted.
    package struct Statement: Equatable {
        /// What the source said of the record: in the statement, and before of what that leaves out.
        package let entries: [BaseEntry]
        /// The hash of what the statement says.
        package let hash: UInt64

        /// Makes a value of its parts.
        package init(entries: [BaseEntry], hash: UInt64) { (self.entries, self.hash) = (entries, hash) }
    }
}

/// A column of a row that the stream does not fill, but others do or it did itself, and that people changed.
package struct EditElsewhere {
    /// The column.
    package let column: String
    /// A mark that changes with its value.
    package let mark: UInt64

    /// Makes a value of its parts.
    package init(column: String, mark: UInt64) { (self.column, self.mark) = (column, mark) }
}

/// What people did to what belongs to a record that is gone, and to what of its row the stream does not fill.
package struct EditsWithin {
    /// The first of it, in words.
    package let words: String
    /// All of it, as a mark that changes with it; nil where it is not told.
    package let mark: String?

    /// Makes a value of its parts.
    package init(words: String, mark: String?) { (self.words, self.mark) = (words, mark) }
}

/// A record that is gone, with all its sides and what is decided about it.
package struct GoneRecord {
    package let facts: RecordFacts
    /// The base as it is compared: of a record of which the source speaks for others, what these have.
    package let base: BaseRow?
    package let decision: RowDecision
    package let reach: Reach
    /// What people did to what belongs to it.
    package let below: ChildrenState
    /// The columns that the stream does not fill, but others do or it did itself, and people changed.
    package let elsewhere: [EditElsewhere]
    /// Whether another source came to list it in this run.
    let hasMoved: Bool

    package var key: RecordKey { facts.key }
    package var local: [FieldValue]? { facts.local }

    /// Whether anything would happen to it if it counted as gone.
    package var matters: Bool {
        guard let base else { return false }
        return decision.action != .nothing || (decision.newState.map { $0 != base.state } ?? false)
    }

    /// What a record that was not seen loses once it counts as gone.
    package enum Change {
        /// Nothing but what its source said of it.
        case none
        /// Its row, or its source, since another one still has it.
        case goes
        /// That people deleted its row: it comes back where the source lists it again.
        case isForgotten
        /// Nothing yet, since people are asked whether its row goes.
        case isAsked
    }

    /// What it loses once it counts as gone.
    package var change: Change {
        // Of a row that people deleted the other source knows that as well.
        if passesOn { return local == nil ? .none : .goes }
        if decision.action == .delete { return .goes }
        if decision.action == .conflict { return asksAlready ? .none : .isAsked }
        return local == nil && matters && base?.state.isLive == true ? .isForgotten : .none
    }

    /// Whether its row passes to another source that still has it.
    package var passesOn: Bool { decision.kind == .heldElsewhere }

    /// Whether its source asks already whether its row goes.
    package var asksAlready: Bool { facts.conflicts.contains(where: \.isOfGoneRecord) }

    /// Whether its row stays.
    private var stays: Bool { local != nil && decision.action != .delete }

    /// Whether a report lists it.
    package var isListed: Bool { [.delete, .conflict].contains(decision.action) }

    /// The base of the record once its absence is settled.
    package func settled(_ base: BaseRow) -> BaseRow {
        var base = base
        base.state = reach.tombstone
        base.isOpen = false
        base.missedScans = 0
        if case .statement(let statement) = reach {
            base.rowHash = statement.hash
            // Of a row that stays, what the source listed tells the edits: what the statement says was never in it.
            if stays { base.missedScans = 1 } else { base.entries = statement.entries }
        }
        return base
    }
}

/// Records that their source no longer has.
extension RecordPlanner {
    /// The base that a record which is gone is compared by; nil where its source never had it.
    package func base(of facts: RecordFacts, for reach: Reach) -> BaseRow? {
        var base = facts.base
        if let known = base { base?.entries = canonical.recognised(known.entries, local: facts.local) { _ in nil } }
        // What was added to a list that is taken goes with what it takes the place of.
        if takesList, facts.local != nil, base?.state.isLive != true {
            if base == nil { base = unknownBase(.live) } else { base?.state = .live }
        }
        return reach == .source ? base : spokenFor(base, facts.others)
    }

    /// Decides about a record that is gone.
    ///
    /// - Parameters:
    ///   - facts: What is known of it.
    ///   - base: The base that it is compared by.
    ///   - reach: For whom it is gone.
    ///   - row: Its row, as people left it.
    ///   - below: What people did to what belongs to it.
    ///   - elsewhere: See ``GoneRecord/elsewhere``.
    ///   - hasMoved: Whether another source came to list it in this run.
    ///   - isLost: Whether all others that had it lost it in this run as well.
    ///   - isKept: Whether another source lists it in this run and could not give it: then nothing is known of it yet.
    ///   - isNeeded: Whether a reference that must not be empty leads to it, so that it stays, and what it belongs to with it.
    /// - Returns: The record with what is decided.
    package func gone(
        _ facts: RecordFacts, base: BaseRow?, for reach: Reach, row: LocalRow, below: ChildrenState,
        elsewhere: [EditElsewhere] = [], hasMoved: Bool, isLost: Bool = false, isKept: Bool, isNeeded: Bool = false
    ) -> GoneRecord {
        var row = row
        var policy = schema.policies.policy(for: RowKind.editDelete.rawValue, newest: .unknown)
        if base != nil, case .present(let isEdited) = row {
            row = .present(isEdited: (isEdited || below != .clean) && !takesList)
            // What stays of that which belongs to a record would have nothing to belong to.
            if below >= .held && policy == .remoteWins { policy = .manual }
        }
        let isHeld = reach == .source && (sources.isHeld(facts.others) && !isLost || hasMoved)
        let isUnseen = reach == .source && isKept || isNeeded
        let decision = RowMerge.decide(
            base: base?.state, local: row, remote: isHeld ? .goneHere : isUnseen ? .unseen : .gone, policy: policy)
        return GoneRecord(
            facts: facts, base: base, decision: decision, reach: reach, below: below, elsewhere: elsewhere,
            hasMoved: hasMoved)
    }

    /// The base of a record of which a source speaks for all others: what these have counts as had by it.
    private func spokenFor(_ base: BaseRow?, _ others: [OtherRecord]) -> BaseRow? {
        if base?.state.isLive == true { return base }
        if var asked = base, asked.isOpen {
            asked.state = .live
            return asked
        }
        guard others.contains(where: \.isLive) else { return base }
        var unknown = unknownBase(.live)
        unknown.firstRun = base?.firstRun
        // What it gave last is there where the others took nothing else since.
        if let base, base.state == .remoteTombstone || base.isKnownByHash { unknown.entries = base.entries }
        return unknown
    }

    /// Plans to delete the row of a record that is gone, or what else was decided.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - within: What people did to what belongs to it.
    ///   - isWanted: Whether somebody wants to see what happens to it.
    /// - Returns: The plan; nil where nothing is to be done.
    /// - Throws: Where a policy is to fail.
    package func plan(
        _ record: GoneRecord, within: EditsWithin?, isWanted: Bool
    ) throws(PolicyFailure) -> RecordPlan? {
        guard let base = record.base else {
            // Somebody may list it later in the run.
            guard record.reach.isStatement else { return nil }
            var plan = RecordPlan(key: record.key)
            plan.write = baseWrite(record.key, record.settled(unknownBase(.live)), keepsHash: true)
            return plan
        }
        switch record.decision.action {
        case .delete: return deletion(record, base, isWanted: isWanted)
        case .conflict: return heldDeletion(record, base, within: within, isWanted: isWanted)
        case .fail: throw PolicyFailure(key: record.key, subject: .record(record.decision.kind))
        case .nothing, .insert, .mergeFields: return standing(record, base)
        }
    }

    private func deletion(_ record: GoneRecord, _ base: BaseRow, isWanted: Bool) -> RecordPlan {
        let (key, decision) = (record.key, record.decision)
        var plan = RecordPlan(key: key)
        plan.outcome = .delete
        plan.isTold = true
        if isWanted {
            plan.change = deleteChange(record, base, kind: decision.kind, schema.deletesSoftly ? .soft : .hard)
        }
        if base.isOpen {
            plan.conflicts = record.facts.conflicts.map {
                .close($0, as: decision.isSettledByPolicy ? .auto : .obsolete, since: $0.end(by: decision))
            }
        } else if decision.isSettledByPolicy {
            plan.conflicts = [
                .remember(overruled(key, kind: decision.kind, local: record.local, remote: nil), over: nil)
            ]
        }
        plan.withdrawn = withdrawn(record)
        plan.isGainsaid = record.reach.isStatement && sources.areListedNow(record.facts.others, run: run)
        plan.below = .go
        plan.write = baseWrite(
            key, record.settled(base), row: schema.deletesSoftly ? .markDeleted(at: time, run: run) : .delete,
            keepsHash: record.reach.isStatement, kind: decision.kind)
        return plan
    }

    /// Plans a record about whose row another source asks already: that it is gone here as well is remembered.
    package func asked(_ record: GoneRecord) -> RecordPlan? {
        guard let base = record.base else { return nil }
        var plan = RecordPlan(key: record.key)
        if base.isOpen {
            plan.conflicts = record.facts.conflicts.map { .close($0, as: .obsolete, since: .otherSource) }
        }
        var settled = record.settled(base)
        if let local = record.local {
            settled.entries = remaining(of: base, record.facts)
            (plan.others, plan.left) = (record.facts.others, left(local, by: base))
        }
        plan.write = baseWrite(record.key, settled, keepsHash: record.reach.isStatement)
        if record.reach.isStatement { leave(record.facts, by: &plan) }
        return plan
    }

    /// Plans a record that is gone and was edited here.
    private func heldDeletion(
        _ record: GoneRecord, _ known: BaseRow, within: EditsWithin?, isWanted: Bool
    ) -> RecordPlan {
        let base = inheriting(known, record.facts)
        var plan = hold(
            record.facts, base: base, kind: record.decision.kind, local: record.local, note: within?.words,
            within: within?.mark, isWanted: isWanted)
        guard record.reach.isStatement else {
            if base.entries != known.entries {
                var asked = base
                asked.isOpen = true
                plan.write = baseWrite(record.key, asked)
            }
            return plan
        }
        if isWanted, !record.facts.others.isEmpty {
            // It was edited beside what those say that list it.
            var told = base
            told.entries = sources.standing(of: record.facts.others, beside: base)
            plan.change = heldChange(record.key, .conflict, record.decision.kind, told, local: record.local)
        }
        // What waits is the answer to this statement.
        var answered = record.settled(base)
        (answered.isOpen, answered.missedScans) = (true, 0)
        let before = known.isOpen ? record.facts.base : known
        if before?.state != answered.state || before?.rowHash != answered.rowHash
            || before?.entries != answered.entries || before?.isSilent == true
        {
            plan.write = baseWrite(record.key, answered, keepsHash: true)
        }
        return plan
    }

    /// A base with what a source gave that goes before and lost the record as well, in place of what its own never had in the row: by
    /// that the row's edits are told from now on.
    private func inheriting(_ base: BaseRow, _ facts: RecordFacts) -> BaseRow {
        let standing = sources.standingStill(facts.others)
        if standing.isEmpty { return base }
        var heir = base
        for (field, entry) in standing.enumerated() where entry != .none && base.entries[field] != .none {
            heir.entries[field] = entry
        }
        return heir
    }

    /// Plans a record whose row stays, or went before.
    private func standing(_ record: GoneRecord, _ base: BaseRow) -> RecordPlan {
        let (key, decision) = (record.key, record.decision)
        var plan = RecordPlan(key: key)
        if decision.isSettledByPolicy { plan.outcome = .keptLocal }
        var settled = record.settled(base)
        if !record.reach.isStatement {
            guard let state = decision.newState, state != base.state else { return plan }
            settled.state = state
        }
        // What passes to a source that comes to list the record in this run is merged with what is left of it.
        if !record.reach.isStatement && !record.hasMoved { settled.entries = remaining(of: base, record.facts) }
        if base.isOpen {
            plan.conflicts = record.facts.conflicts.map {
                .close($0, as: decision.isSettledByPolicy ? .auto : .obsolete, since: $0.end(by: decision))
            }
        }
        // That people deleted it is forgotten with this, which the history tells.
        plan.write = baseWrite(
            key, settled, keepsHash: record.reach.isStatement,
            kind: record.change == .isForgotten ? decision.kind : nil)
        // It was lost when that was stated, and not now that the statement or the listing has ended.
        if base.state == .statedTombstone || base.state == .overruled, !record.reach.isStatement {
            plan.write?.base?.lastRun = base.lastRun
        }
        if decision.isSettledByPolicy, let local = record.local {
            plan.kept = heldChange(key, .keptLocal, decision.kind, base, local: local)
        }
        if decision.kind == .converged {
            plan.withdrawn = withdrawn(record)
            // What belongs to it is gone as well.
            plan.below = .go
        }
        if plan.write?.base?.isStaying == true { leave(record.facts, by: &plan) }
        guard record.passesOn else { return plan }
        plan.below = .pass
        plan.others = record.facts.others
        plan.left = record.local.map { left($0, by: base) }
        return plan
    }

    /// Plans a record whose deletion its source stated, and whose row stays since another one lists it: that one has it from now on.
    ///
    /// - Returns: The plan; nil where it is no such record, or was left to others before.
    package func leaving(_ facts: RecordFacts) -> RecordPlan? {
        guard let base = facts.base else { return nil }
        var plan = RecordPlan(key: facts.key)
        plan.write = absence(facts.key, base, .unchanged)
        // One that is no longer stated it lists no longer.
        if base.state == .remoteTombstone || base.isStaying { leave(facts, by: &plan) }
        return plan.below == .leave ? plan : nil
    }

    /// Has a plan leave the row of a record to others that list it.
    private func leave(_ facts: RecordFacts, by plan: inout RecordPlan) {
        guard var base = plan.write?.base, let local = facts.local, sources.isHeld(facts.others) else { return }
        plan.below = .leave
        plan.others = facts.others
        plan.left = left(local, by: base)
        base.entries = remaining(of: base, facts)
        if base.isKnownByHash { base.isLeft = true }
        plan.write?.base = base
    }

    /// What still tells something of the row, of what a source said that has the record no longer: neither what it said of a row that
    /// was gone once it stated so, nor a value that is not there any more, where another source gives the field.
    private func remaining(of base: BaseRow, _ facts: RecordFacts) -> [BaseEntry] {
        if !base.tellsValues { return unknownBase(base.state).entries }
        guard let local = facts.local else { return base.entries }
        let held = canonical.sides(of: local)
        var entries = base.entries
        // Under an order by which it was not settled yet, nothing of it stood before that of others.
        let isNew = !sources.isSettled(base)
        for (field, side) in canonical.sides(of: entries).enumerated()
        where side != .nothing && side != held[field] && sources.isGiven(field, by: facts.others, orHeir: isNew) {
            entries[field] = .none
        }
        return entries
    }

    /// What a source leaves of each field to those that still have a record.
    private func left(_ local: [FieldValue], by base: BaseRow) -> [LeftField] {
        let (said, held) = (canonical.sides(of: base.entries), canonical.sides(of: local))
        let isSettled = sources.isSettled(base)
        return said.indices.map { field in
            if said[field] == held[field] { return .standing(base.entries[field], as: said[field]) }
            return isSettled && said[field] != .nothing ? .overwritten(base.entries[field], by: held[field]) : .other
        }
    }

    /// Which other sources no longer hold a record that is gone, and what it is at them.
    private func withdrawn(_ record: GoneRecord) -> (others: [OtherRecord], state: BaseState)? {
        if let state = record.reach.others { return (record.facts.others, state) }
        let embedding = sources.embedding(record.facts.others)
        return embedding.isEmpty ? nil : (embedding, .overruled)
    }

    // MARK: Records that do not count as gone yet

    /// What the source said last of a record that it is to be asked for, one value per field; nil where that is not known.
    package func lastSaid(of record: GoneRecord) -> [FieldValue?] {
        let entries = record.base?.entries ?? []
        return entries.indices.map { field -> FieldValue? in
            guard case .digest(let digest) = entries[field] else { return entries[field].value }
            // What was not edited is what the source said.
            guard let local = record.local?[field] else { return nil }
            return canonical.side(of: local, field: field) == FieldSide(digest: digest) ? local : nil
        }
    }

    /// What is told of a record that is gone.
    package func deleteChange(
        _ record: GoneRecord, _ base: BaseRow, kind: RowKind, _ deletion: RecordChange.Deletion
    ) -> RecordChange {
        let said = canonical.sides(of: base.entries)
        let held = record.local.map { canonical.sides(of: $0) } ?? said
        // Several sources may fill a table, and what one of them gave nobody edited.
        let claims = sources.claims(of: record.facts.others, beside: base, canonical)
        let fields = schema.fields.indices.map { index in
            let isGiven = !claims.isEmpty && claims[index].contains { $0.explains(held[index]) }
            let isEdited = said[index] != .nothing && held[index] != said[index] && !isGiven
            let isOwned = schema.fields[index].owner == .remote
            return RecordChange.Field(
                index: index, fieldClass: !isEdited ? .unchanged : isOwned ? .driftOverwritten : .localOverride,
                base: base.entries[index].value, local: record.local?[index], remote: nil, result: nil)
        }
        return RecordChange(action: .delete, kind: kind, key: record.key, fields: fields, deletion: deletion)
    }
}
