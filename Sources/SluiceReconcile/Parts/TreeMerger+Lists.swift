internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// Lists that are one value: each is the source's, or the one that is here, or stays with all its rows until somebody
/// decides.
extension TreeMerger {
    /// What becomes of a list as a whole; nil where no more than one side changed it, so that its elements are merged one
    /// by one.
    mutating func list(
        _ scope: NestedBatch.Scope, _ facts: ListFacts, of batch: borrowing RecordBatch, _ part: Int
    ) throws -> OrderedList? {
        switch try parts[part].context.otherSources.listAbove(under: scope.owner) {
        case .none: break
        case .clean:
            try closeConflict(over: scope.owner, part, as: .obsolete, since: .otherSource)
            return OrderedList(scope: scope, facts: facts, standing: .yielded)
        case .changed: return OrderedList(scope: scope, facts: facts, standing: .waiting)
        }
        var facts = facts
        if try dissolveElements(of: scope, batch, part) {
            facts = try parts[part].listFacts([scope], of: batch)[0]
        }
        let gone = gone(scope, facts, of: batch, part)
        // Elements that moved up would stand beside those whose places they took: a list that no side ever had.
        if !gone.unconfirmed.isEmpty {
            return OrderedList(scope: scope, facts: facts, standing: .unconfirmed(gone.unconfirmed))
        }
        if !hasNews(scope, facts, of: batch, part, gone.confirmed) {
            try closeConflict(over: scope.owner, part, as: .obsolete, since: .sourceReverted)
            return nil
        }
        let text = ListText(schema: parts[part].schema)
        let present = keys(of: scope, batch, part)
        let missing = Set(facts.rows + gone.confirmed).subtracting(present).sorted()
        let below = try parts[part].condition(below: missing)
        // An element that is gone on both sides sets them apart no more.
        let isApart =
            below != .clean || facts.rows.contains { !present.contains($0) }
            || scope.rows.contains { parts[part].isApart($0, of: batch, facts) }
        let name = text.name(of: scope.owner)
        let isEdited =
            try below != .clean || parts[part].isListEdited(facts)
            || facts.live.isEmpty && isTakenOut(of: scope.owner, facts, text, part)
        if !isEdited || !isApart {
            try closeConflict(
                over: scope.owner, part, as: isApart ? .obsolete : .converged, since: .localReverted)
            return nil
        }
        let newest = parts[part].newestSide(of: scope, batch, facts)
        var entry = parts[part].listConflict(name, newest: newest)
        entry.base = text.base(facts)
        entry.local = text.local(facts.values)
        entry.remote = text.remote(scope.rows, of: batch)
        let conflict = ListConflict(entry: entry, known: undecided[part][name], missing: missing)
        return OrderedList(
            scope: scope, facts: facts, standing: try standing(conflict, newest: newest, below: below, part))
    }

    /// Whether somebody took elements out of a list that another source gave before this one did. Once it gives them no
    /// longer, only the question that this was tells of it.
    private func isTakenOut(of owner: RecordKey, _ facts: ListFacts, _ text: ListText, _ part: Int) throws -> Bool {
        if let known = undecided[part][text.name(of: owner)] { return known.local == text.local(facts.values) }
        return try parts[part].context.otherSources.haveMissingElements(under: owner)
    }

    private func standing(
        _ conflict: ListConflict, newest: NewestSide, below: ChildrenState, _ part: Int
    ) throws -> OrderedList.Standing {
        switch ConflictPolicy(rawValue: conflict.entry.policy) {
        case .fail: throw parts[part].listFailure(conflict.entry)
        case .localWins: return .kept(conflict)
        case .newestWins where newest == .local: return .kept(conflict)
        // What stays of that which belongs to an element would have nothing to belong to.
        case .remoteWins where below < .held, .newestWins where newest == .remote && below < .held:
            return .taken(conflict)
        case .remoteWins, .newestWins, .manual, nil: return .contested(conflict)
        }
    }

