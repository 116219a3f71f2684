internal import SluiceMerge
internal import SluiceStore

/// Lists that are one value: they are the source's or they are not, and a contested one stays with all its rows.
extension TreeMerger {
    /// What becomes of a list as a whole; nil where its elements are records of their own.
    func list(_ scope: PartBatch.Scope, of batch: borrowing RecordBatch, _ part: Int) throws -> OrderedList? {
        guard tree?.parts[part].isOrdered == true else { return nil }
        switch try parts[part].context.siblings.listAbove(under: scope.owner) {
        case .none: break
        case .clean: return OrderedList(scope: scope, standing: .yielded)
        case .changed: return OrderedList(scope: scope, standing: .waiting)
        }
        var facts = OrderedList.Facts()
        facts.hasNews = try hasNews(scope, of: batch, part)
        if !facts.hasNews { return nil }
        facts.isEdited = try parts[part].isListEdited(under: scope.owner)
        facts.isUndecided = try parts[part].isListUndecided(under: scope.owner)
        return OrderedList(scope: scope, standing: facts.standing, isUndecided: facts.isUndecided)
    }

    private func hasNews(_ scope: PartBatch.Scope, of batch: borrowing RecordBatch, _ part: Int) throws -> Bool {
        for row in scope.rows where try parts[part].hasNews(row, of: batch) { return true }
        let live = try parts[part].context.table.liveKeys(under: scope.owner)
        let known = scope.rows.count { parts[part].isKnown($0) }
        if live.count == known { return false }
        return try gone(scope, of: batch, part, live: live).contains { key in
            // A scan that may have missed it says nothing yet.
            if scope.reading == .counted, try parts[part].context.table.baseRow(key)?.missedScans == 0 { return false }
            return try parts[part].context.table.localRow(key) != nil
        }
    }

    /// The elements that the source had and has no longer.
    private func gone(
        _ scope: PartBatch.Scope, of batch: borrowing RecordBatch, _ part: Int, live: [RecordKey]
    ) -> [RecordKey] {
        if scope.reading == .partial { return [] }
        let present = Set(scope.rows.map { batch.key(of: $0, schema: parts[part].schema) })
        return live.filter { !present.contains($0) }
    }

    /// Merges a list that is not the source's own by now.
    mutating func mergeHeld(_ list: OrderedList, of batch: borrowing RecordBatch, _ part: Int) throws {
        switch list.standing {
        case .own: break
        case .contested: try mergeContested(list, of: batch, part)
        case .yielded:
            parts[part].report.summary.unchanged += list.scope.rows.count
            try deleteChildren(of: list.scope.owner, in: part, except: [])
        case .waiting: parts[part].report.summary.unchanged += list.scope.rows.count
        }
        guard list.standing != .own, try isUntaken(list, part) else { return }
        let keys = list.scope.rows.map { batch.key(of: $0, schema: parts[part].schema) }
        contestedRecords[part].formUnion(keys)
    }

    private func isUntaken(_ list: OrderedList, _ part: Int) throws -> Bool {
        try list.standing != .contested || parts[part].isListUndecided(under: list.scope.owner)
    }

    /// Merges the elements of a contested list in which both sides differ. As long as that leaves a conflict, the base of
    /// all others stays as it was: it tells how the list came to be contested.
    private mutating func mergeContested(_ list: OrderedList, of batch: borrowing RecordBatch, _ part: Int) throws {
        let owner = list.scope.owner
        let (apart, alike) = try sides(of: list, of: batch, part)
        let others = Set(0..<batch.count)
        parts[part].isContestedList = true
        try parts[part].mergeFound(batch, leavingOut: others.subtracting(apart))
        let table = parts[part].context.table
        let gone = gone(list.scope, of: batch, part, live: try table.liveKeys(under: owner))
        let isCounted = list.scope.reading == .counted
        let missing = try gone.filter { try table.localRow($0) != nil || table.baseRow($0)?.isOpen == true }
        try deleteChildren(missing, in: part, isCounted: isCounted)
        parts[part].isContestedList = false
        if try parts[part].isListUndecided(under: owner) {
            parts[part].report.summary.unchanged += alike.count
            return
        }
        try parts[part].mergeFound(batch, leavingOut: others.subtracting(alike))
        try deleteChildren(gone.filter { !missing.contains($0) }, in: part, isCounted: isCounted)
    }

    /// The rows of a contested list in which the store and the source differ, or did so before, and the others. What
    /// was decided since the conflict began is not asked again as long as the source says the same.
    private func sides(
        of list: OrderedList, of batch: borrowing RecordBatch, _ part: Int
    ) throws -> (apart: Set<Int>, alike: Set<Int>) {
        let apart = try list.scope.rows.filter { row in
            if parts[part].lookup.rows[row]?.isOpen == true { return true }
            guard try parts[part].isApart(row, of: batch) else { return false }
            return try !list.isUndecided || parts[part].hasNews(row, of: batch)
        }
        return (Set(apart), Set(list.scope.rows).subtracting(apart))
    }
}
