internal import SluiceDecode
internal import SluiceDiagnostics
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
    ///   - conflict: The number of the open conflict over the record that it is within: what waits with it is no news.
    /// - Returns: Whether it does.
    func isNewsOfOrphan(
        _ record: Int, of batch: borrowing RecordBatch, wentAlong: Bool, conflict: Int64?
    ) -> Bool {
        if let conflict, !newsWithin.isEmpty,
            let waiting = newsWithin[batch.key(of: record, schema: schema), [conflict]]
        {
            return !isAsBefore(record, of: batch) && !says(record, of: batch, asIn: waiting)
        }
        switch lookup.findings[record] {
        case .unchanged: return false
        case .new: break
        case .other:
            guard let base = lookup.rows[record], base.state != .overruled else { return false }
            if base.state.isLive || wentAlong {
                if !planner.saysNews(record, of: batch, since: base) { return false }
            }
        }
        return true
    }

    /// Whether the source says something of a record of the latest batch that it did not say before, be that taken or still to be
    /// decided.
    ///
    /// - Parameters:
    ///   - records: Positions in the batch.
    ///   - batch: The batch.
    ///   - isList: Whether they are the elements of one value, of which a source may list each that gives way to another one's.
    /// - Returns: Whether it does of any of them.
    /// - Throws: `StoreError`.
    func isAnyNews(_ records: some Sequence<Int>, of batch: borrowing RecordBatch, isList: Bool) throws -> Bool {
        var open: [Int] = []
        for record in records {
            guard lookup.findings[record] != .unchanged else { continue }
            guard let base = lookup.rows[record] else { return true }
            if base.state == .overruled { continue }
            if base.isOpen {
                open.append(record)
            } else if base.state.isGone && !isList || planner.saysNews(record, of: batch, since: base) {
                return true
            }
        }
        if open.isEmpty { return false }
        let over = try openConflicts(keys(of: open, in: batch), open.map { lookup.rows[$0] })
        for (record, conflicts) in zip(open, over) {
            guard var shown = lookup.rows[record] else { continue }
            shown.entries = canonical.entries(listedIn: canonical.awaited(conflicts), over: shown.entries)
            if planner.saysNews(record, of: batch, since: shown) { return true }
        }
        return false
    }

    /// Whether the source says of a record of the latest batch what it said before anything of it had to wait.
    func isAsBefore(_ record: Int, of batch: borrowing RecordBatch) -> Bool {
        switch lookup.findings[record] {
        case .unchanged: return true
        case .new: return false
        case .other:
            guard let base = lookup.rows[record], base.state.isLive else { return false }
            return !planner.saysNews(record, of: batch, since: base)
        }
    }

    /// Whether the source says of a record of the latest batch what waits of it.
    private func says(_ record: Int, of batch: borrowing RecordBatch, asIn waiting: NewsWithin.Item) -> Bool {
        guard let said = waiting.said else { return false }
        var shown = lookup.rows[record].flatMap { $0.state.isLive ? $0 : nil } ?? planner.unknownBase(.live)
        shown.entries = canonical.entries(
            listedIn: [AwaitedRemote(field: nil, values: said)], over: shown.entries)
        return !planner.saysNews(record, of: batch, since: shown)
    }

    /// Ends what other sources stated of the deletion of records, where that waits for a decision.
    mutating func answerStatements(of keys: [RecordKey]) throws {
        try carryOut(
            facts(of: keys).compactMap { facts in
                var plan = RecordPlan(key: facts.key)
                plan.answered = planner.answered(facts.others)
                return plan.answered.isEmpty ? nil : plan
            })
    }

    /// Whether records of the latest batch have rows, and open conflicts that show already what the source says.
    func areAsked(_ records: [Int], of batch: borrowing RecordBatch) throws -> [Bool] {
        var asked = records.map { lookup.rows[$0]?.isOpen == true }
        let places = records.indices.filter { asked[$0] }
        if places.isEmpty { return asked }
        let keys = keys(of: places.map { records[$0] }, in: batch)
        let conflicts = try openConflicts(keys, places.map { lookup.rows[records[$0]] })
        for (place, (over, row)) in zip(places, zip(conflicts, try context.table.localRows(keys))) {
            guard let base = lookup.rows[records[place]], row != nil, !over.isEmpty else {
                asked[place] = false
                continue
            }
            var shown = base
            shown.entries = canonical.entries(listedIn: canonical.awaited(over), over: base.entries)
            asked[place] = !RecordMerge.isChanged(
                base: canonical.sides(saidBefore: shown),
                remote: planner.saidSides(records[place], of: batch, since: base))
        }
        return asked
    }

    /// Whether records of the latest batch have rows that are as their source said last.
    func areAsSaid(_ records: [Int], of batch: borrowing RecordBatch) throws -> [Bool] {
        let all = try facts(of: keys(of: records, in: batch))
        return zip(all, try context.otherSources.editsElsewhere(all.map { ($0.key, $0.others) })).map { facts, edits in
            guard let local = facts.local, var base = facts.base, base.state.isLive else { return false }
            base.entries = canonical.recognised(base.entries, local: local) { _ in nil }
            return edits.isEmpty && !isEdited(local, base: base, facts.others)
        }
    }

    /// Whether records of the latest batch have rows.
    func areStanding(_ records: [Int], of batch: borrowing RecordBatch) throws -> [Bool] {
        try context.table.localRows(keys(of: records, in: batch)).map { $0 != nil }
    }

    private func keys(of records: [Int], in batch: borrowing RecordBatch) -> [RecordKey] {
        var keys: [RecordKey] = []
        for record in records { keys.append(batch.key(of: record, schema: schema)) }
        return keys
    }

    /// Remembers what the source says of records without a row, which is how they come back with those that they belong to.
    ///
    /// - Parameters:
    ///   - records: Their positions.
    ///   - batch: The batch.
    ///   - wentAlong: Whether they are gone since the deletion of what they belong to was stated: then nobody deleted them here.
    /// - Throws: What the store throws.
    mutating func recordSaid(_ records: [Int], of batch: borrowing RecordBatch, wentAlong: Bool) throws {
        if records.isEmpty { return }
        let keys = keys(of: records, in: batch)
        let known = try context.table.baseRows(keys)
        let over = try openConflicts(keys, known)
        try apply(over.flatMap { $0 }.map { .close($0, as: .obsolete, since: .ownerDeleted) })
        var writes: [RecordWrite] = []
        for (index, record) in records.enumerated() {
            var base = planner.unknownBase(wentAlong ? .remoteTombstone : .live)
            // An absent key says nothing against what was said before.
            let said = known[index].flatMap { $0.state.isLive || wentAlong ? $0.entries : nil } ?? base.entries
            base.entries = canonical.entries(
                record, of: batch, over: canonical.entries(listedIn: canonical.awaited(over[index]), over: said))
            base.firstRun = known[index]?.firstRun
            writes.append(planner.baseWrite(keys[index], base))
        }
        try carryOut(bases: writes)
    }

    /// Remembers what the source says of lists that give way to those of another source: it has no say in the rows, and what it
    /// says again later is nothing new.
    ///
    /// - Parameters:
    ///   - lists: The lists.
    ///   - batch: Their batch.
    ///   - isWithin: Whether they stand within elements of such lists.
    /// - Throws: What the store throws.
    mutating func recordGivingWay(
        _ lists: [NestedBatch.Scope], of batch: borrowing RecordBatch, within isWithin: Bool = false
    ) throws {
        let records = lists.flatMap(\.rows)
        if records.isEmpty { return }
        let first = isWithin ? [] : Set(lists.compactMap(\.rows.first))
        let keys = keys(of: records, in: batch)
        var writes: [RecordWrite] = []
        for (index, known) in try context.table.baseRows(keys).enumerated() where known?.state.isLive != true {
            var base = known ?? planner.unknownBase(.remoteTombstone)
            base.entries = canonical.entries(records[index], of: batch, over: base.entries)
            base.state = .remoteTombstone
            base.givesWay = first.contains(records[index])
            if base != known { writes.append(planner.baseWrite(keys[index], base)) }
        }
        try carryOut(bases: writes)
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

    /// Decides about records that were deleted here, or that another source stated to be deleted, since the source changed
    /// what belongs to them.
    ///
    /// - Parameters:
    ///   - records: The records, each with what was changed, in words.
    ///   - batch: Their batch, which is merged.
    /// - Returns: Whether the row of each is back; nil where nobody deleted it.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    mutating func mergeChangedWithin(
        _ records: [(record: Int, news: String)], of batch: borrowing RecordBatch
    ) throws -> [Bool?] {
        if !context.table.changesOtherRows { return try mergeTogether(changedWithin: records, of: batch) }
        // Where writing a row may change others, what they hold is read after that.
        var answers: [Bool?] = []
        for record in records { answers += try mergeTogether(changedWithin: [record], of: batch) }
        return answers
    }

    private mutating func mergeTogether(
        changedWithin records: [(record: Int, news: String)], of batch: borrowing RecordBatch
    ) throws -> [Bool?] {
        if records.isEmpty { return [] }
        var answers: [Bool?] = []
        var plans: [RecordPlan] = []
        for ((record, news), facts) in zip(records, try facts(of: keys(of: records.map(\.record), in: batch))) {
            guard let base = facts.base, base.state.isLive || base.state == .overruled else {
                answers.append(nil)
                continue
            }
            let isDeleted =
                base.state == .overruled && context.otherSources.others.isDeletedNow(facts.others, run: context.run)
            let change = isDeleted ? nil : try changeWithin(record, news, facts, base: base, of: batch)
            guard let change, !holdsBack(change.plan, facts) else {
                answers.append(false)
                continue
            }
            answers.append(change.isBack)
            plans.append(change.plan.said(on: batch.pageName(of: record)))
        }
        try carryOut(plans)
        return answers
    }

    /// Plans a record within which the source changed something, and counts it.
    ///
    /// - Returns: The plan, and whether the row of the record comes back by it; nil where nothing becomes of the record.
    private mutating func changeWithin(
        _ record: Int, _ news: String, _ facts: RecordFacts, base: BaseRow, of batch: borrowing RecordBatch
    ) throws -> (plan: RecordPlan, isBack: Bool)? {
        let decision = RowMerge.decide(
            base: base.state, local: .absent, remote: .present(isChanged: true),
            policy: schema.policies.policy(for: RowKind.deleteEdit.rawValue, newest: .unknown),
            mode: schema.writeMode)
        let listed = RecordPlanner.Listed(record: record, facts: facts, isWanted: wants(facts.key))
        switch decision.action {
        case .insert:
            report.summary.unchanged -= 1
            return (planner.insertAgain(listed, of: batch, base: base, decision: decision), true)
        case .fail:
            throw PolicyFailure(key: facts.key, subject: .record(decision.kind)).described(schema)
        case .conflict:
            var plan = planner.hold(
                facts, base: base, kind: decision.kind,
                remote: planner.whole(record, of: batch, since: base).map { $0.value ?? $0.entry.value },
                note: news,
                isNews: true, isWanted: listed.isWanted)
            // What waits for a decision is counted already.
            if base.isOpen { plan.outcome = .none } else { report.summary.unchanged -= 1 }
            return (plan, false)
        case .nothing, .mergeFields, .delete: return nil
        }
    }

    /// What people did to records that belong to some which are gone, and to what of their rows the stream does not fill; nil where they
    /// did nothing.
    func editsWithin(_ records: [GoneRecord]) throws -> [EditsWithin?] {
        if records.isEmpty { return [] }
        let keys = records.map(\.key)
        var words = [String?](repeating: nil, count: keys.count)
        for rows in context.children {
            let found = try rows.all(under: keys, ChildRows.words(_:_:_:hasRow:))
            for (index, texts) in found.enumerated() where words[index] == nil { words[index] = texts.first }
        }
        let marks = try ChildRows.editMarks(in: context.children, under: keys)
        return records.indices.map { index in
            guard let words = words[index] ?? EditsWithin.words(of: records[index].elsewhere.map(\.column)) else {
                return nil
            }
            return EditsWithin(
                words: words, mark: EditsWithin.mark(rows: marks[index], columns: records[index].elsewhere.map(\.mark)))
        }
    }
}

