internal import SluiceMerge
package import SluiceModel
package import SluicePlans
internal import SluiceReport
package import SluiceStore

/// Carries out plans for the records of one table, whoever made them: a run, the undo of one, or a person's decision.
///
/// Rows and bases are written together. What follows from that, for the conflicts of a record and for other sources of its
/// table, is written once the record is: at once, or at the end where the table does not take it before.
package struct PlanWriter {
    /// How a record ended that had to wait.
    package enum Ending {
        case written
        /// Nothing of it was written.
        case refused(TableRefusal)
        /// Another row has some of its unique values; the rest of it may be written.
        case collided(UniqueCollision)
    }

    /// What became of the records that had to wait.
    package struct Settled {
        /// Their plans in the order in which they came, each with its ending.
        package let plans: [(plan: RecordPlan, ending: Ending)]
        /// Marks of values of which it is not certain who gets them before all that want them wait.
        package let contested: Set<UInt64>
    }

    package let table: any RecordTable
    /// Writes conflicts of the table's records.
    package let conflicts: ConflictWriter
    private let store: any RecordStore
    /// The other sources of the table.
    private let otherSources: OtherSourceLedger
    /// The rows of the records' children.
    private let children: [ChildRows]
    /// The run's number, nil in a plan.
    private let run: Int64?
    /// What the table does not take yet.
    private var waiting: [RecordPlan] = []
    /// The records of these plans.
    package private(set) var waitingKeys: Set<RecordKey> = []

    /// - Parameters:
    ///   - table: The table of the records.
    ///   - store: The store that it is in.
    ///   - canonical: How values of the records are compared.
    ///   - otherSources: The other sources of the table.
    ///   - children: The rows of the records' children.
    ///   - run: The run's number, nil in a plan.
    package init(
        _ table: any RecordTable, in store: any RecordStore, canonical: CanonicalRecord,
        otherSources: OtherSourceLedger,
        children: [ChildRows] = [], run: Int64?
    ) {
        (self.table, self.store, self.otherSources, self.children, self.run) = (
            table, store, otherSources, children, run
        )
        conflicts = ConflictWriter(store.conflicts, canonical: canonical, run: run)
    }

    // MARK: Rows and bases

    /// Writes what plans say of rows and bases.
    ///
    /// - Returns: The positions of the plans that the table does not take yet.
    /// - Throws: `StoreError`.
    package func write(_ plans: [RecordPlan]) throws -> Set<Int> {
        if !children.isEmpty {
            let renewed = plans.filter { $0.below == .startOver }.map(\.key)
            if !renewed.isEmpty { for rows in children { try rows.forgetAbsent(under: renewed, run: run, in: store) } }
        }
        let writing = plans.indices.filter { plans[$0].write != nil }
        let waiting = writing.isEmpty ? [] : try table.write(releasing(writing.compactMap { plans[$0].write }))
        if !otherSources.isEmpty {
            var writes = OtherSourceWrites()
            for plan in plans where plan.asksWaiting { otherSources.askWaiting(plan.others, &writes) }
            try otherSources.write(writes)
        }
        return waiting.isEmpty ? [] : Set(waiting.map { writing[$0] })
    }

    /// Has references forgotten that wait in records without a row, where the base says something else of them from now on, or that
    /// the source has the record no longer.
    private func releasing(_ writes: [RecordWrite]) throws -> [RecordWrite] {
        let references = table.schema.references
        let bare = writes.indices.filter { index in
            if case .none = writes[index].row { writes[index].base != nil } else { false }
        }
        if references.isEmpty || bare.isEmpty { return writes }
        let targets = try table.waitingTargets(bare.map { writes[$0].key })
        let awaiting = zip(bare, targets).filter { !$1.isEmpty }.map(\.0)
        if awaiting.isEmpty { return writes }
        let keys = awaiting.map { writes[$0].key }
        let (rows, bases) = try (table.localRows(keys), table.baseRows(keys))
        var writes = writes
        for (place, index) in awaiting.enumerated() where rows[place] == nil {
            guard let base = writes[index].base else { continue }
            writes[index].awaitsNoLonger = references.flatMap(\.fields).filter { field in
                base.state.isGone || bases[place]?.entries[field] != base.entries[field]
            }
        }
        return writes
    }

    /// Inserts records of a batch, row and base, of which nothing is known.
    ///
    /// - Returns: The positions of those that the table does not take yet.
    /// - Throws: `StoreError`.
    func insert(_ records: [Int], of batch: borrowing RecordBatch) throws -> Set<Int> {
        try table.insert(batch, records: records, run: run)
    }

    /// Writes what follows from records' being written: what becomes of their conflicts, together.
    ///
    /// - Parameter plans: The plans of different records.
    /// - Returns: What is told of the conflicts of each.
    /// - Throws: `StoreError`.
    package func settle(_ plans: [RecordPlan]) throws -> [[ConflictWriter.Notice]] {
        var notices = [[ConflictWriter.Notice]](repeating: [], count: plans.count)
        let asking = plans.indices.filter { plans[$0].changesConflicts }
        var writes = OtherSourceWrites()
        if !asking.isEmpty {
            let open = try openElsewhere(asking.map { plans[$0] })
            let changes = asking.map { conflictChanges(plans[$0], open: open, &writes) }
            for (index, told) in zip(asking, try conflicts.apply(changes)) { notices[index] = told }
        }
        let renewed = plans.filter { $0.startsOver && !$0.others.isEmpty }
        try otherSources.startOver(renewed.map { ($0.key, $0.others) }, run: run, &writes)
        for plan in plans {
            if plan.startsOver {
                try children.startOver(under: plan.key, plan.others, of: otherSources, run: run, &writes)
            }
            if case .update(let fields, let values)? = plan.write?.row, !plan.others.isEmpty {
                let canonical = conflicts.canonical
                let sides = zip(fields, values).map { ($0, canonical.side(of: $1, field: $0)) }
                otherSources.useUp(plan.key, plan.others, written: Dictionary(sides) { $1 }, &writes)
            }
            if let held = heldByListed(plan) { otherSources.takeUp(plan.key, plan.others, held: held, &writes) }
            if !plan.emptied.isEmpty { _ = try store.empty(plan.emptied, of: plan.key, table.schema.source) }
            if let left = plan.left { otherSources.takeOver(plan.key, plan.others, left: left, &writes) }
        }
        try otherSources.write(writes)
        return notices
    }

    /// What the row of a record that was read holds of the fields that its source gives, by their positions: from now on these are told by
    /// that. Nil where no other source lost the record.
    private func heldByListed(_ plan: RecordPlan) -> [Int: FieldSide]? {
        guard plan.ordinal != nil, let base = plan.write?.base, base.state == .live, let local = plan.local,
            plan.others.contains(where: \.base.state.isGone)
        else { return nil }
        let canonical = conflicts.canonical
        var sides = canonical.sides(of: local)
        if case .update(let fields, let values)? = plan.write?.row {
            for (field, value) in zip(fields, values) { sides[field] = canonical.side(of: value, field: field) }
        }
        let given = base.entries.indices.filter { base.entries[$0] != .none }
        return Dictionary(uniqueKeysWithValues: given.map { ($0, sides[$0]) })
    }

    /// What becomes of the conflicts of a record, with those of other sources that no longer hold it.
    private func conflictChanges(
        _ plan: RecordPlan, open: OtherConflicts, _ writes: inout OtherSourceWrites
    ) -> ConflictWriter.Changes {
        func over(_ entries: [ConflictEntry]) -> [ConflictChange] {
            entries.map { .close($0, as: .obsolete, since: .otherSource) }
        }
        var changes = ConflictWriter.Changes(plan.conflicts)
        if let withdrawn = plan.withdrawn {
            changes.before += over(
                otherSources.withdraw(
                    plan.key, withdrawn.others, as: withdrawn.state, open: open, run: run, &writes))
        }
        changes.before += over(otherSources.answer(plan.key, plan.answered, open: open, &writes))
        changes.after = plan.collisions.map { .close($0, as: .converged) }
        return changes
    }

    /// What other sources ask about records, as far as plans end it.
    private func openElsewhere(_ plans: [RecordPlan]) throws -> OtherConflicts {
        try otherSources.conflicts(
            over: plans.flatMap { plan in
                let withdrawn = (plan.withdrawn?.others ?? []).filter { $0.isLive && $0.base.isOpen }
                return (withdrawn + plan.answered).map { (plan.key, $0) }
            })
    }

    /// Has other sources forget what they said of records whose rows were made anew.
    func startOver(_ records: [(key: RecordKey, others: [OtherSourceLedger.Record])]) throws {
        var writes = OtherSourceWrites()
        try otherSources.startOver(records, run: run, &writes)
        try otherSources.write(writes)
    }

    // MARK: What waits

    /// Keeps a plan until ``finish(reducing:)`` shows how its write ends.
    package mutating func postpone(_ plan: RecordPlan) {
        waiting.append(plan)
        waitingKeys.insert(plan.key)
    }

    /// Changes the plan of a record that waits.
    package mutating func revise(_ key: RecordKey, _ body: (inout RecordPlan) -> Void) {
        for index in waiting.indices where waiting[index].key == key { body(&waiting[index]) }
    }

    /// Writes what had to wait, as far as the table takes it now.
    ///
    /// - Parameter reduce: Makes of a write the same without some fields whose values are taken; nil where there is no such
    ///   write. It is given the record's base.
    /// - Returns: What became of it.
    /// - Throws: `StoreError`.
    package mutating func finish(
        reducing reduce: (_ write: RecordWrite, _ fields: [Int], _ base: BaseRow?) -> RecordWrite? = { _, _, _ in nil }
    ) throws -> Settled {
        let table = table
        let outcome = try table.finish(run: run) { write, fields in
            reduce(write, fields, try table.baseRow(write.key))
        }
        let collisions = Dictionary(outcome.collisions.map { ($0.write.key, $0) }) { $1 }
        let plans = waiting.map { plan in
            let ending: Ending =
                if let refusal = outcome.refused[plan.key] {
                    .refused(refusal)
                } else if let collision = collisions[plan.key] {
                    .collided(collision)
                } else {
                    .written
                }
            return (plan: plan, ending: ending)
        }
        waiting.removeAll()
        waitingKeys.removeAll()
        return Settled(plans: plans, contested: outcome.contested)
    }
}

extension PlanWriter.Ending {
    /// Why nothing of a record was written, as sentences; nil where something was. A collision counts as such where no write is
    /// reduced. What to do about a source's records helps nobody who decided on the value or takes a run back.
    package func reason(_ schema: RecordSchema) -> String? {
        switch self {
        case .written: nil
        case .refused(let refusal): refusal.words(schema)
        case .collided(let collision): collision.sentence(schema)
        }
    }
}

extension RecordPlan {
    /// Whether anything becomes of conflicts over the record, its source's or another one's.
    fileprivate var changesConflicts: Bool {
        withdrawn != nil || !answered.isEmpty || !conflicts.isEmpty || !collisions.isEmpty
    }
}
