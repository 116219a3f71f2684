internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// Records that the run changed, as its changes tell: facts of some are read together, plans are made of them, and these
/// are written together.
extension RunUndo {
    func undoRecords() throws { try forEachChunk(undo) }

    /// Reads what the run changed of records, the last change first.
    ///
    /// - Parameter body: Is given some changes at once.
    /// - Throws: What the store and the body throw.
    func forEachChunk(_ body: ([RecordedChange]) throws -> Void) throws {
        var last: Int64?
        while true {
            let changes = try store.changes.records(
                run: target.id, order: .newestFirst, beyond: last, limit: Self.chunk)
            guard let oldest = changes.last else { return }
            last = oldest.id
            try body(changes)
        }
    }

    /// Takes back some changes, in their order.
    func undo(_ changes: [RecordedChange]) throws {
        // What a reference leads to is settled in the store.
        changedStreams.formUnion(changes.filter { !$0.isOfLinks }.map(\.mapping.stream))
        for group in try groups(of: changes) {
            try cancellation.check()
            try undo(group)
            try recordAdopted(group)
            if let first = group.first { report(more: group.count, of: first.mapping) }
        }
    }

    /// Parts of some changes, in their order, of which each can be taken back together: they are about different records of
    /// one table, and nothing of one record bears on another one.
    private func groups(of changes: [RecordedChange]) throws -> [ArraySlice<RecordedChange>] {
        var groups: [ArraySlice<RecordedChange>] = []
        var start = changes.startIndex
        var names: Set<Name> = []
        for (index, change) in changes.enumerated() {
            let goesOn =
                try index > start && change.mapping == changes[start].mapping && isAlone(changes[start])
                && isAlone(change) && !names.contains(Name(mapping: change.mapping, key: change.key))
            if index > start && !goesOn {
                groups.append(changes[start..<index])
                start = index
                names = []
            }
            names.insert(Name(mapping: change.mapping, key: change.key))
        }
        groups.append(changes[start...])
        return groups
    }

    /// Whether what becomes of a change depends on its record alone.
    private func isAlone(_ change: RecordedChange) throws -> Bool {
        guard !change.isOfLinks, let table = try table(change.mapping) else { return false }
        // A row that is written may change others, and other sources know a record under names of their own.
        return table.otherSources.isEmpty && !table.records.changesOtherRows
    }

    /// Bases that the run wrote first although it did not write the row, and that are still there, are no inserts. Where they are gone,
    /// what the source says of the rows is forgotten.
    private func recordAdopted(_ changes: ArraySlice<RecordedChange>) throws {
        let adoptions = changes.filter(\.isAdoption)
        guard let first = adoptions.first, let table = try table(first.mapping) else { return }
        let known = adoptions.compactMap { change in
            json.key(change.key, schema: table.schema).map { (change: change, key: $0) }
        }
        var bare: [(name: Name, key: RecordKey)] = []
        var cut: [(name: Name, key: RecordKey)] = []
        for (adoption, base) in zip(known, try table.records.baseImages(known.map(\.key))) {
            let name = Name(mapping: adoption.change.mapping, key: adoption.change.key)
            if let base {
                adopted.insert(name)
                if Self.isCut(base, of: adoption.change) { cut.append((name, adoption.key)) }
            } else if adoption.change.baseAfter?.state.isLive == true {
                bare.append((name, adoption.key))
            }
        }
        try recordUnadopted(bare, table)
        try recordUnadopted(cut, table, inPart: true)
    }

    /// Whether a later run gave some of what stays of a base that the run wrote first: the rest is forgotten.
    private static func isCut(_ base: BaseImage, of adoption: RecordedChange) -> Bool {
        guard let after = adoption.baseAfter, base.state.isLive else { return false }
        return after.slots.indices.contains { after.entry($0) != .none && base.entry($0) == .none }
    }

    /// Counts those of some records without a base, or with less of it, that have a row which nobody but the run had compared with a source,
    /// and those whose rows people deleted since.
    private func recordUnadopted(
        _ bare: [(name: Name, key: RecordKey)], _ table: ReviewTable, inPart isPart: Bool = false
    ) throws {
        let keys = bare.map(\.key)
        let areLive =
            table.otherSources.isEmpty
            ? keys.map { _ in false } : try table.otherSources.records(keys).map { $0.contains(where: \.isLive) }
        for ((name, row), isLive) in zip(zip(bare.map(\.name), try table.records.localRows(keys)), areLive) {
            if isLive { continue }
            if row == nil {
                // Who deleted a row that was there before the run is known by the base alone.
                if !isPart { forgotten.insert(name) }
                continue
            }
            // A row that a run made for others is no row of people's.
            if try mayComeBack(table) && store.changesOfRow(name.mapping, key: name.key).insertOfRow != nil { continue }
            var rows = unadopted[name.mapping] ?? (0, 0, [])
            rows.count += 1
            if isPart { rows.inPart += 1 }
            if rows.first.count < ReferenceOutcome.Rows.listed { rows.first.append(name.key) }
            unadopted[name.mapping] = rows
        }
    }

