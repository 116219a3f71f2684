package import SluiceDecode
internal import SluiceMerge
package import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Lists that are one value: each is the source's, or the one that is here, or stays with all its rows until somebody
/// decides.
extension TreeMerger {
    /// What becomes of a list as a whole; nil where no more than one side changed it, so that its elements are merged one
    /// by one.
    package mutating func list(
        _ scope: PartBatch.Scope, of batch: borrowing RecordBatch, _ part: Int
    ) throws -> OrderedList? {
        guard tree?.parts[part].isOrdered == true else { return nil }
        switch try parts[part].context.siblings.listAbove(under: scope.owner) {
        case .none: break
        case .clean:
            try closeConflict(over: scope.owner, part, as: .obsolete)
            return OrderedList(scope: scope, standing: .yielded)
        case .changed: return OrderedList(scope: scope, standing: .waiting)
        }
        try dissolveElements(of: scope, batch, part)
        let gone = try gone(scope, of: batch, part)
        if try !hasNews(scope, of: batch, part, gone.confirmed) {
            try closeConflict(over: scope.owner, part, as: .obsolete)
            return nil
        }
        let text = ListText(schema: parts[part].schema)
        let rows = try text.rows(under: scope.owner, parts[part].context.table)
        let missing = Set(rows.map(\.key) + gone.confirmed).subtracting(keys(of: scope, batch, part)).sorted()
        let isApart = try !missing.isEmpty || scope.rows.contains { try parts[part].isApart($0, of: batch) }
        let below = try parts[part].condition(below: missing)
        let isEdited = try below != .clean || parts[part].isListEdited(under: scope.owner)
        if !isEdited || !isApart {
            try closeConflict(over: scope.owner, part, as: isApart ? .obsolete : .converged)
            return nil
        }
        if !gone.unconfirmed.isEmpty { return OrderedList(scope: scope, standing: .unconfirmed(gone.unconfirmed)) }
        let newest = try parts[part].newestSide(of: scope, batch, local: rows)
        let name = text.name(of: scope.owner)
        var entry = parts[part].listConflict(name, newest: newest)
        entry.base = try text.base(under: scope.owner, parts[part].context.table)
        entry.local = text.local(rows)
        entry.remote = text.remote(scope.rows, of: batch)
        let conflict = ListConflict(entry: entry, known: undecided[part][name], missing: missing)
        return OrderedList(scope: scope, standing: try standing(conflict, newest: newest, below: below, part))
    }

    private func standing(
        _ conflict: ListConflict, newest: NewestSide, below: OwnedRows.Condition, _ part: Int
    ) throws -> OrderedList.Standing {
        switch ConflictPolicy(rawValue: conflict.entry.policy) {
        case .fail: throw parts[part].listFailure(conflict.entry)
        case .localWins: return .kept(conflict)
        case .newestWins where newest == .local: return .kept(conflict)
        // What people added to an element would have nothing to belong to.
        case .remoteWins where below != .added, .newestWins where newest == .remote && below != .added:
            return .taken(conflict)
        case .remoteWins, .newestWins, .manual, nil: return .contested(conflict)
        }
    }

    private func keys(of scope: PartBatch.Scope, _ batch: borrowing RecordBatch, _ part: Int) -> Set<RecordKey> {
        var keys: Set<RecordKey> = []
        for row in scope.rows { keys.insert(batch.key(of: row, schema: parts[part].schema)) }
        return keys
    }

    /// The elements that the source had and has no longer; of a list that is counted, a scan may have missed some.
    private func gone(
        _ scope: PartBatch.Scope, of batch: borrowing RecordBatch, _ part: Int
    ) throws -> (confirmed: [RecordKey], unconfirmed: [RecordKey]) {
        let table = parts[part].context.table
        let live = try table.liveKeys(under: scope.owner)
        if live.count == scope.rows.count(where: { parts[part].isKnown($0) }) { return ([], []) }
        let present = keys(of: scope, batch, part)
        let gone = live.filter { !present.contains($0) }
        if scope.reading != .counted { return (gone, []) }
        let unconfirmed = try gone.filter { try table.baseRow($0)?.missedScans == 0 }
        return (gone.filter { !unconfirmed.contains($0) }, unconfirmed)
    }

