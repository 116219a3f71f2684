internal import SluiceDecode
internal import SluiceMerge
package import SluiceModel
package import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// Facts are read, plans are made, plans are carried out: a batch at a time.
extension StreamMerger {
    /// Merges records of a batch about which their source says something new, or which it says are deleted. Those that are
    /// simply to be inserted are noted.
    package mutating func mergeNews(_ records: [Int], of batch: borrowing RecordBatch) throws {
        // A base that is not there cannot be merged with; the counts tell.
        let records = records.filter { lookup.findings[$0] != .other || lookup.rows[$0] != nil }
        // Nothing can be known of them.
        if context.table.wasEmpty && context.otherSources.isEmpty && batch.deleted.isEmpty
            && records.allSatisfy({ lookup.findings[$0] == .new })
        {
            return recordInserts(records, of: batch)
        }
        // Where writing a row may change others, what they hold is read after that.
        if context.table.changesOtherRows {
            for record in records { try mergeTogether([record], of: batch) }
        } else {
            try mergeTogether(records, of: batch)
        }
    }

    /// Merges records whose facts are read before anything of them is written.
    private mutating func mergeTogether(_ records: [Int], of batch: borrowing RecordBatch) throws {
        let facts = try facts(of: records, in: batch)
        if facts.contains(where: { $0.base?.state.isLive == true && $0.local == nil }) {
            context.store.expectBrokenReferences()
        }
        let places = records.indices.filter { batch.deleted.contains(records[$0]) }
        var deletions =
            places.isEmpty
            ? [][...] : try planDeleted(places.map { records[$0] }, places.map { facts[$0] }, of: batch)[...]
        var plans: [(record: Int, plan: RecordPlan?)] = []
        for (record, facts) in zip(records, facts) {
            let isDeleted = batch.deleted.contains(record)
            let deletion = isDeleted ? deletions.popFirst() : nil
            let plan = isDeleted ? deletion?.plan : try plan(record, facts, of: batch)
            if let plan, holdsBack(plan, facts) { continue }
            if deletion?.isForgetting == true { forgottenDeletions.add(facts.key) }
            plans.append((record, plan))
        }
        try carryOut(plans, of: batch)
    }

    private mutating func plan(
        _ record: Int, _ facts: RecordFacts, of batch: borrowing RecordBatch
    ) throws -> RecordPlan? {
        let listed = RecordPlanner.Listed(record: record, facts: facts, isWanted: wants(facts.key))
        let plan: RecordPlan?
        do throws(PolicyFailure) {
            if let base = facts.base {
                if let batch = planner.completed(record, of: batch, facts) {
                    let listed = RecordPlanner.Listed(record: 0, facts: facts, isWanted: listed.isWanted)
                    return try planner.plan(listed, of: batch, base: base)
                }
                return try planner.plan(listed, of: batch, base: base)
            }
            plan = try planner.planNew(listed, of: batch)
        } catch {
            throw error.described(schema)
        }
        if plan == nil && !facts.others.isEmpty {
            context.otherSources.recordMoves(facts.key, facts.others, run: context.run)
            renewed[facts.key] = facts.others
        }
        return plan
    }

    private mutating func recordInserts(_ listed: [Int], of batch: borrowing RecordBatch) {
        let records = context.gate == nil ? listed : admittedInserts(listed, of: batch)
        inserts += records
        if isHeard && !context.table.mayRefuse {
            for record in records { notifyInsert(record, of: batch) }
        }
        if quarantinedKeys.isEmpty { return }
        for record in records { release(batch.key(of: record, schema: schema)) }
    }

    // MARK: Facts

    /// What is known of some records of a batch that was compared with the base.
    private func facts(of records: [Int], in batch: borrowing RecordBatch) throws -> [RecordFacts] {
        var facts: [RecordFacts] = []
        facts.reserveCapacity(records.count)
        var unread: [Int] = []
        for record in records {
            var known = RecordFacts(key: batch.key(of: record, schema: schema))
            switch lookup.findings[record] {
            case .new: break
            case .other: known.base = lookup.rows[record]
            case .unchanged: unread.append(facts.count)
            }
            facts.append(known)
        }
        if !unread.isEmpty {
            let bases = try context.table.baseRows(unread.map { facts[$0].key })
            for (index, base) in zip(unread, bases) { facts[index].base = base }
        }
        // Where the table was empty no row can be met, but for those of records that had a base.
        try complete(&facts, rows: facts.indices.filter { !context.table.wasEmpty || facts[$0].base != nil })
        return facts
    }

    /// What is known of some records.
    package func facts(of keys: [RecordKey]) throws -> [RecordFacts] {
        var facts = zip(keys, try context.table.baseRows(keys)).map { key, base in RecordFacts(key: key, base: base) }
        try complete(&facts, rows: Array(facts.indices))
        return facts
    }

    /// Adds rows, conflicts and what other sources said to the bases of records.
    private func complete(_ facts: inout [RecordFacts], rows: [Int]) throws {
        let keys = facts.map(\.key)
        if !rows.isEmpty {
            for (index, row) in zip(rows, try context.table.localRows(rows.map { keys[$0] })) {
                facts[index].local = row
            }
        }
        if !returning.isEmpty {
            for index in facts.indices { facts[index].comesBack = returning.contains(keys[index]) }
        }
        if !context.otherSources.isEmpty {
            for (index, others) in try context.otherSources.records(keys).enumerated() { facts[index].others = others }
        }
        if !facts.contains(where: { $0.base?.isOpen == true }) { return }
        for (index, conflicts) in try openConflicts(keys, facts.map(\.base)).enumerated() where !conflicts.isEmpty {
            facts[index].conflicts = conflicts
            facts[index].awaited = canonical.awaited(conflicts)
        }
    }

    // MARK: Writing

    /// Carries out plans.
    package mutating func carryOut(_ plans: [RecordPlan]) throws {
        let waiting = try writer.write(plans)
        try conclude(plans, waiting: waiting)
    }

    /// Carries out plans that come to bases alone.
    mutating func carryOut(bases writes: [RecordWrite]) throws {
        if !writes.isEmpty { try carryOut(writes.map { RecordPlan(writing: $0) }) }
    }

    /// Carries out plans for records of a batch, in their order; a record without one is noted to be inserted.
    private mutating func carryOut(
        _ plans: [(record: Int, plan: RecordPlan?)], of batch: borrowing RecordBatch
    ) throws {
        let plans = plans.map { ($0.record, $0.plan?.said(on: batch.pageName(of: $0.record))) }
        let written = plans.compactMap(\.1)
        let waiting = try writer.write(written)
        var told = try settle(written, waiting: waiting)[...]
        var index = 0
        for (record, plan) in plans {
            guard let plan else {
                recordInserts([record], of: batch)
                continue
            }
            notices?.record = record
            conclude(plan, isWritten: !waiting.contains(index), telling: told.popFirst() ?? [])
            index += 1
            if !quarantinedKeys.isEmpty && plan.rejection == nil { release(plan.key) }
        }
    }
}
