internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// Carries out what was decided about the conflicts of one pipeline, as one run.
///
/// Records are planned and written first, then it shows which of them the tables take, and then the conflicts of these are
/// closed, with what follows for other sources and for what belongs to them.
final class DecisionRun {
    /// One record of one stream, or a list that is one value.
    struct Name: Hashable {
        let mapping: RecordMapping
        private let name: ExactText
        var key: String { name.text }

        init(_ conflict: ConflictEntry) { (mapping, name) = (conflict.mapping, ExactText(conflict.key)) }
    }

    /// A plan that was written, with the decisions that it stands for.
    struct Written {
        let mapping: RecordMapping
        let plan: RecordPlan
        let positions: [Int]
        /// Whether what belongs to the record comes back with it.
        let revives: Bool
    }

    let store: any RecordStore
    let json = StoredJSON()
    /// When it is decided, RFC 3339 in UTC.
    let time = WallClock.now()
    /// The decisions; how each ended is noted in it.
    var decisions: [ConflictDecision]
    /// The run, with what it came to.
    var entry: RunEntry
    /// What became of references, and which rows the database deleted along with others.
    private(set) var references = ReferenceOutcome()
    private let who: String?
    private let note: String?
    /// What leads to records that are parts of those which lead to them.
    let parts: Set<PartColumns>
    /// What became of records within others besides those that were decided, by entity.
    private(set) var alongside: [String: RunCounts] = [:]
    /// The records within others that were decided, by their entities.
    private var decidedWithin: [(entity: String, row: RecordWrite.Row)] = []
    /// Which records are the streams' own; nil until something is counted.
    private var streams: StreamTables?
    /// The fields that were decided, with the conflicts that were about them.
    var settled: SettledFields
    /// Each table is opened once: what has to wait for unique values waits there.
    private var tables: [RecordMapping: ReviewTable?] = [:]

    /// - Parameters:
    ///   - decisions: One for each conflict.
    ///   - entry: The run, without counts.
    ///   - store: The store, within a transaction.
    ///   - who: Who decided, kept with the conflicts.
    ///   - note: Why, kept with the conflicts.
    ///   - settled: What the same command decided for other pipelines before.
    ///   - parts: What leads to records that are parts of those which lead to them.
    init(
        _ decisions: [ConflictDecision], as entry: RunEntry, in store: any RecordStore, who: String?, note: String?,
        after settled: SettledFields = SettledFields(), parts: Set<PartColumns> = []
    ) {
        (self.settled, self.parts) = (settled, parts)
        (self.decisions, self.entry, self.store, self.who, self.note) = (decisions, entry, store, who, note)
    }

    /// Whether anything was written.
    var hasWritten: Bool { decisions.contains { [.resolved, .reopened].contains($0.outcome) } }

    /// Does all of it within the store's transaction.
    func perform() throws {
        var positions: [Name: [Int]] = [:]
        var order: [Name] = []
        for (index, decision) in decisions.enumerated() {
            let name = Name(decision.conflict)
            if positions[name] == nil { order.append(name) }
            positions[name, default: []].append(index)
        }
        let lists = Set(decisions.filter(\.conflict.isOfList).map { Name($0.conflict) })
        var written: [Written] = []
        // The elements of a list are written together, before others wait for unique values.
        for group in try groups(of: order.filter(lists.contains)) {
            written += try carryOutLists(group.compactMap { positions[$0]?.first }, of: group[0].mapping)
        }
        written += try carryOutRecords(inOrderOfSources(order.filter { !lists.contains($0) }), positions)
        try refuseCollisions(written)
        refuseAnswers()
        let concluded = written.filter { $0.positions.contains { decisions[$0].outcome == .resolved } }
        try conclude(concluded)
        // What one decision leads to may have come with another one.
        if hasWritten { references = try store.settleReferences().requireUnbroken() }
        try recordWaiting(concluded)
        if hasWritten { try store.conflicts.forgetEndedWithin(pipeline: entry.pipeline) }
        alongside = entry.within
        for (entity, row) in decidedWithin { row.count(in: &entry.within[entity, default: RunCounts()]) }
        entry.warnings = problems.compactMap(RunWarning.init)
        entry.conflicts = decisions.count { $0.outcome == .reopened }
    }

    /// What people should know beside the decisions: what goes along with rows that these delete, and which references let go
    /// of them. What a decision about a field leaves without a record is told with that decision (``noteWaiting(_:)``).
    var problems: [RunProblem] {
        let deletes = entry.deleted > 0 || entry.within.values.contains { $0.deleted > 0 }
        return deletes ? references.remaining.problems : []
    }