    func keys(of scope: NestedBatch.Scope, _ batch: borrowing RecordBatch, _ part: Int) -> Set<RecordKey> {
        var keys: Set<RecordKey> = []
        for row in scope.rows { keys.insert(batch.key(of: row, schema: parts[part].schema)) }
        return keys
    }

    /// The elements that the source had and has no longer; of a list that is counted, a scan may have missed some.
    private func gone(
        _ scope: NestedBatch.Scope, _ facts: ListFacts, of batch: borrowing RecordBatch, _ part: Int
    ) -> (confirmed: [RecordKey], unconfirmed: [RecordKey]) {
        if facts.live.count == scope.rows.count(where: { parts[part].isKnown($0) }) { return ([], []) }
        let present = keys(of: scope, batch, part)
        let gone = facts.live.filter { !present.contains($0) }
        if scope.reading != .counted { return (gone, []) }
        let unconfirmed = gone.filter { facts.base($0)?.missedScans == 0 }
        return (gone.filter { !unconfirmed.contains($0) }, unconfirmed)
    }

    /// Whether the source says another list than before.
    private func hasNews(
        _ scope: NestedBatch.Scope, _ facts: ListFacts, of batch: borrowing RecordBatch, _ part: Int,
        _ gone: [RecordKey]
    ) -> Bool {
        !gone.isEmpty || scope.rows.contains { parts[part].isNews($0, of: batch, facts) }
    }

    // MARK: Merging

    /// Merges lists whose elements are not merged one by one.
    mutating func mergeHeld(_ lists: [OrderedList], of batch: borrowing RecordBatch, _ part: Int) throws {
        var plan = ListPlan()
        for list in lists {
            if let (conflict, outcome) = list.conflict, parts[part].holdsBack(conflict, outcome, of: list.scope.owner) {
                plan.leave(list)
            } else {
                plan.add(list)
            }
        }
        parts[part].report.summary.add(plan.summary)
        for scope in plan.left { contestedRecords[part].formUnion(keys(of: scope, batch, part)) }
        for scope in plan.seen { try noteSeen(scope, batch, part) }
        for (list, conflict) in plan.contested { try hold(conflict, list, part) }
        try keep(plan.kept, of: batch, part)
        try take(plan.taken, of: batch, part)
        if !plan.yielded.isEmpty {
            try deleteChildren(plan.yielded, in: part, isCounted: false)
            try parts[part].context.otherSources.askAllAgain()
        }
        if !plan.unconfirmed.isEmpty { try deleteChildren(plan.unconfirmed, in: part, isCounted: true) }
    }

    /// Elements that were seen are not missed, although nothing of their list is taken.
    private mutating func noteSeen(_ scope: NestedBatch.Scope, _ batch: borrowing RecordBatch, _ part: Int) throws {
        for row in scope.rows where parts[part].lookup.rows[row].map({ $0.missedScans > 0 }) ?? false {
            try parts[part].noteSeen(batch.key(of: row, schema: parts[part].schema))
        }
    }

    /// Keeps a conflict over a list open, and says so once for each list that the source gives.
    private mutating func hold(_ conflict: ListConflict, _ list: OrderedList, _ part: Int) throws {
        let news = parts[part].report.newConflicts
        try parts[part].remember(conflict.entry, over: conflict.known)
        let name = conflict.entry.key
        undecided[part][name] = try parts[part].context.store.conflicts.open(of: parts[part].schema.source, key: name)
            .first(where: \.isOfList)
        if parts[part].report.newConflicts > news {
            parts[part].notify(list.scope.owner, change(list, .conflict))
        }
    }

