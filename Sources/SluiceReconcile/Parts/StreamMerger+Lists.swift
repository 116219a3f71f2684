internal import SluiceDecode
internal import SluiceMerge
package import SluiceModel
package import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// What the elements of a list that is one value say of it.
extension StreamMerger {
    /// Whether the source was known to have a record of the latest batch.
    package func isKnown(_ record: Int) -> Bool { knownBase(record) != nil || lookup.findings[record] == .unchanged }

    /// Whether the source says something else of a record than it said before, where people may change it too.
    func isNews(_ record: Int, of batch: borrowing RecordBatch, _ facts: ListFacts) -> Bool {
        if lookup.findings[record] == .unchanged { return false }
        guard var base = knownBase(record) else { return true }
        let local = facts.local(batch.key(of: record, schema: schema))
        base.entries = canonical.recognised(base.entries, local: local) { batch.value(record: record, field: $0) }
        let (said, before) = (planner.saidSides(record, of: batch, since: base), canonical.sides(saidBefore: base))
        // What an element leaves out is none, which is what it said before it ever said anything.
        return schema.fields.indices.contains {
            let field = schema.fields[$0]
            return field.owner == .shared && said[$0] != .nothing
                && said[$0] != (before[$0] == .nothing ? field.unsaid : before[$0])
        }
    }

    /// Whether the store and the source say different things of a record.
    func isApart(_ record: Int, of batch: borrowing RecordBatch, _ facts: ListFacts) -> Bool {
        let key = batch.key(of: record, schema: schema)
        guard let local = facts.local(key) else { return true }
        let base = facts.base(key) ?? planner.unknownBase(.live)
        let (said, here) = (planner.saidSides(record, of: batch, since: base), canonical.sides(of: local))
        return schema.fields.indices.contains {
            schema.fields[$0].owner == .shared && said[$0] != .nothing && said[$0] != here[$0]
        }
    }

    /// Whether a person changed a list: an element in it, or which of them there are.
    func isListEdited(_ facts: ListFacts) throws -> Bool {
        let live = Set(facts.live)
        // Elements that were taken out here make another list.
        if !live.isSubset(of: facts.rows) { return true }
        let elements = facts.rows.map { (key: $0, others: facts.others($0)) }
        let hasOwnEdits = elements.contains { key, others in
            let base = live.contains(key) ? facts.base(key) : nil
            guard var base = base ?? (others.contains(where: \.isLive) ? planner.unknownBase(.live) : nil),
                let local = facts.local(key)
            else { return true }
            base.entries = canonical.recognised(base.entries, local: local) { _ in nil }
            return isEdited(local, base: base, others)
        }
        return try hasOwnEdits || context.otherSources.editsElsewhere(elements).contains { !$0.isEmpty }
    }

    /// What people did to that which belongs to the elements of each of some lists.
    package func conditions(below lists: [[RecordKey]]) throws -> [ChildrenState] {
        var worst = [ChildrenState](repeating: .clean, count: lists.count)
        let elements = lists.flatMap { $0 }
        if elements.isEmpty { return worst }
        for rows in context.children {
            var conditions = try rows.conditions(under: elements)[...]
            for (index, list) in lists.enumerated() {
                worst[index] = max(worst[index], conditions.prefix(list.count).max() ?? .clean)
                conditions = conditions.dropFirst(list.count)
            }
        }
        return worst
    }

    /// Which side of a list was changed last, by the latest time in each, as far as all elements of both have one. An edit
    /// that left the latest time as it was has none.
    func newestSide(
        of scope: NestedBatch.Scope, _ batch: borrowing RecordBatch, _ facts: ListFacts
    ) -> NewestSide {
        guard let field = schema.newestField else { return .unknown }
        func latest(_ values: [FieldValue?]) -> CursorPoint? {
            let points = values.compactMap { $0.flatMap(CursorPoint.init) }
            return points.count < values.count ? nil : points.max { $0 < $1 }
        }
        var remote: [FieldValue?] = []
        for row in scope.rows { remote.append(batch.value(record: row, field: field)) }
        let before = facts.live.map { facts.base($0)?.entries[field].value }
        guard let here = latest(facts.values.map { $0.values[field] }), let there = latest(remote), here != there,
            here != latest(before)
        else { return .unknown }
        return here < there ? .remote : .local
    }

    /// A conflict over a list, without its sides.
    func listConflict(_ name: String, newest: NewestSide) -> ConflictEntry {
        var entry = planner.conflictEntry(name, field: nil, kind: FieldClass.editEdit.rawValue)
        entry.policy = schema.policies.policy(for: entry.kind, newest: newest).rawValue
        return entry
    }

