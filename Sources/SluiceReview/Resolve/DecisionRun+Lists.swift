internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore
internal import SluiceSystem

/// Lists that are one value: all of their elements are written, or none.
extension DecisionRun {
    /// A list whose elements are to be written as its conflict is decided.
    private struct Decided {
        let position: Int
        let owner: RecordKey
        let plans: [RecordPlan]
    }

    /// Decides the conflicts over lists of one table, and writes their elements.
    ///
    /// - Returns: What was written; of a list of which no row changed at most one element.
    func carryOutLists(_ positions: [Int], of mapping: RecordMapping) throws -> [Written] {
        let known = try entries(of: positions)
        let open = positions.filter { index in
            let conflict = decisions[index].conflict
            let entry = conflict.id.flatMap { known[$0] } ?? conflict
            if entry.status == .open { return true }
            decisions[index].outcome =
                entry.wasDecided(as: decisions[index].resolution)
                ? .standing : .refused(entry.ending ?? "It is in no store.")
            return false
        }
        guard let table = try table(mapping) else {
            refuse(open, "The store does not know its table any more.")
            return []
        }
        let decided = try decide(open, table)
        let reasons = try write(decided[...], table)
        var written: [Written] = []
        for (list, reason) in zip(decided, reasons) {
            if let reason {
                decisions[list.position].outcome = .refused(reason)
                continue
            }
            decisions[list.position].outcome = .resolved
            // What belongs to its elements has to be read again, although its source did not change since.
            if !list.plans.isEmpty && !table.children.isEmpty { try readAgain(mapping) }
            var plan = RecordPlan(key: list.owner)
            plan.conflicts = [.revise(resolved(list.position))]
            let changed = list.plans.filter { if case .none? = $0.write?.row { false } else { true } }
            let elements = changed.isEmpty ? Array(list.plans.prefix(1)) : changed
            written += ([plan] + elements).map {
                Written(mapping: mapping, plan: $0, positions: [list.position], revives: false)
            }
        }
        return written
    }

    /// Decides the conflicts over lists.
    ///
    /// - Returns: What becomes of the elements of those that can be decided.
    private func decide(_ positions: [Int], _ table: ReviewTable) throws -> [Decided] {
        var decided: [Decided] = []
        var reopened: [Int] = []
        for (index, settlement) in zip(positions, try settlements(positions, table)) {
            guard let settlement else {
                refuse([index], "The store does not know its table any more.")
                continue
            }
            switch settlement.decide(decisions[index].resolution, &decisions[index].conflict) {
            case .reopened:
                decisions[index].outcome = .reopened
                reopened.append(index)
            case .refused(let reason): decisions[index].outcome = .refused(reason)
            case .plans(let plans):
                decided.append(Decided(position: index, owner: settlement.owner, plans: plans))
            }
        }
        try reopen(reopened, table)
        return decided
    }

    /// Reads what the store holds of the elements of lists; nil for one that it does not know any more.
    private func settlements(_ positions: [Int], _ table: ReviewTable) throws -> [ListSettlement?] {
        let text = ListText(schema: table.schema)
        let names = positions.map { text.owner(named: decisions[$0].conflict.key, json) }
        let owners = names.compactMap { $0 }
        let (live, rows) = try (table.records.liveKeys(under: owners), table.records.rowKeys(under: owners))
        var lists: [(remote: ListSettlement.Elements?, keys: [RecordKey])] = []
        var place = 0
        for (position, owner) in zip(positions, names) {
            guard let owner else { continue }
            let remote = decisions[position].conflict.remote.flatMap { text.elements($0, under: owner, json) }
            let given = remote.map { Array($0.keys) } ?? []
            lists.append((remote, Array(Set(live[place]).union(rows[place]).union(given))))
            place += 1
        }
        let keys = lists.flatMap(\.keys)
        let (bases, locals) = try (table.records.baseRows(keys), table.records.localRows(keys))
        var elements = keys.indices.map { RecordFacts(key: keys[$0], base: bases[$0], local: locals[$0]) }[...]
        place = 0
        return names.map { owner in
            guard let owner else { return nil }
            defer {
                elements = elements.dropFirst(lists[place].keys.count)
                place += 1
            }
            return ListSettlement(
                owner: owner,
                facts: ListFacts(live: live[place], rows: rows[place], elements.prefix(lists[place].keys.count)),
                remote: lists[place].remote, canonical: table.canonical, time: time, run: entry.id)
        }
    }

    /// Writes the elements of lists: all of a list, or none. Lists are written together where the table takes them all, and else
    /// by halves, until those are found that it refuses.
    ///
    /// - Returns: For each list why none of it was written; nil where all of it was.
    private func write(_ lists: ArraySlice<Decided>, _ table: ReviewTable) throws -> [String?] {
        if lists.isEmpty { return [] }
        let reason = try refusal(of: lists.flatMap(\.plans), table)
        if reason == nil || lists.count < 2 { return lists.map { _ in reason } }
        let middle = lists.startIndex + lists.count / 2
        return try write(lists[..<middle], table) + write(lists[middle...], table)
    }

    /// Writes elements: all of them, or none.
    ///
    /// - Returns: Why none was written; nil where all were.
    private func refusal(of plans: [RecordPlan], _ table: ReviewTable) throws -> String? {
        let gone = plans.filter { $0.below == .go }.map(\.key)
        let refusals = try refusals(toDelete: gone, calling: "an element that would go", table)
        if let refusal = refusals.lazy.compactMap({ $0 }).first { return refusal }
        return try orTakenBack {
            if let reason = try write(plans, table) { return reason }
            for (plan, ending) in try table.writer.finish().plans {
                guard let reason = ending.reason(table.schema) else { continue }
                return
                    "Its element \(FieldJSON.object(key: plan.key, schema: table.schema)) cannot be written. \(reason)"
            }
            return nil
        }
    }
}