    /// Keeps lists as they are here, as a policy says: what the source says of them is known from now on.
    private mutating func keep(
        _ lists: [ListPlan.Disputed], of batch: borrowing RecordBatch, _ part: Int
    ) throws {
        var writes: [RecordWrite] = []
        for (list, conflict) in lists {
            writes += parts[part].keeping(list, conflict, of: batch)
            if conflict.known != nil { try settle(conflict, part) }
            parts[part].notifyKept(change(list, .keptLocal))
        }
        try parts[part].carryOut(bases: writes)
    }

    /// Takes lists as a whole. What they take the place of is kept with the conflicts.
    private mutating func take(
        _ lists: [ListPlan.Disputed], of batch: borrowing RecordBatch, _ part: Int
    ) throws {
        if lists.isEmpty { return }
        for (_, conflict) in lists { try settle(conflict, part) }
        parts[part].planner.takesList = true
        defer { parts[part].planner.takesList = false }
        let rows = Set(lists.flatMap { Array($0.list.scope.rows) })
        try parts[part].mergeFound(batch, leavingOut: Set(0..<batch.count).subtracting(rows))
        let missing = lists.flatMap(\.conflict.missing)
        try deleteChildren(missing, in: part, isCounted: false)
        if !missing.isEmpty { try parts[part].context.otherSources.askAllAgain() }
    }

    /// Notes that a policy decided.
    private mutating func settle(_ conflict: ListConflict, _ part: Int) throws {
        guard var known = conflict.known else {
            var entry = conflict.entry
            entry.status = .auto
            return try parts[part].remember(entry, over: nil)
        }
        (known.base, known.local) = (conflict.entry.base, conflict.entry.local)
        (known.remote, known.policy) = (conflict.entry.remote, conflict.entry.policy)
        undecided[part][known.key] = nil
        try parts[part].close(known, as: .auto)
    }

    /// A change of a list as a whole, by the key that its elements share.
    private func change(_ list: OrderedList, _ action: RecordChange.Action) -> RecordChange {
        RecordChange(action: action, kind: .merge, key: list.scope.owner, fields: [])
    }

    // MARK: Conflicts

    /// Closes the open conflict over a list, where there is one.
    mutating func closeConflict(
        over owner: RecordKey, _ part: Int, as status: ConflictStatus, since end: ConflictEnd? = nil
    ) throws {
        if undecided[part].isEmpty { return }
        let name = ListText(schema: parts[part].schema).name(of: owner)
        guard let known = undecided[part][name] else { return }
        undecided[part][name] = nil
        try parts[part].close(known, as: status, since: end)
    }

    /// Has what was asked about single elements of a list asked of the list as a whole.
    ///
    /// - Returns: Whether anything was.
    private mutating func dissolveElements(
        of scope: NestedBatch.Scope, _ batch: borrowing RecordBatch, _ part: Int
    ) throws -> Bool {
        if undecided[part].isEmpty { return false }
        let name = ListText(schema: parts[part].schema).name(of: scope.owner)
        let elements = undecided[part].takeElements(of: name)
        if elements.isEmpty { return false }
        try parts[part].dissolve(elements)
        let table = parts[part].context.table
        try table.lookUp(batch, into: &parts[part].lookup)
        return true
    }

    /// Merges lists that the source no longer gives.
    mutating func dropLists(of owners: [RecordKey], in part: Int) throws {
        guard tree?.parts[part].isOrdered == true else { return try deleteChildren(of: owners, in: part) }
        let batch = RecordBatch(fieldCount: parts[part].schema.fields.count)
        let scopes = owners.map { NestedBatch.Scope(owner: $0, rows: 0..<0, ordinal: 0) }
        var held: [OrderedList] = []
        var free: [RecordKey] = []
        for (scope, facts) in zip(scopes, try parts[part].listFacts(scopes, of: batch)) {
            if let list = try list(scope, facts, of: batch, part) {
                held.append(list)
            } else {
                free.append(scope.owner)
            }
        }
        try mergeHeld(held, of: batch, part)
        try deleteChildren(of: free, in: part)
    }
}
