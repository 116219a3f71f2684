internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// What becomes of records as their conflicts are decided: facts of some are read together, and plans are made of them.
extension DecisionRun {
    /// What the store holds of a record whose conflicts are decided.
    private struct Facts {
        let name: Name
        let key: RecordKey
        let base: BaseRow?
        let local: [FieldValue]?
        /// Its open conflicts.
        let open: [ConflictEntry]
        /// What people did to that which belongs to it; nil where they did nothing, or nothing is asked about it.
        let edits: String?
    }

    /// Decides the conflicts of records of one table.
    ///
    /// - Returns: What becomes of them; those of which nothing becomes are left out.
    func plans(_ names: [Name], _ positions: [Name: [Int]]) throws -> [(name: Name, plan: RecordPlan)] {
        guard let mapping = names.first?.mapping else { return [] }
        guard let table = try table(mapping) else {
            for name in names { _ = refuse(positions[name] ?? [], "The store does not know its table any more.") }
            return []
        }
        let known = try entries(of: names.flatMap { positions[$0] ?? [] })
        var plans: [(name: Name, plan: RecordPlan)] = []
        var reopened: [Int] = []
        for facts in try facts(of: names, positions, table) {
            let places = positions[facts.name] ?? []
            if let plan = try plan(facts, places, known, table) { plans.append((facts.name, plan)) }
            reopened += places.filter { decisions[$0].outcome == .reopened }
        }
        try reopen(reopened, table)
        let gone = plans.filter { $0.plan.below == .go }.map(\.plan.key)
        let refusals = Dictionary(
            zip(gone, try refusals(toDelete: gone, calling: "it", table)).compactMap { key, words in
                words.map { (key, $0) }
            }
        ) { first, _ in first }
        return plans.filter { name, plan in
            guard let refusal = refusals[plan.key] else { return true }
            refuse(positions[name] ?? [], refusal)
            return false
        }
    }

    /// The conflicts of some decisions as the store keeps them, by their numbers.
    func entries(of positions: [Int]) throws -> [Int64: ConflictEntry] {
        let ids = positions.compactMap { decisions[$0].conflict.id }
        let known = zip(ids, try store.conflicts.entries(ids: ids)).compactMap { id, entry in entry.map { (id, $0) } }
        return Dictionary(known) { first, _ in first }
    }

    /// Reads what the store holds of records of one table. Those whose names cannot be read are refused.
    private func facts(of names: [Name], _ positions: [Name: [Int]], _ table: ReviewTable) throws -> [Facts] {
        var known: [(name: Name, key: RecordKey)] = []
        for name in names {
            if let key = json.key(name.key, schema: table.schema) {
                known.append((name, key))
            } else {
                refuse(positions[name] ?? [], "The store does not know its table any more.")
            }
        }
        let keys = known.map(\.key)
        let (bases, locals) = try (table.records.baseRows(keys), table.records.localRows(keys))
        let open = try store.conflicts.open(of: table.schema.source, keys: known.map(\.name.key))
        let asked = known.indices.filter { index in
            (positions[known[index].name] ?? []).contains { decisions[$0].conflict.isOfGoneRecord }
        }
        let askedKeys = asked.map { keys[$0] }
        let others = try table.otherSources.isEmpty ? asked.map { _ in [] } : table.otherSources.records(askedKeys)
        let elsewhere = try table.otherSources.editsElsewhere(Array(zip(askedKeys, others)))
        let marks = try zip(ChildRows.editMarks(in: table.children, under: askedKeys), elsewhere).map {
            EditsWithin.mark(rows: $0, columns: $1.map(\.mark))
        }
        let edits = Dictionary(uniqueKeysWithValues: zip(asked, marks))
        return known.indices.map { index in
            Facts(
                name: known[index].name, key: keys[index], base: bases[index], local: locals[index],
                open: open[ExactText(known[index].name.key)] ?? [], edits: edits[index] ?? nil)
        }
    }

