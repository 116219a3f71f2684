internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// What the source says of records without a row waits with the conflict that is open over the one which they are within.
extension StreamMerger {
    /// How a record stands that has no row.
    struct Absence {
        /// Whether it is gone since another source stated so, although its own source lists it.
        let isOverruled: Bool
        /// The number of the open conflict over it.
        let conflict: Int64?
    }

    /// How records stand that have no row.
    func absences(of keys: [RecordKey]) throws -> [Absence] {
        let bases = try context.table.baseRows(keys)
        let open = keys.indices.filter { bases[$0]?.isOpen == true && bases[$0]?.state != .overruled }
        var numbers: [Int: Int64] = [:]
        if !open.isEmpty {
            for (index, number) in zip(open, try conflictNumbers(of: open.map { keys[$0] })) { numbers[index] = number }
        }
        return keys.indices.map {
            Absence(isOverruled: bases[$0]?.state == .overruled, conflict: numbers[$0])
        }
    }

    /// Keeps what the source says of records, and leaves their base as it is.
    ///
    /// - Parameters:
    ///   - records: Positions in the batch, each with the number of the conflict over the record that it is within.
    ///   - batch: The batch.
    /// - Throws: What the store throws.
    mutating func keepNews(
        _ records: [(record: Int, conflict: Int64)], of batch: borrowing RecordBatch
    ) throws {
        if records.isEmpty { return }
        var keys: [RecordKey] = []
        for (record, _) in records { keys.append(batch.key(of: record, schema: schema)) }
        let bases = try context.table.baseRows(keys)
        let over = try openConflicts(keys, bases)
        var news: [(key: RecordKey, entry: ConflictEntry, conflict: Int64)] = []
        for (index, (record, conflict)) in records.enumerated() {
            // An absent key says nothing against what was said before.
            var said = bases[index].flatMap { $0.state.isLive ? $0 : nil } ?? planner.unknownBase(.live)
            said.entries = canonical.entries(listedIn: canonical.awaited(over[index]), over: said.entries)
            said.entries =
                newsWithin.entries(of: keys[index], with: [conflict], over: said.entries) ?? said.entries
            let values = planner.whole(record, of: batch, since: said).map { $0.value ?? $0.entry.value }
            news.append((keys[index], waitingEntry(keys[index], remote: canonical.object(values)), conflict))
        }
        try endOwn(keys, bases, over)
        try recordDeletedHere(keys, bases)
        try newsWithin.keep(news, in: context.store.conflicts, run: context.run)
    }

    /// Remembers that records were deleted here which are new to the source and which the others that had them lost in this run: once
    /// what waits is asked about, these say nothing of them any more.
    private mutating func recordDeletedHere(_ keys: [RecordKey], _ bases: [BaseRow?]) throws {
        if context.otherSources.isEmpty { return }
        let new = keys.indices.filter { bases[$0]?.state.isLive != true }
        if new.isEmpty { return }
        let others = try context.otherSources.records(new.map { keys[$0] })
        let held = zip(new, others).filter { index, others in
            context.otherSources.others.isHeld(others, after: bases[index]?.lastRun)
                && !others.contains(where: \.isLive)
        }
        try carryOut(
            bases: held.map { index, _ in planner.baseWrite(keys[index], planner.unknownBase(.localTombstone)) })
    }

    /// Keeps that the source has records no longer which have no row, and leaves their base as it is.
    ///
    /// - Parameter records: The records, each with the number of the conflict over the one that it is within.
    /// - Throws: What the store throws.
    mutating func keepGone(_ records: [(key: RecordKey, conflict: Int64)]) throws {
        if records.isEmpty { return }
        let keys = records.map(\.key)
        let bases = try context.table.baseRows(keys)
        try endOwn(keys, bases, try openConflicts(keys, bases))
        try newsWithin.keep(
            records.map { ($0.key, waitingEntry($0.key, remote: nil), $0.conflict) }, in: context.store.conflicts,
            run: context.run)
    }

    /// Forgets what waits of records.
    mutating func forgetNews(_ keys: [RecordKey]) throws {
        try newsWithin.forget(keys, in: context.store.conflicts)
    }

    /// Forgets records without a row that the source had no longer when a conflict ended with which that waited.
    mutating func forgetGone(with conflict: Int64) throws {
        let keys = newsWithin.keys(with: [conflict])
        if keys.isEmpty { return }
        try forgetNews(keys)
        try apply(try goneRecords(keys).filter { $0.local == nil && $0.base != nil }, known: .absence)
    }

    /// Closes what was asked about records of the latest batch that have no row.
    mutating func endAsked(_ records: [Int], of batch: borrowing RecordBatch) throws {
        var keys: [RecordKey] = []
        for record in records where lookup.rows[record]?.isOpen == true {
            keys.append(batch.key(of: record, schema: schema))
        }
        if keys.isEmpty { return }
        let absent = zip(keys, try context.table.localRows(keys)).filter { $1 == nil }.map(\.0)
        let bases = try context.table.baseRows(absent)
        try endOwn(absent, bases, try openConflicts(absent, bases))
    }

