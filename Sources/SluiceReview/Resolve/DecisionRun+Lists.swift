internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore
internal import SluiceSystem

/// Lists that are one value: all of their elements are written, or none.
extension DecisionRun {
    /// Decides the conflict over a list, and writes its elements.
    ///
    /// - Returns: What was written; what changed no row at most once.
    func carryOutList(_ index: Int, of mapping: RecordMapping) throws -> [Written] {
        let (conflict, resolution) = (decisions[index].conflict, decisions[index].resolution)
        let known = try conflict.id.flatMap { try store.conflicts.entry(id: $0) } ?? conflict
        guard known.status == .open else {
            decisions[index].outcome =
                known.wasDecided(as: resolution) ? .standing : .refused(known.ending ?? "It is in no store.")
            return []
        }
        guard let table = try table(mapping), let settlement = try listSettlement(conflict, table) else {
            decisions[index].outcome = .refused("The store does not know its table any more.")
            return []
        }
        switch settlement.decide(resolution, &decisions[index].conflict) {
        case .reopened: try reopen(index, table)
        case .refused(let reason): decisions[index].outcome = .refused(reason)
        case .plans(let plans):
            if let reason = try refusal(of: plans, table) {
                decisions[index].outcome = .refused(reason)
                break
            }
            decisions[index].outcome = .resolved
            // What belongs to its elements has to be read again, although its source did not change since.
            if !plans.isEmpty && !table.children.isEmpty { try readAgain(mapping) }
            var list = RecordPlan(key: settlement.owner)
            list.conflicts = [.revise(resolved(index))]
            let changed = plans.filter { if case .none? = $0.write?.row { false } else { true } }
            let elements = changed.isEmpty ? Array(plans.prefix(1)) : changed
            return ([list] + elements).map {
                Written(mapping: mapping, plan: $0, positions: [index], revives: false)
            }
        }
        return []
    }

    /// Reads what the store holds of the elements of a list; nil where it does not know them any more.
    private func listSettlement(_ conflict: ConflictEntry, _ table: ReviewTable) throws -> ListSettlement? {
        let text = ListText(schema: table.schema)
        guard let owner = text.owner(named: conflict.key, json) else { return nil }
        let remote = conflict.remote.flatMap { text.elements($0, under: owner, json) }
        let (live, rows) = try (table.records.liveKeys(under: owner), table.records.rowKeys(under: owner))
        let given = remote.map { Array($0.keys) } ?? []
        let keys = Array(Set(live).union(rows).union(given))
        let (bases, locals) = try (table.records.baseRows(keys), table.records.localRows(keys))
        let elements = keys.indices.map { RecordFacts(key: keys[$0], base: bases[$0], local: locals[$0]) }
        return ListSettlement(
            owner: owner, facts: ListFacts(live: live, rows: rows, elements), remote: remote,
            canonical: table.canonical, time: WallClock.now(), run: entry.id)
    }

    /// Writes the elements of a list: all of them, or none.
    ///
    /// - Returns: Why none was written; nil where all were.
    private func refusal(of plans: [RecordPlan], _ table: ReviewTable) throws -> String? {
        let gone = plans.filter { $0.below == .go }.map(\.key)
        if let example = try addition(under: gone, table) {
            return
                "\(example) belongs to an element that would go and was added here. Delete that first, or take `--take local`."
        }
        let before = entry.within
        try store.beginSavepoint()
        if let reason = try write(plans, table) {
            entry.within = before
            try store.rollBackToSavepoint()
            return reason
        }
        for (plan, ending) in try table.writer.finish().plans {
            guard let reason = ending.reason(table.schema) else { continue }
            entry.within = before
            try store.rollBackToSavepoint()
            return
                "Its element \(FieldJSON.object(key: plan.key, schema: table.schema)) cannot be written. \(reason)"
        }
        try store.releaseSavepoint()
        return nil
    }
}