    /// Whether the source says another list than before.
    private func hasNews(
        _ scope: PartBatch.Scope, of batch: borrowing RecordBatch, _ part: Int, _ gone: [RecordKey]
    ) throws -> Bool {
        if !gone.isEmpty { return true }
        for row in scope.rows where try parts[part].isNews(row, of: batch) { return true }
        return false
    }

    // MARK: Merging

    /// Merges a list whose elements are not merged one by one.
    mutating func mergeHeld(_ list: OrderedList, of batch: borrowing RecordBatch, _ part: Int) throws {
        let count = list.scope.rows.count
        switch list.standing {
        case .yielded:
            parts[part].report.summary.unchanged += count
            try deleteChildren(of: list.scope.owner, in: part)
        case .waiting: parts[part].report.summary.unchanged += count
        case .unconfirmed(let missing):
            parts[part].report.summary.unchanged += count
            try noteSeen(list.scope, batch, part)
            try deleteChildren(missing, in: part, isCounted: true)
        case .contested(let conflict):
            parts[part].report.summary.conflict += 1
            parts[part].report.summary.unchanged += max(0, count - 1)
            try noteSeen(list.scope, batch, part)
            try hold(conflict, list, part)
        case .taken(let conflict): try take(list, conflict, of: batch, part)
        case .kept(let conflict):
            parts[part].report.summary.keptLocal += 1
            parts[part].report.summary.unchanged += max(0, count - 1)
            try parts[part].keepList(list, conflict, of: batch)
            if conflict.known != nil { try settle(conflict, part) }
            parts[part].notifyKept(change(list, .keptLocal))
        }
        if list.isHeld { contestedRecords[part].formUnion(keys(of: list.scope, batch, part)) }
    }

    /// Elements that were seen are not missed, although nothing of their list is taken.
    private func noteSeen(_ scope: PartBatch.Scope, _ batch: borrowing RecordBatch, _ part: Int) throws {
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

    /// Takes a list as a whole. What it takes the place of is kept with the conflict.
    private mutating func take(
        _ list: OrderedList, _ conflict: ListConflict, of batch: borrowing RecordBatch, _ part: Int
    ) throws {
        try settle(conflict, part)
        parts[part].planner.takesList = true
        defer { parts[part].planner.takesList = false }
        try parts[part].mergeFound(batch, leavingOut: Set(0..<batch.count).subtracting(list.scope.rows))
        try deleteChildren(conflict.missing, in: part, isCounted: false)
        if !conflict.missing.isEmpty { try parts[part].context.siblings.askAllAgain() }
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
    mutating func closeConflict(over owner: RecordKey, _ part: Int, as status: ConflictStatus) throws {
        if undecided[part].isEmpty { return }
        let name = ListText(schema: parts[part].schema).name(of: owner)
        guard let known = undecided[part][name] else { return }
        undecided[part][name] = nil
        try parts[part].close(known, as: status)
    }

    /// Has what was asked about single elements of a list asked of the list as a whole.
    private mutating func dissolveElements(
        of scope: PartBatch.Scope, _ batch: borrowing RecordBatch, _ part: Int
    ) throws {
        if undecided[part].isEmpty { return }
        let name = ListText(schema: parts[part].schema).name(of: scope.owner)
        let elements = undecided[part].takeElements(of: name)
        if elements.isEmpty { return }
        try parts[part].dissolve(elements)
        let table = parts[part].context.table
        try table.lookUp(batch, into: &parts[part].lookup)
    }

    /// Merges a list that the source no longer gives.
    mutating func dropList(of owner: RecordKey, in part: Int) throws {
        let batch = RecordBatch(fieldCount: parts[part].schema.fields.count)
        let scope = PartBatch.Scope(owner: owner, rows: 0..<0, ordinal: 0)
        if let list = try list(scope, of: batch, part) { return try mergeHeld(list, of: batch, part) }
        try deleteChildren(of: owner, in: part)
    }
}
