internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// What belongs to records whose rows are made anew.
extension StreamMerger {
    /// What a source lists of that which belongs to a record.
    struct Listing {
        var keys: Set<RecordKey> = []
        /// Whether there is no more of it.
        var isWhole = false
    }

    /// Has the records of this table that belong to others which are back come back with them.
    ///
    /// What the source lists now is inserted as it is merged, and what it left out of a whole list is gone. Of what it says nothing
    /// it said before that it is there, so that comes back as it was.
    ///
    /// - Parameters:
    ///   - owners: The others, each with its position in the stream.
    ///   - lists: What the source lists of that which belongs to them; nothing where it does not give the list.
    /// - Throws: What the store throws.
    mutating func bringBack(with owners: [RecordKey: Int?], listing lists: [RecordKey: Listing]) throws {
        let all = owners.keys.sorted()
        let known = zip(all, try context.table.liveKeys(under: all)).flatMap { owner, keys in
            keys.map { (owner: owner, key: $0) }
        }
        if known.isEmpty { return }
        var (listed, gone): ([RecordKey], [RecordKey]) = ([], [])
        var unsaid: [(key: RecordKey, ordinal: Int?)] = []
        for ((owner, key), row) in zip(known, try context.table.localRows(known.map(\.key))) where row == nil {
            let list = lists[owner]
            if list?.keys.contains(key) == true {
                listed.append(key)
            } else if list?.isWhole == true || schema.writeMode == .replace {
                gone.append(key)
            } else {
                unsaid.append((key, owners[owner] ?? nil))
            }
        }
        returning.formUnion(listed)
        try forget(listed)
        try forget(gone + revive(unsaid), withChildren: true)
    }

    /// Inserts records as their source gave them last.
    ///
    /// - Returns: Those that are not known well enough, so that they come back once they are read.
    private mutating func revive(_ records: [(key: RecordKey, ordinal: Int?)]) throws -> [RecordKey] {
        if records.isEmpty { return [] }
        var plans: [RecordPlan] = []
        var unknown: [RecordKey] = []
        for (record, facts) in zip(records, try facts(of: records.map(\.key))) {
            guard let plan = planner.revival(facts, ordinal: record.ordinal, isWanted: wants(record.key)) else {
                unknown.append(record.key)
                continue
            }
            if !holdsBack(plan, facts) { plans.append(plan) }
        }
        try carryOut(plans)
        return unknown
    }

    /// Lets the base of records without a row say that they are gone, so that a run which reads them inserts them.
    private mutating func forget(_ keys: [RecordKey], withChildren: Bool = false) throws {
        if keys.isEmpty { return }
        let bases = try context.table.baseRows(keys)
        try carryOut(
            bases: zip(keys, bases).compactMap { key, base in
                base.map { base in
                    var base = base
                    (base.state, base.lastRun) = (.remoteTombstone, context.run)
                    return RecordWrite(key: key, row: .none, base: base)
                }
            })
        guard withChildren else { return }
        for rows in context.children { try rows.forgetAbsent(under: keys, run: context.run, in: context.store) }
    }
}
