package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// Decides what becomes of records: facts and what a source says in, plans out.
///
/// It reads and writes nothing. What several sources say of a record it weighs by their order, which
/// ``OtherSources`` knows.
package struct RecordPlanner {
    package let schema: RecordSchema
    package let canonical: CanonicalRecord
    /// The other sources of the records' table.
    package let sources: OtherSources
    /// The run's number, nil in a plan.
    package let run: Int64?
    /// When the run was started, RFC 3339 in UTC.
    package let time: String
    /// Whether the records are of a list that is one value and is taken as a whole, whatever was changed in it here.
    package var takesList = false
    /// Whether the records are of lists that are one value each.
    package var mergesList = false

    /// - Parameters:
    ///   - schema: What the records are.
    ///   - sources: The other sources of their table.
    ///   - run: The run's number, nil in a plan.
    ///   - time: When the run was started.
    ///   - meaning: See ``CanonicalRecord/meaning``.
    package init(
        schema: RecordSchema, sources: OtherSources, run: Int64?, time: String,
        meaning: @escaping CanonicalRecord.Meaning = { _, _ in nil }
    ) {
        self.schema = schema
        canonical = CanonicalRecord(schema: schema, meaning: meaning)
        self.sources = sources
        self.run = run
        self.time = time
    }

    /// A record of a batch, with what is known of it.
    package struct Listed {
        /// Its position in the batch.
        package let record: Int
        package let facts: RecordFacts
        /// Whether somebody wants to see what happens to it.
        package let isWanted: Bool
        package var key: RecordKey { facts.key }

        /// Makes a value of its parts.
        package init(record: Int, facts: RecordFacts, isWanted: Bool) {
            (self.record, self.facts, self.isWanted) = (record, facts, isWanted)
        }
    }

    /// Plans a record that its source did not have before.
    ///
    /// - Returns: Nil where it is simply to be inserted.
    /// - Throws: Where a policy is to fail.
    package func planNew(_ listed: Listed, of batch: borrowing RecordBatch) throws(PolicyFailure) -> RecordPlan? {
        let facts = listed.facts
        if let local = facts.local {
            if schema.writeMode == .append { return refuseTaken(listed, of: batch) }
            // The row of what another source says went, so that this one was made for others. One that is there all the while was
            // emptied, or stands for itself.
            let fillsStub =
                facts.others.contains { $0.base.state == .overruled } && !facts.others.contains(where: \.isLive)
                && isStub(local, of: nil, facts.others)
            let base = facts.others.isEmpty || fillsStub ? nil : movedBase(listed, of: batch)
            var plan = try mergeFields(
                listed, of: batch, base: base, local: local, kind: .adopt,
                claimants: fillsStub ? [] : facts.others)
            plan.mayHaveMoved = true
            // What others said was of a row that was no more.
            plan.startsOver = fillsStub
            plan.answered = answered(facts.others)
            return plan
        }
        if facts.others.isEmpty { return nil }
        if sources.isDeletedNow(facts.others, run: run) {
            return recordOverruled(listed, of: batch, base: unknownBase(.overruled))
        }
        if sources.isHeld(facts.others, after: nil) {
            return try plan(listed, of: batch, base: unknownBase(.remoteTombstone))
        }
        return nil
    }

    /// Whether a row stands for a record to which others refer, so that it holds no edit of what was gone. One of which another
    /// source gave values was emptied.
    private func isStub(_ local: [FieldValue], of base: BaseRow?, _ others: [OtherRecord]) -> Bool {
        canonical.standsForRecord(local, of: base) && !sources.giveValues(others, besides: schema.keyFields)
    }

    /// Plans a record of which its source spoke before.
    ///
    /// - Parameters:
    ///   - listed: The record.
    ///   - batch: Its batch.
    ///   - base: What the source said before.
    /// - Returns: What becomes of it.
    /// - Throws: Where a policy is to fail.
    package func plan(_ listed: Listed, of batch: borrowing RecordBatch, base: BaseRow) throws(PolicyFailure)
        -> RecordPlan
    {
        let (key, local, others) = (listed.key, listed.facts.local, listed.facts.others)
        var base = base
        // What the source said before it stated the deletion was of a row that is no more.
        if local != nil, !base.tellsValues { base = unknownBase(base.state, like: base) }
        base.entries = canonical.recognised(base.entries, local: local) {
            batch.value(record: listed.record, field: $0)
        }
        let mayHaveMoved = base.state.isGone
        var claimants = others
        var fillsStub = false
        // A row that another source still has was deleted here, however new the record is to this source.
        if local == nil, base.state == .remoteTombstone, sources.isHeld(others, after: base.lastRun) {
            base = unknownBase(.live, like: base)
        }
        if local == nil, !base.state.isLive, sources.isDeletedNow(others, run: run) {
            var plan = recordOverruled(listed, of: batch, base: base)
            plan.mayHaveMoved = mayHaveMoved
            return plan
        }
        if let local, isStub(local, of: base, others) {
            // What another source says is deleted stays gone until this one says something new of it.
            if base.state == .overruled, !saysNews(listed.record, of: batch, since: base) {
                var plan = RecordPlan(key: key, ordinal: batch.origins[listed.record].ordinal)
                plan.outcome = .unchanged
                return plan
            }
            let kept = canonical.entries(ofBare: base.entries)
            base = unknownBase(base.state, like: base)
            base.entries = kept
            claimants = others.filter(\.isLive)
            fillsStub = true
        }
        let sides = canonical.sides(
            of: base.entries, beside: local,
            saying: local == nil
                ? saidSides(listed.record, of: batch, since: base) : newSides(listed.record, of: batch))
        let localRow: LocalRow =
            local == nil
            ? .absent
            : .present(isEdited: RecordMerge.isEdited(base: sides.base, local: sides.local, schema: schema))
        let isChanged =
            RecordMerge.isChanged(base: sides.base, remote: sides.remote)
            || local == nil && base.isOpen && listed.facts.waitsForWithin
        let decision = RowMerge.decide(
            base: base.state, local: localRow, remote: .present(isChanged: isChanged || takesList),
            policy: takesList
                ? .remoteWins : schema.policies.policy(for: RowKind.deleteEdit.rawValue, newest: .unknown),
            mode: schema.writeMode)
        let isLateChange = schema.writeMode == .append && isChanged && base.state.isLive && !base.isOpen
        var plan =
            if let local, decision.action == .mergeFields || base.isOpen || decision.action == .nothing {
                try mergeFields(
                    listed, of: batch, base: base, local: local, kind: decision.kind, claimants: claimants)
            } else {
                try settleRow(listed, of: batch, base: base, decision: decision)
            }
        plan.mayHaveMoved = mayHaveMoved
        // What others said was of a row that was no more.
        plan.startsOver = plan.startsOver || fillsStub
        plan.isLateChange = isLateChange
        if mayHaveMoved || listed.facts.isMissed || hasNews(listed, of: batch, base: base) {
            plan.answered = answered(others)
        }
        return plan
    }

    /// Whether a source says something else of a record than last time, be that taken or still to be decided. A default is nothing that it
    /// says.
    private func hasNews(_ listed: Listed, of batch: borrowing RecordBatch, base: BaseRow) -> Bool {
        var shown = base
        if base.isOpen { shown.entries = canonical.entries(listedIn: listed.facts.awaited, over: base.entries) }
        return saysNews(listed.record, of: batch, since: shown)
    }

    /// The sources that stated that a record is deleted, where that still waits for a decision. It is over once another
    /// source lists the record with something new, or again.
    package func answered(_ others: [OtherRecord]) -> [OtherRecord] {
        others.filter { $0.base.state == .statedTombstone && $0.base.isOpen && $0.base.lastRun != run }
    }

    /// Plans a record that is decided as a whole.
    private func settleRow(
        _ listed: Listed, of batch: borrowing RecordBatch, base known: BaseRow, decision: RowDecision
    ) throws(PolicyFailure) -> RecordPlan {
        var base = known
        base.missedScans = 0
        switch decision.action {
        case .insert: return insertAgain(listed, of: batch, base: base, decision: decision)
        case .conflict:
            // That the source takes back what it changed of the record itself asks nothing new.
            let asksForWithin =
                base.isOpen && listed.facts.waitsForWithin
                && !saysNews(listed.record, of: batch, since: base)
            var plan = hold(
                listed.facts, base: base, kind: decision.kind,
                remote: whole(listed.record, of: batch, since: base).map { $0.value ?? $0.entry.value },
                isNews: asksForWithin ? false : nil, isWanted: listed.isWanted)
            plan.ordinal = batch.origins[listed.record].ordinal
            if base.isOpen { plan.write = seen(listed.facts) }
            return plan
        case .fail: throw PolicyFailure(key: listed.key, subject: .record(decision.kind))
        case .nothing, .mergeFields, .delete:
            var plan = RecordPlan(key: listed.key, ordinal: batch.origins[listed.record].ordinal)
            plan.outcome = decision.isSettledByPolicy ? .keptLocal : .unchanged
            guard base.isOpen || decision.advancesBase || !base.unasked.isEmpty else {
                plan.write = seen(listed.facts)
                return plan
            }
            plan.conflicts = listed.facts.conflicts.map {
                .close(
                    $0, as: decision.isSettledByPolicy ? .auto : .obsolete, since: end(of: $0, by: decision, over: base)
                )
            }
            var settled = base
            settled.isOpen = false
            // From here on it would be the source that changes them.
            settled.entries = canonical.entries(
                listed.record, of: batch, over: base.entries, only: base.unasked.sorted())
            settled.unasked = []
            if decision.advancesBase {
                settled.entries = canonical.entries(listed.record, of: batch, over: base.entries)
                settled.state = decision.newState ?? base.state
            }
            plan.write = baseWrite(listed.key, settled)
            if decision.isSettledByPolicy {
                plan.kept = heldChange(
                    listed.key, .keptLocal, decision.kind, base, remote: values(of: listed.record, of: batch))
            }
            return plan
        }
    }

    /// Plans the fields of a record whose row is there, one by one.
    ///
    /// - Parameters:
    ///   - listed: The record.
    ///   - batch: Its batch.
    ///   - base: What the source said before; nil where it never did.
    ///   - local: Its row.
    ///   - kind: How the sides relate.
    ///   - claimants: What other sources said of the row as it is.
    /// - Returns: What becomes of it.
    /// - Throws: Where a policy is to fail.
    private func mergeFields(
        _ listed: Listed, of batch: borrowing RecordBatch, base: BaseRow?, local: [FieldValue], kind: RowKind,
        claimants: [OtherRecord]
    ) throws(PolicyFailure) -> RecordPlan {
        let (key, record, others) = (listed.key, listed.record, listed.facts.others)
        let oldEntries = base?.entries ?? Array(repeating: .none, count: schema.fields.count)
        var all = canonical.sides(
            of: oldEntries, beside: local, saying: canonical.sides(of: record, in: batch))
        // Where the source alone has a say, so has what stands in for it.
        all = all.givingWay { field in
            guard batch.isAssumed(record: record, field: field), schema.writeMode != .replace else { return .no }
            if schema.fields[field].defaultFillsGap { return .toAnyValue }
            return schema.fields[field].owner == .remote ? .no : .toChanges
        }
        // Null in a column that needs a value is what nobody can read.
        for field in schema.fields.indices where batch.isOfNew(record: record, field: field) {
            let isGap = all.base[field] == .nothing && all.local[field] == .null && schema.fields[field].isRequired
            if !isGap { all.remote[field] = .nothing }
        }
        all = all.clearing(schema.compositions)
        if takesList { all = all.taken }
        let existing = base?.isOpen == true ? listed.facts.conflicts : []
        let newest = newestSide(record, of: batch, local: local, sides: all)
        let asked = inserting(into: local, over: base, existing)
        func merged(_ claims: [[FieldClaim]]) -> RecordMerge {
            RecordMerge(all, schema: asked, newest: newest, claims: claims) { field in
                canonical.merged(
                    field, base: oldEntries[field], local: local[field],
                    remote: batch.value(record: record, field: field))
            }
        }
        var merge = merged([])
        // A list that is taken is taken whole, in whatever order its sources go.
        if !claimants.isEmpty && !takesList && merge.needsClaims {
            // What a list leaves passes on as a whole, and no element of it for itself.
            let isNews = RecordMerge.isChanged(base: all.base, remote: all.remote)
            let said = mergesList && !isNews ? claimants.filter(\.isLive) : claimants
            merge = merged(sources.claims(of: said, beside: base, canonical))
        }
        if let failed = merge.decisions.firstIndex(where: { $0.settlement == .failed }) {
            throw PolicyFailure(
                key: key,
                subject: .field(
                    failed, merge.decisions[failed].fieldClass, local: local[failed],
                    remote: batch.value(record: record, field: failed)))
        }
        let settlement = settlement(
            record, of: batch, key: key, base: base, local: local, sides: all, merge: merge, existing: existing,
            awaited: base?.isOpen == true ? listed.facts.awaited : [])
        let isOpen = settlement.remainsOpen
        let written = merge.written
        var newBase = BaseRow(
            rowHash: 0, entries: canonical.entries(record, of: batch, over: oldEntries, only: merge.advanced),
            state: .live, isOpen: isOpen, firstRun: base?.firstRun ?? run, lastRun: base?.lastRun)
        for field in merge.advanced where all.remote[field] == .null { newBase.entries[field] = .null }
        newBase.rowHash = canonical.rowHash(of: newBase.entries)
        let needsBase = newBase != base
        if base.map({ !canonical.saysTheSame($0, newBase) }) ?? true { newBase.lastRun = run }
        newBase.textFingerprint = isOpen ? nil : batch.textFingerprints[record]

        var plan = RecordPlan(key: key, ordinal: batch.origins[record].ordinal)
        plan.outcome = isOpen ? .conflict : !written.isEmpty ? .update : merge.keptLocal ? .keptLocal : .unchanged
        plan.conflicts = settlement.changes
        plan.collisions = settlement.collisions
        plan.isTold = !written.isEmpty
        (plan.base, plan.local, plan.others) = (base, local, others)
        if (!written.isEmpty || settlement.opensOrUpdates) && listed.isWanted {
            plan.change = mergeChange(
                record, of: batch, key: key, base: base, local: local, merge: merge,
                // A row that was only put right was not changed by its source.
                kind: kind == .unchanged || kind == .localOverride ? .update : kind,
                action: isOpen ? .conflict : .update)
        }
        if written.isEmpty && merge.keptLocal && !isOpen {
            plan.kept = mergeChange(
                record, of: batch, key: key, base: base, local: local, merge: merge, kind: kind, action: .keptLocal)
        }
        if written.isEmpty && !needsBase { return plan }
        let values = written.map { field in
            if case .merged(let value) = merge.decisions[field].result { return value }
            return batch.value(record: record, field: field) ?? .null
        }
        var write = RecordWrite(
            key: key, row: written.isEmpty ? .none : .update(fields: written, values: values),
            base: needsBase ? newBase : nil)
        write.kind = kind
        write.classes = written.map { merge.decisions[$0].fieldClass }
        plan.write = write
        plan.asksWaiting = true
        return plan
    }

    /// Plans a record whose row is made anew.
    package func insertAgain(
        _ listed: Listed, of batch: borrowing RecordBatch, base: BaseRow, decision: RowDecision
    ) -> RecordPlan {
        let (key, record) = (listed.key, listed.record)
        let whole = whole(record, of: batch, since: base, comesBack: listed.facts.comesBack)
        let values = whole.map { $0.value ?? .null }
        var plan = RecordPlan(key: key, ordinal: batch.origins[record].ordinal)
        plan.outcome = .insert
        plan.isTold = true
        // Of a list it is told as a whole.
        if decision.isSettledByPolicy && !base.isOpen && !takesList {
            plan.conflicts = [
                .remember(
                    overruled(key, kind: decision.kind, local: nil, remote: canonical.object(values)), over: nil)
            ]
        }
        if base.isOpen { plan.conflicts += listed.facts.conflicts.map { .close($0, as: .auto) } }
        var row = base
        row.entries = whole.map(\.entry)
        row.state = .live
        row.isOpen = false
        row.textFingerprint = batch.textFingerprints[record]
        plan.below = .startOver
        plan.startsOver = true
        (plan.base, plan.others) = (base, listed.facts.others)
        if listed.isWanted { plan.change = insertChange(key, whole.map(\.value), kind: decision.kind) }
        plan.write = baseWrite(key, row, row: .insert(values), kind: decision.kind)
        return plan
    }

    /// Plans a record of which the source says nothing now, and which comes back with the one that it belongs to: as the source
    /// gave it last.
    ///
    /// - Parameters:
    ///   - facts: What is known of it.
    ///   - ordinal: The position in the stream of the record around it.
    ///   - isWanted: Whether somebody wants to see what happens to it.
    /// - Returns: The plan; nil where the base does not hold every value.
    package func revival(_ facts: RecordFacts, ordinal: Int?, isWanted: Bool) -> RecordPlan? {
        guard var row = facts.base else { return nil }
        row.entries = canonical.entries(listedIn: facts.awaited, over: row.entries)
        guard let values = canonical.row(of: row.entries) else { return nil }
        (row.state, row.isOpen, row.missedScans) = (.live, false, 0)
        var plan = RecordPlan(key: facts.key, ordinal: ordinal)
        plan.outcome = .insert
        plan.isTold = true
        plan.conflicts = facts.conflicts.map { .close($0, as: .obsolete, since: .rowReturned) }
        plan.below = .startOver
        plan.startsOver = true
        (plan.base, plan.others) = (facts.base, facts.others)
        if isWanted { plan.change = insertChange(facts.key, values, kind: .resurrect) }
        plan.write = baseWrite(facts.key, row, row: .insert(values), kind: .resurrect)
        return plan
    }

    /// Remembers what a source lists although another one says that it is deleted.
    private func recordOverruled(
        _ listed: Listed, of batch: borrowing RecordBatch, base: BaseRow
    ) -> RecordPlan {
        var plan = RecordPlan(key: listed.key, ordinal: batch.origins[listed.record].ordinal)
        plan.outcome = .unchanged
        var noted = base
        noted.entries = canonical.entries(listed.record, of: batch, over: base.entries)
        noted.state = .overruled
        plan.isGainsaid =
            saysNews(listed.record, of: batch, since: base)
            && sources.isStatedNow(listed.facts.others, run: run)
        if noted != base || base.firstRun == nil { plan.write = baseWrite(listed.key, noted) }
        return plan
    }

    /// Quarantines a record whose key a row has that the stream did not write: streams that only add rows promise what
    /// their source may not hold.
    private func refuseTaken(_ listed: Listed, of batch: borrowing RecordBatch) -> RecordPlan {
        var plan = RecordPlan(key: listed.key, ordinal: batch.origins[listed.record].ordinal)
        plan.rejection = .keyTaken
        return plan
    }

    /// What is known of a record whose row is there when its source first lists it. Where it came from another source in
    /// this run, what the two say alike is nothing new, so that an edit of it stands.
    ///
    /// - Returns: The base; nil where nothing is known.
    private func movedBase(_ listed: Listed, of batch: borrowing RecordBatch) -> BaseRow? {
        let left = sources.leftBehind(listed.facts.others)
        let said = canonical.sides(of: listed.record, in: batch)
        let same = left.indices.filter { left[$0] != .nothing && left[$0] == said[$0] }
        if same.isEmpty { return nil }
        var base = unknownBase(.remoteTombstone)
        base.entries = canonical.entries(listed.record, of: batch, over: base.entries, only: same)
        return base
    }

    // MARK: Parts of plans

    /// What the source itself says of a record, so far as it was asked before: neither a default nor a field that the
    /// pipeline has only now is a change at the source.
    package func saidSides(_ record: Int, of batch: borrowing RecordBatch, since base: BaseRow) -> [FieldSide] {
        var sides = canonical.sides(of: record, in: batch)
        for field in sides.indices where base.unasked.contains(field) || batch.isAssumed(record: record, field: field) {
            sides[field] = .nothing
        }
        return sides
    }

    /// Whether the source itself says something of a record that it did not say before, see ``saidSides(_:of:since:)``.
    package func saysNews(_ record: Int, of batch: borrowing RecordBatch, since base: BaseRow) -> Bool {
        RecordMerge.isChanged(
            base: canonical.sides(saidBefore: base), remote: saidSides(record, of: batch, since: base))
    }

    /// What a source says of a record whose row is gone. Of one that it has all the while a key that is left out says
    /// nothing: what the source said of it before still holds, as far as it is kept. What it said before the field had its
    /// type is no value of the row, and the base says it still.
    ///
    /// - Parameters:
    ///   - record: The record's position in its batch.
    ///   - batch: The batch.
    ///   - base: What the source said before.
    ///   - comesBack: Whether it comes back with a record that the source had all the while.
    /// - Returns: For each field its value, nil where nothing is known, and what the base keeps of it.
    package func whole(
        _ record: Int, of batch: borrowing RecordBatch, since base: BaseRow, comesBack: Bool = false
    ) -> [(value: FieldValue?, entry: BaseEntry)] {
        let entries = canonical.entries(
            record, of: batch, over: [BaseEntry](repeating: .none, count: schema.fields.count))
        let isKnown = comesBack || [.live, .localTombstone, .overruled].contains(base.state)
        var all: [(value: FieldValue?, entry: BaseEntry)] = []
        for field in schema.fields.indices {
            let value = batch.value(record: record, field: field)
            // A default takes the place of what was said before, as in a row that is there.
            let counts =
                value != nil
                && (!schema.fields[field].defaultFillsGap || !batch.isAssumed(record: record, field: field))
            if isKnown, !counts, schema.writeMode != .replace, let known = base.entries[field].value {
                if schema.fields[field].canHold(known) {
                    all.append((schema.stored(known, field: field), base.entries[field]))
                } else if let value {
                    // A default takes the place of what the row cannot hold.
                    all.append((value, entries[field]))
                } else {
                    all.append((nil, known.untypedJSON == nil ? .null : base.entries[field]))
                }
            } else {
                all.append((value, entries[field]))
            }
        }
        return all
    }

    /// What a source says of a record whose row is there: a default counts unless it fills gaps only.
    private func newSides(_ record: Int, of batch: borrowing RecordBatch) -> [FieldSide] {
        var sides = canonical.sides(of: record, in: batch)
        if schema.writeMode == .replace { return sides }
        for field in sides.indices
        where schema.fields[field].defaultFillsGap && batch.isAssumed(record: record, field: field) {
            sides[field] = .nothing
        }
        return sides
    }

    package func values(of record: Int, of batch: borrowing RecordBatch) -> [FieldValue?] {
        var values: [FieldValue?] = []
        for field in schema.fields.indices { values.append(batch.value(record: record, field: field)) }
        return values
    }
}