    private func undo(_ changes: ArraySlice<RecordedChange>) throws {
        let changes = beforeOwners(changes)
        guard let first = changes.first else { return }
        if first.isLink { return try revertLink(first) }
        if first.isUnlink { return try linkAgain(first) }
        guard let table = try table(first.mapping) else {
            for change in changes { skip(Name(mapping: change.mapping, key: change.key)) }
            return
        }
        var planner = planner(of: table)
        planner.retyped = try retypedFields(of: first.mapping)
        let all = try facts(of: changes, table)
        var plans: [UndoPlan] = []
        for var facts in all {
            if facts.wasMadeByRun { passing.insert(Name(mapping: first.mapping, key: facts.change.key)) }
            if let plan = try plan(stub: &facts, planner, table) {
                plans.append(plan)
            } else if facts.change.action == .delete, let now = facts.row,
                let plan = try revertReplacement(facts, now, planner, table)
            {
                plans.append(plan)
            } else {
                plans.append(planner.plan(facts))
            }
        }
        try carryOut(plans, all.map { Name(mapping: first.mapping, key: $0.change.key) }, table)
    }

    // MARK: Facts

    /// Reads what is known of the records of some changes. Those that are left already are passed over.
    private func facts(of changes: ArraySlice<RecordedChange>, _ table: ReviewTable) throws -> [UndoFacts] {
        var wanted: [(change: RecordedChange, key: RecordKey)] = []
        for change in changes {
            let name = Name(mapping: change.mapping, key: change.key)
            if leftRecords.contains(name) { continue }
            if let key = json.key(change.key, schema: table.schema) {
                if try !isInLeftList(key, change.mapping) { wanted.append((change, key)) }
            } else if mayFindMoreNames {
                postponed.append(change)
            } else {
                skip(name)
            }
        }
        let keys = wanted.map(\.key)
        let bases = try table.records.baseImages(keys)
        // Where the base alone changed, the row does not matter, unless others could have made it since.
        let places = wanted.indices.filter { wanted[$0].change.action != .base || wanted[$0].change.statesAbsence }
        var rows = [RowImage?](repeating: nil, count: wanted.count)
        for (place, row) in zip(places, try table.records.wholeRows(places.map { keys[$0] })) { rows[place] = row }
        let areHeld = try areHeldSince(keys, table)
        let inserted = wanted.indices.filter { wanted[$0].change.action == .insert && rows[$0] != nil }
        let areEdited = try areEditedElsewhere(inserted.map { keys[$0] }, table)
        let edited = Set(zip(inserted, areEdited).filter(\.1).map(\.0))
        let comingBack = wanted.indices.filter { wanted[$0].change.action == .delete && rows[$0] == nil }
        let haveOwners = try haveOwners(comingBack.map { keys[$0] }, table)
        let lacking = Set(zip(comingBack, haveOwners).filter { !$1 }.map(\.0))
        if mayFindOwners { try setAside(lacking.sorted().map { wanted[$0] }, table) }
        return try wanted.indices.filter { !mayFindOwners || !lacking.contains($0) }.map { index in
            let change = wanted[index].change
            let name = Name(mapping: change.mapping, key: change.key)
            var facts = UndoFacts(change: change, key: keys[index], base: bases[index], row: rows[index])
            facts.isWaiting = isWaiting(name)
            facts.isHeldSince = areHeld[index]
            facts.isEditedElsewhere = edited.contains(index)
            facts.lacksOwner = lacking.contains(index)
            facts.emptied = try emptied(change)
            if change.action == .delete && rows[index] == nil {
                facts.wasMadeByRun = try wasMadeByRun(keys[index], change.mapping, bases[index], table)
                facts.isUnmanaged = try isUnmanaged(change, keys[index], table)
            }
            return facts
        }
    }