    /// Parts of some names, of which each is about records of one table that can be decided together: what becomes of one of
    /// them bears on none of the others.
    private func groups(of names: [Name]) throws -> [[Name]] {
        var groups: [[Name]] = []
        var places: [RecordMapping: Int] = [:]
        // A record that goes or comes takes along what belongs to it. Else the order of the tables makes no difference.
        let isOrdered =
            try decisions.contains { $0.conflict.field == nil && !$0.conflict.isOfList }
            || Set(names.map(\.mapping)).contains { try table($0)?.records.changesOtherRows ?? false }
        for name in names {
            let isAlone = try table(name.mapping)?.records.changesOtherRows ?? false
            if isOrdered && groups.last?.first?.mapping != name.mapping { places = [:] }
            if let place = places[name.mapping], !isAlone {
                groups[place].append(name)
            } else {
                places[name.mapping] = groups.count
                groups.append([name])
            }
        }
        return groups
    }

    /// Decides the conflicts of records, and writes them.
    ///
    /// - Returns: What was written, or waits in its table.
    private func carryOutRecords(_ names: [Name], _ positions: [Name: [Int]]) throws -> [Written] {
        var written: [Written] = []
        var names = names
        let asked = decisions
        while true {
            var refused: [(name: Name, reason: String)] = []
            for group in try groups(of: names) {
                let mapping = group[0].mapping
                for place in group.flatMap({ positions[$0] ?? [] }) { decisions[place] = asked[place] }
                let plans = try plans(group, positions)
                guard !plans.isEmpty, let table = try table(mapping) else { continue }
                for ((name, plan), reason) in zip(plans, try write(plans.map(\.plan), mapping, table)) {
                    if let reason {
                        refused.append((name, reason))
                        continue
                    }
                    written.append(
                        Written(mapping: mapping, plan: plan, positions: positions[name] ?? [], revives: true))
                }
            }
            // What stands in the way of a record may have gone with a later one.
            if refused.isEmpty || refused.count == names.count {
                for (name, reason) in refused { _ = refuse(positions[name] ?? [], reason) }
                return written
            }
            names = refused.map(\.name)
        }
    }

    // MARK: Conflicts

    /// Brings conflicts up to date that do not show what the store holds.
    func reopen(_ positions: [Int], _ table: ReviewTable) throws {
        if positions.isEmpty { return }
        _ = try table.writer.conflicts.apply(positions.map { .revise(decisions[$0].conflict) })
    }

    /// A conflict as it is kept once it is decided.
    func resolved(_ index: Int) -> ConflictEntry {
        resolved(decisions[index].conflict, as: decisions[index].resolution)
    }

    func resolved(_ conflict: ConflictEntry, as resolution: Resolution) -> ConflictEntry {
        var conflict = conflict
        conflict.status = .resolved
        conflict.resolution = resolution.name
        (conflict.who, conflict.note, conflict.lastRun) = (who, note, entry.id)
        return conflict
    }

    /// Why each of some records cannot go with all that belongs to it, since people added some of that; nil where they added nothing.
    ///
    /// - Parameters:
    ///   - owners: The records.
    ///   - whole: What these are called.
    ///   - table: Their table.
    /// - Returns: One sentence or two for each.
    /// - Throws: `StoreError`.
    func refusals(toDelete owners: [RecordKey], calling whole: String, _ table: ReviewTable) throws -> [String?] {
        var added = [[String]](repeating: [], count: owners.count)
        if owners.isEmpty { return [] }
        for rows in table.children {
            for (index, some) in try rows.additions(under: owners).enumerated() { added[index] += some }
        }
        return added.map { Self.refusal(because: $0, of: whole) }
    }

    /// How many rows a refusal names.
    private static let namedRows = 10

    private static func refusal(because added: [String], of whole: String) -> String? {
        if added.isEmpty { return nil }
        let more = added.count - namedRows
        let names = added.prefix(namedRows).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        func word(_ one: String, _ many: String) -> String { Plural.word(added.count, one, many) }
        return
            "The \(word("row", "rows")) \(names) \(word("belongs", "belong")) to \(whole) and \(word("was", "were")) added here. Delete \(word("that", "these")) first, look at the conflict once more and decide again; or take `--take local`."
    }

    // MARK: Writing