    /// Decides the conflicts of one record.
    ///
    /// - Returns: What becomes of it, nil where nothing does.
    private func plan(
        _ facts: Facts, _ positions: [Int], _ known: [Int64: ConflictEntry], _ table: ReviewTable
    ) throws -> RecordPlan? {
        guard let base = facts.base else { return refuse(positions, "Its record is not managed any more.") }
        if let refusal = halfReference(facts, positions, table.schema) { return refuse(positions, refusal) }
        var settlement = RecordSettlement(
            key: facts.key, canonical: table.canonical, base: base, local: facts.local, json: json, time: time,
            run: entry.id)
        guard decide(positions, facts, known, &settlement, table) else {
            return refuse(
                positions, "Another conflict of its record was brought up to date. Look at that, and decide both again."
            )
        }
        let decided = positions.filter { decisions[$0].outcome == .resolved }
        if decided.isEmpty { return nil }
        noteSettled(decided, facts.name.key, table.schema)
        let ids = Set(decided.compactMap { decisions[$0].conflict.id })
        var plan = settlement.plan(remainsOpen: facts.open.contains { !ids.contains($0.id ?? 0) })
        plan.conflicts = decided.map { .revise(resolved($0)) }
        return plan
    }

    /// Decides the conflicts of a record, one after the other.
    ///
    /// - Returns: Whether they stand; where what belongs to the record is not as its conflict shows it, none does.
    private func decide(
        _ positions: [Int], _ facts: Facts, _ known: [Int64: ConflictEntry], _ settlement: inout RecordSettlement,
        _ table: ReviewTable
    ) -> Bool {
        let changed = Set(positions.filter { isBesideChanged($0, positions, settlement, table.schema) })
        for index in positions {
            // Another decision may have taken the record away that it belongs to.
            let conflict = decisions[index].conflict
            let known = conflict.id.flatMap { known[$0] } ?? conflict
            if let other = settled.other(than: known, facts.name.key, table.schema) {
                decisions[index].outcome = .answered(by: other)
                decisions[index].conflict = known
                continue
            }
            guard known.status == .open, conflict.id != nil else {
                let isStanding =
                    settlement.isStanding(decisions[index].resolution, known)
                    || settled.wasAnswered(known, facts.name.key, table.schema)
                if isStanding { settled.add(standing: known, facts.name.key, table.schema) }
                decisions[index].outcome = isStanding ? .standing : .refused(known.ending ?? "It is in no store.")
                continue
            }
            if settled.staysDeleted(known, facts.name.key, table.schema) { decisions[index].resolution = .local }
            if changed.contains(index) {
                settlement.bringUpToDate(&decisions[index].conflict)
                decisions[index].outcome = .reopened
                continue
            }
            let outcome = settlement.apply(decisions[index].resolution, to: &decisions[index].conflict)
            if conflict.isOfGoneRecord, outcome == .reopened || outcome == .resolved && settlement.row.deletes {
                if outcome == .reopened || facts.edits != settlement.editsWithin(conflict.local) {
                    decisions[index].conflict.local = settlement.shown(within: facts.edits)
                    decisions[index].outcome = .reopened
                    return false
                }
            }
            decisions[index].outcome = outcome
            decisions[index].marksRow = table.schema.deletesSoftly
        }
        return true
    }

    /// Whether a decision is about a part of a value of which another decided part is not as its conflict shows it: who decided had
    /// another value before them, and one part of it alone would be written.
    private func isBesideChanged(
        _ index: Int, _ positions: [Int], _ settlement: RecordSettlement, _ schema: RecordSchema
    ) -> Bool {
        func field(_ index: Int) -> Int? { schema.fields.firstIndex { $0.name == decisions[index].conflict.field } }
        guard let part = field(index) else { return false }
        return schema.compositions.contains { composition in
            composition.fields.contains(part)
                && positions.contains { other in
                    field(other).map(composition.fields.contains) ?? false
                        && !settlement.shows(decisions[other].conflict)
                }
        }
    }

    /// Why some decisions cannot be carried out: a key of several fields is one value, taken of one side.
    private func halfReference(_ facts: Facts, _ positions: [Int], _ schema: RecordSchema) -> String? {
        for reference in schema.references where reference.fields.count > 1 {
            let names = reference.fields.map { schema.fields[$0].name }
            let parts = facts.open.filter { $0.field.map(names.contains) ?? false }
            let decided = positions.filter { decisions[$0].conflict.field.map(names.contains) ?? false }
            let ways = Set(decided.map { decisions[$0].resolution.name })
            if decided.isEmpty || decided.count == parts.count && ways.count == 1 { continue }
            let ids = parts.compactMap { $0.id.map { String($0) } }.joined(separator: " ")
            return
                "`\(names.joined(separator: "`, `"))` are one reference, which is decided as a whole. Decide these together and alike: \(ids)."
        }
        return nil
    }
}