    /// Whether the run itself had made a row that it deleted later.
    private func wasMadeByRun(
        _ key: RecordKey, _ mapping: RecordMapping, _ base: BaseImage?, _ table: ReviewTable
    ) throws -> Bool {
        var written = try table.otherSources.firstWritten(key, by: target.id)
        if base?.firstRun == target.id { written.append((mapping, key)) }
        return try written.contains { source, key in
            guard let schema = try self.table(source)?.schema else { return false }
            let changes = try store.changes.records(source, key: FieldJSON.object(key: key, schema: schema))
            // A source that came to a row that was there already tells so.
            return !changes.contains { $0.run == target.id && $0.isAdoption }
        }
    }

    /// Whether a row that the run deleted was people's: no source gave it, and no run had made it for others that refer to it.
    private func isUnmanaged(_ deletion: RecordedChange, _ key: RecordKey, _ table: ReviewTable) throws -> Bool {
        if deletion.baseBefore?.state.isLive == true { return false }
        return try !names(of: key, deletion.mapping, table).contains { name in
            let changes = try store.changesOfRow(name.mapping, key: name.key)
            return changes.filter { $0.id < deletion.id }.insertOfRow != nil
        }
    }

    /// The fields of which the history may have values of an earlier type.
    private func retypedFields(of mapping: RecordMapping) throws -> Set<String> {
        if let known = retyped[mapping] { return known }
        let found = try store.changes.retypedFields(of: mapping, since: target.id)
        retyped[mapping] = found
        return found
    }

    // MARK: Plans

    /// Decides about the records of a table.
    func planner(of table: ReviewTable) -> UndoPlanner {
        UndoPlanner(
            schema: table.schema, canonical: table.canonical, fieldOfSlot: table.records.fieldOfSlot, run: run,
            marksDeletion: table.records.marksDeletion, isOfUndo: target.command == "undo",
            isShown: { [observer] in observer.wants($0, of: table.schema) || self.mayComeBack(table) })
    }

    /// Carries out plans for different records of one table, counts them and tells them in their order.
    ///
    /// - Parameters:
    ///   - plans: The plans.
    ///   - names: What their records are called.
    ///   - table: Their table.
    /// - Throws: `StoreError`.
    func carryOut(_ plans: [UndoPlan], _ names: [Name], _ table: ReviewTable) throws {
        guard let mapping = names.first?.mapping else { return }
        let later = try placesOfOwners(plans, mapping)
        try putOff(later.sorted().map { (plans[$0], names[$0]) }, table)
        let plans = plans.indices.map { later.contains($0) ? plans[$0].putOff() : plans[$0] }
        let waiting = try table.writer.write(plans.map(\.record))
        let written = plans.indices.filter { !plans[$0].isLeft && !waiting.contains($0) }
        try settle(written.map { plans[$0].record }, table)
        for (index, plan) in plans.enumerated() {
            let name = names[index]
            for column in plan.lost {
                self.record("\(mapping.entity) \(name.key): `\(column)` has no column any more.")
            }
            if plan.isLeft {
                skip(name, plan.record.change, table)
            } else if waiting.contains(index) {
                self.waiting[name] = plan
                table.writer.postpone(plan.record)
            } else {
                if plan.isAsBefore { asBefore.insert(name) }
                if plan.forgetsDeletion && !passing.contains(name) { forgotten.insert(name) }
                recordRedacted(plan.record, mapping, table.schema)
                conclude(plan.record, left: plan.left, name, table)
            }
        }
    }

    /// Has rows go last, since others belong to them.
    private func putOff(_ plans: [(plan: UndoPlan, name: Name)], _ table: ReviewTable) throws {
        if plans.isEmpty { return }
        let bases = try table.records.baseImages(plans.map(\.plan.key))
        for ((plan, name), base) in zip(plans, bases) {
            guard case .removed(let isInsert) = plan.fate else { continue }
            // What the run did to the base before is taken back next.
            removals.append(
                isInsert
                    ? Removal(name: name, key: plan.key, kept: plan.record.write?.keptBase, base: nil)
                    : Removal(name: name, key: plan.key, kept: nil, base: base))
        }
    }

    /// The places of the plans whose rows go and have others that belong to them.
    private func placesOfOwners(_ plans: [UndoPlan], _ mapping: RecordMapping) throws -> Set<Int> {
        let places = plans.indices.filter { if case .removed = plans[$0].fate { true } else { false } }
        if places.isEmpty { return [] }
        let found = try haveRowsBelow(places.map { plans[$0].key }, mapping)
        return Set(zip(places, found).compactMap { $1 ? $0 : nil })
    }
}
