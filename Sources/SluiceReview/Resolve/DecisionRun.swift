internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
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
    /// The decisions; how each ended is noted in it.
    var decisions: [ConflictDecision]
    /// The run, with what it came to.
    var entry: RunEntry
    private let who: String?
    private let note: String?
    /// Each table is opened once: what has to wait for unique values waits there.
    private var tables: [RecordMapping: ReviewTable?] = [:]

    /// - Parameters:
    ///   - decisions: One for each conflict.
    ///   - entry: The run, without counts.
    ///   - store: The store, within a transaction.
    ///   - who: Who decided, kept with the conflicts.
    ///   - note: Why, kept with the conflicts.
    init(
        _ decisions: [ConflictDecision], as entry: RunEntry, in store: any RecordStore, who: String?, note: String?
    ) {
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
        for name in order where lists.contains(name) {
            if let index = positions[name]?.first { written += try carryOutList(index, of: name.mapping) }
        }
        written += try carryOutRecords(order.filter { !lists.contains($0) }, positions)
        try refuseCollisions(written)
        let concluded = written.filter { $0.positions.contains { decisions[$0].outcome == .resolved } }
        try conclude(concluded)
        // What one decision leads to may have come with another one.
        if hasWritten { _ = try store.settleReferences() }
        for record in concluded { try noteWaiting(record) }
        entry.conflicts = decisions.count { $0.outcome == .reopened }
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
            for name in names {
                let places = positions[name] ?? []
                for place in places { decisions[place] = asked[place] }
                guard let plan = try plan(name, places), let table = try table(name.mapping) else { continue }
                if let reason = try write(plan, name.mapping, table) {
                    refused.append((name, reason))
                } else {
                    written.append(Written(mapping: name.mapping, plan: plan, positions: places, revives: true))
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

    // MARK: Plans

    /// Decides the conflicts of one record.
    ///
    /// - Returns: What becomes of it, nil where nothing does.
    private func plan(_ name: Name, _ positions: [Int]) throws -> RecordPlan? {
        guard let table = try table(name.mapping), let key = json.key(name.key, schema: table.schema) else {
            return refuse(positions, "The store does not know its table any more.")
        }
        guard let base = try table.records.baseRow(key) else {
            return refuse(positions, "Its record is not managed any more.")
        }
        if let refusal = try halfReference(name, positions, table.schema) { return refuse(positions, refusal) }
        var settlement = RecordSettlement(
            key: key, canonical: table.canonical, base: base, local: try table.records.localRow(key), json: json,
            time: WallClock.now(), run: entry.id)
        guard try decide(positions, about: key, &settlement, table) else {
            return refuse(
                positions, "Another conflict of its record was brought up to date. Look at that, and decide both again."
            )
        }
        let decided = positions.filter { decisions[$0].outcome == .resolved }
        if decided.isEmpty { return nil }
        let ids = Set(decided.compactMap { decisions[$0].conflict.id })
        let remain = try store.conflicts.open(of: name.mapping, key: name.key).contains { !ids.contains($0.id ?? 0) }
        var plan = settlement.plan(remainsOpen: remain)
        plan.conflicts = decided.map { .revise(resolved($0)) }
        if settlement.row.deletes, let example = try addition(under: [key], table) {
            return refuse(
                positions, "\(example) belongs to it and was added here. Delete that first, or take `--take local`.")
        }
        return plan
    }

    /// Decides the conflicts of a record, one after the other.
    ///
    /// - Returns: Whether they stand; where what belongs to the record is not as its conflict shows it, none does.
    private func decide(
        _ positions: [Int], about key: RecordKey, _ settlement: inout RecordSettlement, _ table: ReviewTable
    ) throws -> Bool {
        for index in positions {
            // Another decision may have taken the record away that it belongs to.
            let conflict = decisions[index].conflict
            let known = try conflict.id.flatMap { try store.conflicts.entry(id: $0) } ?? conflict
            guard known.status == .open, conflict.id != nil else {
                decisions[index].outcome =
                    settlement.isStanding(decisions[index].resolution, known)
                    ? .standing : .refused(known.ending ?? "It is in no store.")
                continue
            }
            let outcome = settlement.apply(decisions[index].resolution, to: &decisions[index].conflict)
            if conflict.isAboutDeletion, outcome == .reopened || outcome == .resolved && settlement.row.deletes {
                let edits = try ChildRows.edits(in: table.children, under: key)
                if outcome == .reopened || edits != settlement.editsWithin(conflict.local) {
                    decisions[index].conflict.local = settlement.shown(within: edits)
                    try reopen(index, table)
                    return false
                }
            }
            decisions[index].outcome = outcome
            if outcome == .reopened { try reopen(index, table) }
            decisions[index].marksRow = table.schema.deletesSoftly
        }
        return true
    }

    /// Brings a conflict up to date that does not show what the store holds.
    func reopen(_ index: Int, _ table: ReviewTable) throws {
        decisions[index].outcome = .reopened
        _ = try table.writer.conflicts.apply([.revise(decisions[index].conflict)])
    }

    /// A conflict as it is kept once it is decided.
    func resolved(_ index: Int) -> ConflictEntry {
        var conflict = decisions[index].conflict
        conflict.status = .resolved
        conflict.resolution = decisions[index].resolution.name
        (conflict.who, conflict.note, conflict.lastRun) = (who, note, entry.id)
        return conflict
    }

    /// Why some decisions cannot be carried out: a key of several fields is one value, taken of one side.
    private func halfReference(_ name: Name, _ positions: [Int], _ schema: RecordSchema) throws -> String? {
        let references = schema.references.filter { $0.fields.count > 1 }
        if references.isEmpty { return nil }
        let open = try store.conflicts.open(of: name.mapping, key: name.key)
        for reference in references {
            let names = reference.fields.map { schema.fields[$0].name }
            let parts = open.filter { $0.field.map(names.contains) ?? false }
            let decided = positions.filter { decisions[$0].conflict.field.map(names.contains) ?? false }
            let ways = Set(decided.map { decisions[$0].resolution.name })
            if decided.isEmpty || decided.count == parts.count && ways.count == 1 { continue }
            let ids = parts.compactMap { $0.id.map { String($0) } }.joined(separator: " ")
            return
                "`\(names.joined(separator: "`, `"))` are one reference, which is decided as a whole. Decide these together and alike: \(ids)."
        }
        return nil
    }

    /// A row that a person added below some records, as people call it; nil where there is none.
    func addition(under owners: [RecordKey], _ table: ReviewTable) throws -> String? {
        for owner in owners {
            for rows in table.children { if let example = try rows.addition(under: owner) { return example } }
        }
        return nil
    }

    // MARK: Writing

    /// Writes the plan for a record. One that goes takes along what belongs to it, or stays with all of that.
    ///
    /// - Returns: Why it stays; nil where it is written, or waits in its table.
    private func write(_ plan: RecordPlan, _ mapping: RecordMapping, _ table: ReviewTable) throws -> String? {
        if plan.below != .go || table.children.isEmpty { return try write([plan], table) }
        // In a table of its own: what others wait for is not settled before all of them are there.
        let records = try store.knownTable(
            pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
        guard let records else { return "The store does not know its table any more." }
        let alone = try ReviewTable(records, in: store, children: table.children, run: entry.id)
        let before = entry.within
        try store.beginSavepoint()
        var refusal = try write([plan], alone)
        if refusal == nil {
            refusal = try alone.writer.finish().plans.lazy.compactMap { $0.ending.reason(alone.schema) }.first
        }
        if refusal == nil {
            try store.releaseSavepoint()
        } else {
            entry.within = before
            try store.rollBackToSavepoint()
        }
        return refusal
    }

    /// Writes plans for records of one table, with what belongs to those that go.
    ///
    /// - Returns: Why something that belongs to one of them cannot go; the caller takes back what was written then.
    func write(_ plans: [RecordPlan], _ table: ReviewTable) throws -> String? {
        for plan in plans {
            guard plan.below == .go, let row = plan.write?.row else { continue }
            for rows in table.children {
                let reason = try rows.delete(
                    under: plan.key, as: row, run: entry.id, counts: &entry.within, in: store)
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
    func refuse(_ positions: [Int], _ reason: String) -> RecordPlan? {
        for index in positions where decisions[index].outcome == nil || decisions[index].outcome == .resolved {
            decisions[index].outcome = .refused(reason)
        }
        return nil
    }

    /// Closes the conflicts of records that are written, does what follows from that, and counts them.
    private func conclude(_ written: [Written]) throws {
        for record in written {
            guard let table = try table(record.mapping) else { continue }
            for index in record.positions where decisions[index].outcome == .resolved {
                decisions[index].conflict = resolved(index)
            }
            _ = try table.writer.conflicts.apply(record.plan.conflicts)
        }
        // Whether other sources still ask the same shows once all that was decided is kept.
        for record in written {
            guard let table = try table(record.mapping) else { continue }
            var plan = record.plan
            plan.conflicts = []
            try follow(&plan, table)
            _ = try table.writer.settle(plan)
            count(plan, table)
            if record.revives, plan.startsOver { try revive(plan.key, record.mapping, table) }
        }
    }

    /// What follows from a record's being written for other sources. A deletion that was taken holds for the others too: all of
    /// them where a source stated it, and else those that only embed the record, since another one that lists it would have
    /// kept it.
    private func follow(_ plan: inout RecordPlan, _ table: ReviewTable) throws {
        guard let row = plan.write?.row else { return }
        if row.deletes { plan.withdrawn = (try table.otherSources.records(plan.key), .overruled) }
        if case .insert = row { (plan.startsOver, plan.others) = (true, try table.otherSources.records(plan.key)) }
    }

    private func count(_ plan: RecordPlan, _ table: ReviewTable) {
        guard let row = plan.write?.row else { return }
        if table.schema.isOwned {
            row.count(in: &entry.within[table.schema.entity, default: RunCounts()])
        } else {
            var counts = RunCounts()
            row.count(in: &counts)
            entry.inserted += counts.inserted
            entry.updated += counts.updated
            entry.deleted += counts.deleted
            entry.keptLocal += counts.keptLocal
        }
    }

    /// Brings back what belongs to a record that came back.
    private func revive(_ key: RecordKey, _ mapping: RecordMapping, _ table: ReviewTable) throws {
        var isWhole = true
        for rows in table.children {
            isWhole = try rows.revive(under: key, run: entry.id, counts: &entry.within, in: store) && isWhole
        }
        if !isWhole { try readAgain(mapping) }
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
    fileprivate func count(in counts: inout RunCounts) {
        switch self {
        case .insert: counts.inserted += 1
        case .update: counts.updated += 1
        case .delete, .markDeleted: counts.deleted += 1
        case .none, .set, .restore: counts.keptLocal += 1
        }
    }
}

extension ConflictEntry {
    /// Whether it is about a record that was edited here and is gone from the source.
    fileprivate var isAboutDeletion: Bool { field == nil && kind == RowKind.editDelete.rawValue }
}