    /// Keeps a list as it is here: what the source says of it is known from now on.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - conflict: The conflict that is decided so.
    ///   - batch: The elements that the source gives.
    /// - Returns: What is to be written for that.
    func keeping(
        _ list: OrderedList, _ conflict: ListConflict, of batch: borrowing RecordBatch
    ) -> [RecordWrite] {
        var writes: [RecordWrite] = []
        for record in list.scope.rows {
            let key = batch.key(of: record, schema: schema)
            let base = list.facts.base(key) ?? planner.unknownBase(.live)
            var settled = base
            settled.entries = canonical.entries(record, of: batch, over: base.entries)
            settled.state = list.facts.local(key) == nil ? .localTombstone : .live
            (settled.missedScans, settled.unasked) = (0, [])
            if settled != base || base.firstRun == nil { writes.append(planner.baseWrite(key, settled)) }
        }
        for key in conflict.missing {
            guard var base = list.facts.base(key), base.state.isLive else { continue }
            (base.state, base.missedScans) = (.remoteTombstone, 0)
            writes.append(planner.baseWrite(key, base))
        }
        return writes
    }

    /// The source gives lists no longer that gave way to those of another one.
    mutating func endGivingWay(_ lists: [(scope: NestedBatch.Scope, facts: ListFacts)]) throws {
        try carryOut(
            bases: lists.compactMap { scope, facts in
                let key = scope.owner.firstElement
                guard scope.rows.isEmpty, var base = facts.base(key), base.givesWay else { return nil }
                base.givesWay = false
                return planner.baseWrite(key, base)
            })
    }

    /// Passes records to another source, with all that people did to them.
    ///
    /// - Parameters:
    ///   - keys: The records, which the stream's own source gives no longer.
    ///   - heir: The other source.
    /// - Returns: Whether that one gives such records.
    /// - Throws: What the store throws.
    mutating func pass(_ keys: [RecordKey], to heir: StreamName) throws -> Bool {
        var records: [(key: RecordKey, entries: [BaseEntry])] = []
        var plans: [RecordPlan] = []
        for facts in try facts(of: keys) {
            guard var base = facts.base, base.state.isLive else { continue }
            records.append((facts.key, base.entries))
            (base.state, base.isOpen, base.missedScans) = (.remoteTombstone, false, 0)
            var plan = RecordPlan(writing: planner.baseWrite(facts.key, base))
            plan.conflicts = facts.conflicts.map { .close($0, as: .obsolete, since: .otherSource) }
            plans.append(plan)
        }
        guard try context.otherSources.pass(records, to: heir, run: context.run) else { return false }
        try carryOut(plans)
        return true
    }

    /// Closes the conflicts over single elements of a list: what they ask is asked of the list as a whole.
    mutating func dissolve(_ entries: [ConflictEntry]) throws {
        try apply(entries.map { .close($0, as: .obsolete, since: .list) })
        let open = try context.store.conflicts.open(of: schema.source, keys: entries.map(\.key))
        let names = Set(entries.map { ExactText($0.key) })
        let elements = names.sorted().compactMap { name in
            StoredJSON().key(name.text, schema: schema).map { (key: $0, isOpen: open[name]?.isEmpty == false) }
        }
        var writes: [RecordWrite] = []
        for (element, base) in zip(elements, try context.table.baseRows(elements.map(\.key))) {
            guard var base, base.isOpen else { continue }
            base.isOpen = element.isOpen
            // It stood for an element that the source never had before.
            if base.state == .localTombstone, base.entries.allSatisfy({ $0 == .none }) { base.state = .remoteTombstone }
            writes.append(planner.baseWrite(element.key, base))
        }
        try carryOut(bases: writes)
    }

    /// Why the run fails where a list's policy says that it must.
    func listFailure(_ entry: ConflictEntry) -> SyncError {
        var error = SyncError(
            .conflict,
            "The list of \(schema.entity) \(entry.key) was changed on both sides (\(entry.kind)). Its policy is `fail`, which ends the run. Make the two the same, or choose another `on_conflict`."
        )
        error.place = RecordPlace(entity: schema.entity)
        return error
    }

    /// The base of a record that the source was known to have, where its hash is not the same.
    private func knownBase(_ record: Int) -> BaseRow? {
        lookup.rows[record].flatMap { $0.state == .remoteTombstone ? nil : $0 }
    }
}
