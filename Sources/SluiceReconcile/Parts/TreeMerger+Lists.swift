internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// Lists that are one value: each is the source's, or the one that is here, or stays with all its rows until somebody
/// decides.
extension TreeMerger {
    /// A list of which it is not decided yet what becomes of it as a whole.
    private struct OpenList {
        let scope: NestedBatch.Scope
        let facts: ListFacts
        /// The elements of store and base that the source does not have.
        let missing: [RecordKey]
    }

    /// What is known of a list before the rows below its elements are looked at.
    private enum Survey {
        /// Its elements are merged one by one.
        case free
        case decided(OrderedList)
        case open(OpenList)
    }

    /// What becomes of lists as a whole. The conflicts of those that are no longer in dispute are closed.
    ///
    /// - Parameters:
    ///   - scopes: The lists.
    ///   - facts: What the store holds of each.
    ///   - batch: The elements that the source gives.
    ///   - part: Their part.
    /// - Returns: For each list nil where no more than one side changed it, so that its elements are merged one by one.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    mutating func lists(
        _ scopes: [NestedBatch.Scope], _ facts: [ListFacts], of batch: borrowing RecordBatch, _ part: Int
    ) throws -> [OrderedList?] {
        var over: [ConflictChange] = []
        var surveys: [Survey] = []
        try parts[part].endGivingWay(Array(zip(scopes, facts)))
        let above = try parts[part].context.otherSources.listsAbove(under: scopes.map(\.owner))
        let heirs = try self.heirs(of: scopes, facts, part)
        for (index, scope) in scopes.enumerated() {
            let others = (above: above[index], heir: heirs[index])
            surveys.append(try survey(scope, facts[index], beside: others, of: batch, part, &over))
        }
        // What belonged to an element that was deleted here went with it.
        let open = surveys.map { survey in
            guard case .open(let list) = survey else { return [RecordKey]() }
            let rows = Set(list.facts.rows)
            return list.missing.filter(rows.contains)
        }
        let below = try parts[part].conditions(below: open)
        var lists: [OrderedList?] = []
        for (survey, below) in zip(surveys, below) {
            switch survey {
            case .free: lists.append(nil)
            case .decided(let list): lists.append(list)
            case .open(let list): lists.append(try decide(list, below: below, of: batch, part, &over))
            }
        }
        try parts[part].apply(over)
        return lists
    }

    /// The source that each list passes to which its own source gives no longer; nil for all others.
    private func heirs(
        of scopes: [NestedBatch.Scope], _ facts: [ListFacts], _ part: Int
    ) throws -> [StreamName?] {
        var heirs = [StreamName?](repeating: nil, count: scopes.count)
        let ended = scopes.indices.filter { scopes[$0].rows.isEmpty && !facts[$0].live.isEmpty }
        let others = parts[part].context.otherSources
        if ended.isEmpty || others.isEmpty { return heirs }
        let owners = ended.map { scopes[$0].owner }
        let owner = tree?.parts[part].owner.map { parts[$0] } ?? main
        let streams = try owner.context.otherSources.streams(listing: owners)
        for (index, heir) in zip(ended, try others.heirs(ofLists: owners, among: streams)) { heirs[index] = heir }
        return heirs
    }

    private mutating func survey(
        _ scope: NestedBatch.Scope, _ known: ListFacts,
        beside others: (above: OtherSourceLedger.ListAbove, heir: StreamName?), of batch: borrowing RecordBatch,
        _ part: Int, _ over: inout [ConflictChange]
    ) throws -> Survey {
        // It has no say in the rows, or soon has not.
        if others.above != .none || others.heir != nil {
            let isUnconfirmed = others.above == .none && !gone(scope, known, of: batch, part).unconfirmed.isEmpty
            if !isUnconfirmed {
                over += ending(over: scope.owner, part, as: .obsolete, since: .otherSource)
                let standing: OrderedList.Standing =
                    others.above == .clean ? .yielded : others.heir.map(OrderedList.Standing.passed) ?? .waiting
                return .decided(OrderedList(scope: scope, facts: known, standing: standing))
            }
        }
        var facts = known
        if try dissolveElements(of: scope, batch, part) {
            facts = try parts[part].listFacts([scope], of: batch)[0]
        }
        let gone = gone(scope, facts, of: batch, part)
        // Elements that moved up would stand beside those whose places they took: a list that no side ever had.
        if !gone.unconfirmed.isEmpty {
            return .decided(OrderedList(scope: scope, facts: facts, standing: .unconfirmed(gone.unconfirmed)))
        }
        if !hasNews(scope, facts, of: batch, part, gone.confirmed) {
            let ended = ending(over: scope.owner, part, as: .obsolete, since: reverted(scope.owner, part))
            over += ended
            if scope.rows.isEmpty && !ended.isEmpty { try parts[part].context.otherSources.askAllAgain() }
            return .free
        }
        let missing = Set(facts.rows + gone.confirmed).subtracting(keys(of: scope, batch, part)).sorted()
        return .open(OpenList(scope: scope, facts: facts, missing: missing))
    }

    /// Decides about a list whose elements the source changed.
    private mutating func decide(
        _ list: OpenList, below: ChildrenState, of batch: borrowing RecordBatch, _ part: Int,
        _ over: inout [ConflictChange]
    ) throws -> OrderedList? {
        let (scope, facts) = (list.scope, list.facts)
        let text = ListText(schema: parts[part].schema)
        let present = keys(of: scope, batch, part)
        // An element that is gone on both sides sets them apart no more.
        let isApart =
            below != .clean || facts.rows.contains { !present.contains($0) }
            || scope.rows.contains { parts[part].isApart($0, of: batch, facts) }
        let isEdited =
            try below != .clean || parts[part].isListEdited(facts)
            || facts.live.isEmpty && isTakenOut(of: scope.owner, facts, text, part)
        if !isEdited || !isApart {
            over += ending(over: scope.owner, part, as: isApart ? .obsolete : .converged, since: .localReverted)
            if isEdited, scope.rows.isEmpty { parts[part].context.otherSources.recordTakenOut(under: scope.owner) }
            return nil
        }
        if scope.rows.isEmpty, !parts[part].isAgain, parts[part].context.otherSources.postpones() {
            return OrderedList(scope: scope, facts: facts, standing: .postponed)
        }
        let name = text.name(of: scope.owner)
        let newest = parts[part].newestSide(of: scope, batch, facts)
        var entry = parts[part].listConflict(name, newest: newest)
        entry.base = text.base(facts)
        entry.local = text.local(facts.values)
        entry.remote = text.remote(scope.rows, of: batch)
        let conflict = ListConflict(entry: entry, known: undecided[part][name], missing: list.missing)
        return OrderedList(
            scope: scope, facts: facts, standing: try standing(conflict, newest: newest, below: below, part))
    }

    /// Whether somebody took elements out of a list that another source gave before this one did. Once it gives them no
    /// longer, only the question that this was tells of it, and in the same run what was found as it lost them.
    private func isTakenOut(of owner: RecordKey, _ facts: ListFacts, _ text: ListText, _ part: Int) throws -> Bool {
        if let known = undecided[part][text.name(of: owner)], known.local == text.local(facts.values) { return true }
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
                plan.skip(list)
            } else {
                plan.add(list, isCounted: main.repeatedOrdinals.contains(list.scope.ordinal))
            }
        }
        parts[part].report.summary.add(plan.summary)
        for scope in plan.left { contestedRecords[part].formUnion(keys(of: scope, batch, part)) }
        try recordSeen(plan.seen, batch, part)
        try hold(plan.contested, part)
        try keep(plan.kept, of: batch, part)
        try accept(plan.taken, of: batch, part)
        if !plan.yielded.isEmpty {
            try deleteChildren(plan.yielded, in: part, isCounted: false)
            try parts[part].context.otherSources.askAllAgain()
        }
        for scope in plan.yielding { yieldingRecords[part].formUnion(keys(of: scope, batch, part)) }
        try parts[part].recordGivingWay(plan.yielding, of: batch)
        for (heir, elements) in plan.passed.sorted(by: { $0.key < $1.key }) { try pass(elements, to: heir, in: part) }
        if !plan.unconfirmed.isEmpty { try deleteChildren(plan.unconfirmed, in: part, isCounted: true) }
    }

    /// Passes records of a part, and what belongs to them, to another source. What that one does not give goes.
    private mutating func pass(_ keys: [RecordKey], to heir: StreamName, in part: Int) throws {
        if keys.isEmpty { return }
        guard try parts[part].pass(keys, to: heir) else { return try deleteChildren(keys, in: part, isCounted: false) }
        for child in tree?.children(of: part) ?? [] where tree?.parts[child].outlivesOwner == false {
            var over: [ConflictChange] = []
            for key in keys { over += ending(over: key, child, as: .obsolete, since: .otherSource) }
            try parts[child].apply(over)
            let below = try parts[child].context.table.liveKeys(under: keys).flatMap { $0 }
            try pass(below, to: heir, in: child)
        }
    }

    /// Elements that were seen are not missed, although nothing of their lists is taken.
    private mutating func recordSeen(
        _ scopes: [NestedBatch.Scope], _ batch: borrowing RecordBatch, _ part: Int
    ) throws {
        var seen: [RecordKey] = []
        for scope in scopes {
            for row in scope.rows where parts[part].lookup.rows[row].map({ $0.missedScans > 0 }) ?? false {
                seen.append(batch.key(of: row, schema: parts[part].schema))
            }
        }
        try parts[part].recordSeen(seen)
    }

    /// Keeps conflicts over lists open, and says so once for each list that the source gives.
    private mutating func hold(_ lists: [ListPlan.Disputed], _ part: Int) throws {
        if lists.isEmpty { return }
        let told = try parts[part].writer.conflicts.apply(
            lists.map { .init([.remember($0.conflict.entry, over: $0.conflict.known)]) })
        let names = lists.map(\.conflict.entry.key)
        let open = try parts[part].context.store.conflicts.open(of: parts[part].schema.source, keys: names)
        for (name, (notices, (list, _))) in zip(names, zip(told, lists)) {
            undecided[part][name] = open[ExactText(name)]?.first(where: \.isOfList)
            parts[part].accept(notices)
            if notices.contains(where: \.isNews) { parts[part].notify(list.scope.owner, change(list, .conflict)) }
        }
    }

    /// Keeps lists as they are here, as a policy says: what the source says of them is known from now on.
    private mutating func keep(
        _ lists: [ListPlan.Disputed], of batch: borrowing RecordBatch, _ part: Int
    ) throws {
        if lists.isEmpty { return }
        var writes: [RecordWrite] = []
        for (list, conflict) in lists { writes += parts[part].keeping(list, conflict, of: batch) }
        let settled = lists.map { $0.conflict.known == nil ? [] : [settling($0.conflict, part)] }
        let told = try parts[part].writer.conflicts.apply(settled.map { .init($0) })
        for (notices, (list, _)) in zip(told, lists) {
            parts[part].accept(notices)
            parts[part].notifyKept(change(list, .keptLocal))
        }
        try parts[part].carryOut(bases: writes)
    }

    /// Has lists of sources behind this one go as a whole whose places its lists take: what they had beyond these would stand beside
    /// them, in a list that no source ever gave.
    mutating func replaceListsBehind(
        _ scopes: [NestedBatch.Scope], of batch: borrowing RecordBatch, _ part: Int
    ) throws {
        let context = parts[part].context
        var gone = try context.otherSources.giveWayBehind(under: scopes.map(\.owner), run: context.run)
        if gone.isEmpty { return }
        for scope in scopes { gone.subtract(keys(of: scope, batch, part)) }
        let takesList = parts[part].planner.takesList
        parts[part].planner.takesList = true
        defer { parts[part].planner.takesList = takesList }
        try deleteChildren(gone.sorted(), in: part, isCounted: false)
    }

    /// Takes lists as a whole. What they take the place of is kept with the conflicts.
    private mutating func accept(
        _ lists: [ListPlan.Disputed], of batch: borrowing RecordBatch, _ part: Int
    ) throws {
        if lists.isEmpty { return }
        let settled = lists.map { settling($0.conflict, part) }
        try parts[part].apply(settled)
        parts[part].planner.takesList = true
        defer { parts[part].planner.takesList = false }
        let rows = Set(lists.flatMap { Array($0.list.scope.rows) })
        try parts[part].mergeFound(batch, leavingOut: Set(0..<batch.count).subtracting(rows))
        try replaceListsBehind(lists.map(\.list.scope), of: batch, part)
        let missing = lists.flatMap(\.conflict.missing)
        try deleteChildren(missing, in: part, isCounted: false)
        if !missing.isEmpty { try parts[part].context.otherSources.askAllAgain() }
    }

    /// What becomes of a conflict that a policy decided.
    private mutating func settling(_ conflict: ListConflict, _ part: Int) -> ConflictChange {
        guard var known = conflict.known else {
            var entry = conflict.entry
            entry.status = .auto
            return .remember(entry, over: nil)
        }
        (known.base, known.local) = (conflict.entry.base, conflict.entry.local)
        (known.remote, known.policy) = (conflict.entry.remote, conflict.entry.policy)
        undecided[part][known.key] = nil
        return .close(known, as: .auto)
    }

    /// A change of a list as a whole, by the key that its elements share.
    private func change(_ list: OrderedList, _ action: RecordChange.Action) -> RecordChange {
        RecordChange(action: action, kind: .merge, key: list.scope.owner, fields: [])
    }

    // MARK: Conflicts

    /// Why the open conflict over a list is over whose source says what it said before; nil where there is none.
    private func reverted(_ owner: RecordKey, _ part: Int) -> ConflictEnd? {
        if undecided[part].isEmpty { return nil }
        let schema = parts[part].schema
        return undecided[part][ListText(schema: schema).name(of: owner)].map {
            ConflictEnd.reverted($0, elements: schema)
        }
    }

    /// Takes the open conflict over a list out, where there is one, to be closed.
    mutating func ending(
        over owner: RecordKey, _ part: Int, as status: ConflictStatus, since end: ConflictEnd? = nil
    ) -> [ConflictChange] {
        if undecided[part].isEmpty { return [] }
        let name = ListText(schema: parts[part].schema).name(of: owner)
        guard let known = undecided[part][name] else { return [] }
        undecided[part][name] = nil
        return [.close(known, as: status, since: end)]
    }

    /// Closes the conflicts over the lists of records that are in conflict as a whole.
    ///
    /// - Parameters:
    ///   - owners: The records.
    ///   - part: Their part; nil for those of the stream.
    /// - Throws: What the store throws.
    mutating func endLists(of owners: [RecordKey], _ part: Int?) throws {
        let lists = tree?.children(of: part).filter { !undecided[$0].isEmpty } ?? []
        if lists.isEmpty { return }
        let numbers = try (part.map { parts[$0] } ?? main).conflictNumbers(of: owners)
        for child in lists {
            var over: [ConflictChange] = []
            for (owner, number) in zip(owners, numbers) {
                over += ending(over: owner, child, as: .obsolete, since: .record(number))
            }
            try parts[child].apply(over)
        }
    }

    /// Has what was asked about single elements of a list asked of the list as a whole.
    ///
    /// - Returns: Whether anything was.
    private mutating func dissolveElements(
        of scope: NestedBatch.Scope, _ batch: borrowing RecordBatch, _ part: Int
    ) throws -> Bool {
        if undecided[part].isEmpty { return false }
        let name = ListText(schema: parts[part].schema).name(of: scope.owner)
        let elements = undecided[part].acceptElements(of: name)
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
        let facts = try parts[part].listFacts(scopes, of: batch)
        for (scope, list) in zip(scopes, try lists(scopes, facts, of: batch, part)) {
            if let list { held.append(list) } else { free.append(scope.owner) }
            // No batch brings it once more.
            if case .postponed = list?.standing { parts[part].context.otherSources.postpone(scope.owner) }
        }
        try mergeHeld(held, of: batch, part)
        try deleteChildren(of: free, in: part)
    }
}
