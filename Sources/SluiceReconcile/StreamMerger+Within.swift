internal import SluiceMerge
package import SluiceModel
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// Records that were deleted here, and what the source says of those that belong to them.
extension StreamMerger {
    /// Whether the source says something new of a record of the latest batch that belongs to one without a row.
    ///
    /// - Parameters:
    ///   - record: Its position.
    ///   - batch: The batch.
    ///   - wentAlong: Whether it is gone since the deletion of the record that it belongs to was stated, so that its coming
    ///     again is no news.
    /// - Returns: Whether it does.
    /// - Throws: `StoreError`.
    func isNewsOfOrphan(_ record: Int, of batch: borrowing RecordBatch, wentAlong: Bool) throws -> Bool {
        switch lookup.findings[record] {
        case .unchanged: return false
        case .new: break
        case .other:
            guard let base = lookup.rows[record], base.state != .overruled else { return false }
            if base.state.isLive || wentAlong {
                let said = RecordMerge.isChanged(
                    base: canonical.sides(of: base.entries), remote: planner.saidSides(record, of: batch, since: base))
                if !said { return false }
            }
        }
        return true
    }

    /// Whether a record of the latest batch has a row that is as its source said last.
    func isAsSaid(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        let key = batch.key(of: record, schema: schema)
        let facts = try facts(of: [key])[0]
        guard let local = facts.local, var base = facts.base, base.state.isLive else { return false }
        base.entries = canonical.recognised(base.entries, local: local) { _ in nil }
        return try !isEdited(key, local, base: base, facts.others)
    }

    /// Whether a record of the latest batch has a row.
    func isStanding(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        try context.table.localRow(batch.key(of: record, schema: schema)) != nil
    }

    /// Remembers what the source says of a record without a row, which is how it comes back with the one that it belongs
    /// to.
    mutating func noteSaid(_ record: Int, of batch: borrowing RecordBatch) throws {
        let key = batch.key(of: record, schema: schema)
        let known = try context.table.baseRow(key)
        var base = planner.unknownBase(.live)
        base.entries = canonical.entries(record, of: batch, over: base.entries)
        base.firstRun = known?.firstRun
        try apply(try openConflicts([key], [known])[0].map { .close($0, as: .obsolete, since: .ownerDeleted) })
        try carryOut(bases: [planner.baseWrite(key, base)])
    }

    /// Forgets what the source no longer has of records without a row.
    ///
    /// - Parameter lists: The records that these belong to, each with the keys that it has at the source.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    package mutating func forgetAbsent(_ lists: [(owner: RecordKey, present: Set<RecordKey>)]) throws {
        if lists.isEmpty { return }
        let live = try context.table.liveKeys(under: lists.map(\.owner))
        let gone = zip(lists, live).flatMap { list, keys in keys.filter { !list.present.contains($0) } }
        try apply(try goneRecords(gone).filter { $0.local == nil }, known: .absence)
    }

    /// Whether a record is gone since another source stated so, although its own source lists it.
    func isOverruled(_ key: RecordKey) throws -> Bool { try context.table.baseRow(key)?.state == .overruled }

    /// Decides about a record that was deleted here, or that another source stated to be deleted, since the source changed
    /// what belongs to it.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - batch: Its batch, which is merged.
    ///   - news: What was changed, in words.
    /// - Returns: Whether its row is back; nil where nobody deleted it.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    mutating func mergeChangedWithin(
        _ record: Int, of batch: borrowing RecordBatch, news: String
    ) throws -> Bool? {
        let facts = try facts(of: [batch.key(of: record, schema: schema)])[0]
        guard let base = facts.base, base.state.isLive || base.state == .overruled else { return nil }
        if base.state == .overruled, context.otherSources.others.isDeletedNow(facts.others, run: context.run) {
            return false
        }
        let decision = RowMerge.decide(
            base: base.state, local: .absent, remote: .present(isChanged: true),
            policy: schema.policies.policy(for: RowKind.deleteEdit.rawValue, newest: .unknown),
            mode: schema.writeMode)
        let listed = RecordPlanner.Listed(record: record, facts: facts, isWanted: wants(facts.key))
        switch decision.action {
        case .insert:
            let plan = planner.insertAgain(listed, of: batch, base: base, decision: decision)
            report.summary.unchanged -= 1
            if holdsBack(plan, facts) { return false }
            try carryOut([plan.said(on: batch.pageName(of: record))])
            return true
        case .fail:
            throw PolicyFailure(key: facts.key, subject: .record(decision.kind)).described(schema)
        case .conflict:
            var plan = planner.hold(
                facts, base: base, kind: decision.kind,
                remote: planner.whole(record, of: batch, since: base).map(\.value),
                note: news,
                isNews: true, isWanted: listed.isWanted)
            // What waits for a decision is counted already.
            if base.isOpen { plan.outcome = .none } else { report.summary.unchanged -= 1 }
            if !holdsBack(plan, facts) { try carryOut([plan.said(on: batch.pageName(of: record))]) }
        case .nothing, .mergeFields, .delete: break
        }
        return false
    }

    /// What people did to records that belong to some which are gone, in words; nil where they did nothing.
    func editsWithin(_ keys: [RecordKey]) throws -> [EditsWithin?] {
        var words = [String?](repeating: nil, count: keys.count)
        if keys.isEmpty { return [] }
        for rows in context.children {
            for (index, found) in try rows.first(under: keys, ChildRows.words).enumerated() where words[index] == nil {
                words[index] = found
            }
        }
        let marks = try ChildRows.edits(in: context.children, under: keys)
        return zip(words, marks).map { words, mark in words.map { EditsWithin(words: $0, mark: mark) } }
    }
}

extension ChildRows {
    /// What people did to a row that belongs to a record, in words; nil where they did nothing.
    fileprivate static func words(_ key: RecordKey, _ schema: RecordSchema, _ condition: ChildrenState) -> String? {
        let name = "\(schema.label(of: key)) within it"
        return switch condition {
        case .edited, .held: "\(name) was edited here"
        case .added: "\(name) was added here"
        case .clean: nil
        }
    }
}