    /// Writes the plans for records of one table. One that goes takes along what belongs to it, or stays with all of that.
    ///
    /// - Returns: Why each stays; nil where it is written, or waits in its table.
    private func write(_ plans: [RecordPlan], _ mapping: RecordMapping, _ table: ReviewTable) throws -> [String?] {
        var reasons = [String?](repeating: nil, count: plans.count)
        let going = plans.indices.filter { plans[$0].below == .go && !table.children.isEmpty }
        let others = plans.indices.filter { plans[$0].below != .go || table.children.isEmpty }.map { plans[$0] }
        let known = going.isEmpty ? nil : try remove(going.map { plans[$0] }[...], mapping, table.children)
        for (index, reason) in zip(going, known ?? []) { reasons[index] = reason }
        for index in try table.writer.write(others) { table.writer.postpone(others[index]) }
        return reasons
    }

    /// Deletes rows with all that belongs to them: together where all of that can go, and else by halves, until those are found
    /// that stay.
    ///
    /// - Returns: Why each stays; nil where it is gone.
    private func remove(
        _ plans: ArraySlice<RecordPlan>, _ mapping: RecordMapping, _ children: [ChildRows]
    ) throws -> [String?] {
        // In a table of its own: what others wait for is not settled before all of them are there.
        let records = try store.knownTable(
            pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
        guard let records else { return plans.map { _ in "The store does not know its table any more." } }
        let alone = try ReviewTable(records, in: store, children: children, run: entry.id)
        let reason = try orTakenBack {
            try write(Array(plans), alone)
                ?? alone.writer.finish().plans.lazy.compactMap { $0.ending.reason(alone.schema) }.first
        }
        if reason == nil || plans.count < 2 { return plans.map { _ in reason } }
        let middle = plans.startIndex + plans.count / 2
        return try remove(plans[..<middle], mapping, children) + remove(plans[middle...], mapping, children)
    }

    /// Does something of which nothing remains where it gives a reason why it cannot be done.
    ///
    /// - Returns: The reason.
    func orTakenBack(_ body: () throws -> String?) throws -> String? {
        let before = entry.within
        try store.beginSavepoint()
        guard let reason = try body() else {
            try store.releaseSavepoint()
            return nil
        }
        entry.within = before
        try store.rollBackToSavepoint()
        return reason
    }

    /// Writes plans for records of one table, with what belongs to those that go.
    ///
    /// - Returns: Why something that belongs to one of them cannot go; the caller takes back what was written then.
    func write(_ plans: [RecordPlan], _ table: ReviewTable) throws -> String? {
        let going = plans.filter { $0.below == .go }
        if let row = going.first?.write?.row {
            for rows in table.children {
                let reason = try rows.delete(
                    under: going.map(\.key), as: row, run: entry.id, counts: &entry.within, in: store)
                if let reason { return reason }
            }
        }
        for index in try table.writer.write(plans) { table.writer.postpone(plans[index]) }
        return nil
    }

    /// Refuses what the tables do not take.
    private func refuseCollisions(_ written: [Written]) throws {
        for (mapping, table) in tables {
            guard let table else { continue }
            for (plan, ending) in try table.writer.finish().plans {
                guard let reason = ending.reason(table.schema) else { continue }
                for record in written where record.mapping == mapping && record.plan.key == plan.key {
                    _ = refuse(record.positions, reason)
                }
            }
        }
    }

    /// Refuses what would have been resolved.
    @discardableResult
    func refuse(_ positions: [Int], _ reason: String) -> RecordPlan? {
        for index in positions where decisions[index].outcome == nil || decisions[index].outcome == .resolved {
            decisions[index].outcome = .refused(reason)
        }
        return nil
    }

    /// Closes the conflicts of records that are written, does what follows from that, and counts them.
    private func conclude(_ written: [Written]) throws {
        let groups = try groups(of: written)
        for group in groups {
            guard let table = try table(group[0].mapping) else { continue }
            for index in group.flatMap(\.positions) where decisions[index].outcome == .resolved {
                decisions[index].conflict = resolved(index)
            }
            _ = try table.writer.conflicts.apply(group.map { ConflictWriter.Changes($0.plan.conflicts) })
            for record in group { try answerOthers(record, table) }
        }
        // Whether other sources still ask the same shows once all that was decided is kept.
        for group in groups {
            guard let table = try table(group[0].mapping) else { continue }
            var plans = group.map(\.plan)
            for index in plans.indices { plans[index].conflicts = [] }
            try follow(&plans, table)
            _ = try table.writer.settle(plans)
            for (record, plan) in zip(group, plans) {
                try count(
                    plan, of: record.mapping, isDecided: !record.positions.contains { decisions[$0].conflict.isOfList })
            }
            let decided = zip(group, plans).filter(\.0.revives)
            try revive(decided.filter(\.1.startsOver), group[0].mapping, table)
            try settleNews(decided.filter { !$0.1.startsOver }, table)
        }
    }

    /// Parts of what was written, of which each is about one table: what follows for other sources shows record by record.
    private func groups(of written: [Written]) throws -> [[Written]] {
        var groups: [[Written]] = []
        for record in written {
            let isAlone = try table(record.mapping)?.otherSources.isEmpty == false
            if !isAlone, groups.last?.first?.mapping == record.mapping {
                groups[groups.count - 1].append(record)
            } else {
                groups.append([record])
            }
        }
        return groups
    }

    /// What follows from records' being written for other sources. A deletion that was taken holds for the others too: all of
    /// them where a source stated it, and else those that only embed the record, since another one that lists it would have
    /// kept it.
    private func follow(_ plans: inout [RecordPlan], _ table: ReviewTable) throws {
        let coming = plans.indices.filter { if case .insert? = plans[$0].write?.row { true } else { false } }
        let going = plans.indices.filter { plans[$0].write?.row.deletes == true }
        let changing = plans.indices.filter { if case .update? = plans[$0].write?.row { true } else { false } }
        var others = try table.otherSources.records((coming + going + changing).map { plans[$0].key })[...]
        for index in coming { (plans[index].startsOver, plans[index].others) = (true, others.removeFirst()) }
        for index in going { plans[index].withdrawn = (others.removeFirst(), .overruled) }
        for index in changing { plans[index].others = others.removeFirst() }
    }

    /// Counts what became of a record: one that was decided itself, or an element of a list that was.
    private func count(_ plan: RecordPlan, of mapping: RecordMapping, isDecided: Bool) throws {
        guard let row = plan.write?.row else { return }
        let streams = try self.streams ?? StreamTables(of: mapping.pipeline, in: store)
        self.streams = streams
        if streams.areWithin(mapping), isDecided {
            decidedWithin.append((mapping.entity, row))
        } else if streams.areWithin(mapping) {
            row.count(in: &entry.within[mapping.entity, default: RunCounts()])
        } else {
            var counts = RunCounts()
            row.count(in: &counts)
            entry.inserted += counts.inserted
            entry.updated += counts.updated
            entry.deleted += counts.deleted
            entry.keptLocal += counts.keptLocal
        }
    }

    /// Brings back what belongs to records that came back.
    private func revive(_ records: [(Written, RecordPlan)], _ mapping: RecordMapping, _ table: ReviewTable) throws {
        if records.isEmpty { return }
        var isWhole = true
        for rows in table.children {
            isWhole =
                try rows.revive(
                    under: records.map(\.1.key), with: decidedConflicts(records), run: entry.id, counts: &entry.within,
                    in: store) && isWhole
        }
        if !isWhole { try readAgain(mapping) }
        try reviveParts(of: records.map(\.1.key), table)
    }

    /// Settles what the source says of that which belongs to records that stay deleted.
    private func settleNews(_ records: [(Written, RecordPlan)], _ table: ReviewTable) throws {
        let conflicts = decidedConflicts(records)
        if conflicts.isEmpty { return }
        for rows in table.children {
            try rows.settleNews(under: records.map(\.1.key), with: conflicts, run: entry.id, in: store)
        }
    }

    /// The numbers of the conflicts over records that were deleted here and that are decided.
    private func decidedConflicts(_ records: [(Written, RecordPlan)]) -> Set<Int64> {
        let decided = records.flatMap(\.0.positions).map { decisions[$0] }.filter { $0.outcome == .resolved }
        return Set(
            decided.map(\.conflict).filter { $0.field == nil && $0.kind == RowKind.deleteEdit.rawValue }
                .compactMap(\.id))
    }

    /// Has a stream read again, although its source did not change since.
    func readAgain(_ mapping: RecordMapping) throws {
        try store.state.set(.validators, to: nil, pipeline: mapping.pipeline, stream: mapping.stream)
    }

    // MARK: Tables

    func table(_ mapping: RecordMapping) throws -> ReviewTable? {
        if let known = tables[mapping] { return known }
        let records = try store.knownTable(
            pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
        let table = try records.map {
            try ReviewTable($0, in: store, children: ChildRows.all(of: mapping, in: store), run: entry.id)
        }
        tables[mapping] = .some(table)
        return table
    }
}

extension RecordWrite.Row {
    /// Counts what a decision did to a row.
    func count(in counts: inout RunCounts) {
        switch self {
        case .insert: counts.inserted += 1
        case .update: counts.updated += 1
        case .delete, .markDeleted: counts.deleted += 1
        case .none, .set, .restore: counts.keptLocal += 1
        }
    }
}