extension EditsWithin {
    /// What people changed of a row where the stream does not fill it; nil where they did not.
    fileprivate static func words(of columns: [String]) -> String? {
        if columns.isEmpty { return nil }
        let names = columns.prefix(3).map { "`\($0)`" } + (columns.count > 3 ? ["…"] : [])
        let verb = Plural.word(columns.count, "was", "were")
        return "\(names.joined(separator: ", ")) \(verb) edited here, which the stream does not fill"
    }

    /// How many rows below a record, and columns of it that its stream does not fill, are edited, with a mark that changes with them.
    ///
    /// - Parameters:
    ///   - rows: A mark of each row, see ``ChildRows/editMarks(in:under:)``.
    ///   - columns: A mark of each column, see ``OtherSourceLedger/editsElsewhere(_:)``.
    /// - Returns: As in `2 rows, 1 column (03ab…)`; nil where there is none.
    package static func mark(rows: [UInt64], columns: [UInt64]) -> String? {
        let counts = [(rows.count, "row"), (columns.count, "column")].filter { $0.0 > 0 }.map { Plural.of($0, $1) }
        if counts.isEmpty { return nil }
        let digits = String((rows + columns).reduce(0, KeyHash.combine), radix: 16)
        return "\(counts.joined(separator: ", ")) (\(String(repeating: "0", count: 16 - digits.count))\(digits))"
    }
}

extension ChildRows {
    /// What people did to a row that belongs to a record, or that it is no longer there, in words; nil where they did nothing.
    fileprivate static func words(
        _ key: RecordKey, _ schema: RecordSchema, _ condition: ChildrenState, hasRow: Bool
    ) -> String? {
        let name = "\(schema.label(of: key)) within it"
        return switch condition {
        case .edited, .held: "\(name) was \(hasRow ? "edited" : "deleted") here"
        case .added: "\(name) was added here"
        case .clean: nil
        }
    }
}