    /// Closes what was asked about records themselves: it is asked about the one that they are within.
    private mutating func endOwn(_ keys: [RecordKey], _ bases: [BaseRow?], _ over: [[ConflictEntry]]) throws {
        try apply(over.flatMap { $0 }.map { .close($0, as: .obsolete, since: .ownerDeleted) })
        try carryOut(
            bases: zip(keys, bases).compactMap { key, base in
                guard var base, base.isOpen else { return nil }
                base.isOpen = false
                return planner.baseWrite(key, base, keepsHash: true)
            })
    }

    private func waitingEntry(_ key: RecordKey, remote: String?) -> ConflictEntry {
        var entry = planner.conflictEntry(
            FieldJSON.object(key: key, schema: schema), field: nil, kind: RowKind.deleteEdit.rawValue)
        entry.remote = remote
        return entry
    }

    /// Ends what is asked about a record that was deleted here, since the source took back what it changed within it. What it changed
    /// of the record itself is still asked.
    ///
    /// - Parameters:
    ///   - record: Its position in the batch.
    ///   - batch: The batch, which is merged.
    /// - Returns: Whether nothing is asked any more.
    /// - Throws: What the store throws.
    mutating func endChangedWithin(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        guard var facts = try facts(of: [batch.key(of: record, schema: schema)]).first, let base = facts.base,
            base.isOpen,
            facts.local == nil, let place = facts.conflicts.firstIndex(where: { $0.field == nil && $0.note != nil })
        else { return false }
        facts.conflicts[place].note = nil
        let listed = RecordPlanner.Listed(record: record, facts: facts, isWanted: wants(facts.key))
        guard var plan = try? planner.plan(listed, of: batch, base: base),
            plan.conflicts.contains(where: { if case .close = $0 { true } else { false } })
        else {
            try apply([.revise(facts.conflicts[place])])
            return false
        }
        // It is counted already, as one that waits for a decision.
        (plan.outcome, plan.kept) = (.none, nil)
        report.summary.conflict -= 1
        report.summary.unchanged += 1
        try carryOut([plan])
        return true
    }

    /// Notes conflicts over records that were deleted here, as far as they ended while something waited with them.
    mutating func noteEnded(_ plan: RecordPlan) {
        for case .close(let conflict, _, _) in plan.conflicts where conflict.field == nil {
            if conflict.kind == RowKind.deleteEdit.rawValue, let id = conflict.id { ended.append(id) }
        }
    }

    /// What waited with conflicts that ended, as the source would list it of the records that these are within.
    ///
    /// - Parameters:
    ///   - conflicts: The numbers of the conflicts.
    ///   - owner: The schema of the records which these belong to.
    ///   - isList: Whether the records of one are a list that is one value.
    ///   - owners: Records that others are within of which something waited.
    ///   - isListed: Whether a list that is read now says what the source says of a record, or of one that it is within.
    /// - Returns: The lists with their records, but for what is listed once more.
    /// - Throws: `StoreError`.
    func lists(
        waitingWith conflicts: Set<Int64>, owner: RecordSchema, isList: Bool, including owners: Set<RecordKey>,
        unless isListed: (RecordKey) -> Bool
    ) throws -> NestedBatch {
        var lists = NestedBatch(fieldCount: schema.fields.count)
        let keys = Set(newsWithin.keys(with: conflicts)).union(owners).filter { !isListed($0) }
        let gone = keys.filter { newsWithin[$0, conflicts].map { $0.said == nil } ?? false }
        let all = Dictionary(grouping: keys) { $0.beginning(owner) }.sorted { $0.key < $1.key }
        // Of a list that lost something the rest says that it did.
        let whole = all.filter { isList || !gone.isDisjoint(with: $0.value) }.map(\.key)
        let live = Dictionary(uniqueKeysWithValues: zip(whole, try context.table.liveKeys(under: whole)))
        for (owner, keys) in all {
            let listed = Set(live[owner] ?? []).union(keys).subtracting(gone).sorted()
            let first = lists.records.count
            for (key, base) in zip(listed, try context.table.baseRows(listed)) {
                let values = newsWithin[key, conflicts]?.said ?? base.map { canonical.values(of: $0.entries) } ?? [:]
                canonical.append(
                    key, saying: values, to: &lists.records, origin: RecordOrigin(page: 0, ordinal: Self.unread))
            }
            lists.scopes.append(
                NestedBatch.Scope(
                    owner: owner, rows: first..<lists.records.count, ordinal: Self.unread,
                    reading: live[owner] == nil ? .partial : .whole))
        }
        return lists
    }

    /// The position of what was not read in this run.
    static var unread: Int { -1 }
}
