internal import SluiceDecode
internal import SluiceMerge
package import SluiceModel
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// What was planned for conflicts is kept and told.
extension StreamMerger {
    /// The open conflicts of records whose bases say that there are some.
    ///
    /// - Parameters:
    ///   - keys: The records.
    ///   - bases: Their bases.
    /// - Returns: Those of each record.
    /// - Throws: `StoreError`.
    func openConflicts(_ keys: [RecordKey], _ bases: [BaseRow?]) throws -> [[ConflictEntry]] {
        var found = [[ConflictEntry]](repeating: [], count: keys.count)
        let open = keys.indices.filter { bases[$0]?.isOpen == true }
        if open.isEmpty { return found }
        let names = open.map { FieldJSON.object(key: keys[$0], schema: schema) }
        let conflicts = try context.store.conflicts.open(of: schema.source, keys: names)
        for (index, name) in zip(open, names) { found[index] = conflicts[ExactText(name)] ?? [] }
        return found
    }

    /// The numbers of the open conflicts over some records as a whole; nil where there is none.
    func conflictNumbers(of keys: [RecordKey]) throws -> [Int64?] {
        let names = keys.map { FieldJSON.object(key: $0, schema: schema) }
        let open = try context.store.conflicts.open(of: schema.source, keys: names)
        return names.map { open[ExactText($0)]?.first { $0.field == nil }?.id }
    }

    /// How many records with open conflicts are looked at together.
    private static let conflictsAtOnce = 1_000

    /// Ends the open conflicts that people settled in the table, of records that the source does not show again: those that did not
    /// change where it is asked for changes alone, and what is within lists that it leaves out. What waits since a record is gone is
    /// looked at where that is dealt with.
    ///
    /// - Parameter isRead: Whether a record was read, so that all was planned with it.
    /// - Returns: Whether some ended, whose writes may have to wait.
    /// - Throws: `StoreError`.
    package mutating func endMetConflicts(except isRead: (RecordKey) throws -> Bool = { _ in false }) throws -> Bool {
        var isMet = false
        let open = try context.store.conflicts.open(of: schema.source)
        let keys = try Set(open.compactMap { StoredJSON().key($0.key, schema: schema) }).filter { try !isRead($0) }
            .sorted()
        for start in stride(from: 0, to: keys.count, by: Self.conflictsAtOnce) {
            try applyAll(Array(keys[start...].prefix(Self.conflictsAtOnce))) { merger, keys in
                var plans: [RecordPlan] = []
                for facts in try merger.facts(of: keys) {
                    guard let plan = merger.planner.met(facts, isWanted: merger.wants(facts.key)) else { continue }
                    if !merger.holdsBack(plan, facts) { plans.append(plan) }
                }
                isMet = isMet || !plans.isEmpty
                try merger.carryOut(plans)
            }
        }
        return isMet
    }

    /// Writes what becomes of conflicts of different records, or lists, and tells it.
    ///
    /// - Parameter changes: What becomes of the conflict of each.
    /// - Throws: `StoreError`.
    mutating func apply(_ changes: [ConflictChange]) throws {
        if changes.isEmpty { return }
        for notices in try writer.conflicts.apply(changes.map { ConflictWriter.Changes([$0]) }) { accept(notices) }
    }

    /// Counts and tells conflicts that were written.
    mutating func accept(_ notices: [ConflictWriter.Notice]) {
        for notice in notices {
            if notice.isNews { report.newConflicts += 1 }
            report(notice.entry)
        }
    }
}
