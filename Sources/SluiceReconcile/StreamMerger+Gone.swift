internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// Records that their source no longer has.
extension StreamMerger {
    /// Decides what becomes of records that are gone; writes nothing.
    func goneRecords(_ keys: [RecordKey], for reach: Reach = .source) throws -> [GoneRecord] {
        try gone(try facts(of: keys).map { ($0, reach) })
    }

    private func gone(_ all: [(facts: RecordFacts, reach: Reach)]) throws -> [GoneRecord] {
        let bases = all.map { planner.base(of: $0.facts, for: $0.reach) }
        let owners = all.indices.filter { bases[$0] != nil && all[$0].facts.local != nil }
        var below = [ChildrenState](repeating: .clean, count: all.count)
        if !owners.isEmpty {
            for rows in context.children {
                let conditions = try rows.conditions(under: owners.map { all[$0].facts.key })
                for (index, condition) in zip(owners, conditions) { below[index] = max(below[index], condition) }
            }
        }
        let standing = owners.map { (all[$0].facts.key, all[$0].facts.others) }
        let editedElsewhere = Dictionary(
            uniqueKeysWithValues: zip(owners, try context.otherSources.editsElsewhere(standing)))
        return try all.indices.map { index in
            let (facts, reach) = all[index]
            let isKept =
                try (elsewhere.kept[schema.source]?.contains(facts.key) == true)
                || context.otherSources.isQuarantined(facts.key, missingFrom: schema.source)
            let row = facts.local.map { values in
                LocalRow.present(
                    isEdited: bases[index].map { base in
                        var said = base
                        // Whom it speaks for, or what waits, keeps no value of others out.
                        if let known = facts.base { said.state = known.state }
                        return isEdited(values, base: said, facts.others) || editedElsewhere[index]?.isEmpty == false
                    } ?? true)
            }
            return planner.gone(
                facts, base: bases[index], for: reach, row: row ?? .absent, below: below[index],
                elsewhere: editedElsewhere[index] ?? [],
                hasMoved: elsewhere.moved[schema.source]?.contains(facts.key) == true,
                isLost: elsewhere.lost[schema.source]?.contains(facts.key) == true, isKept: isKept,
                isNeeded: unmet.needed[facts.key] != nil)
        }
    }

    /// Forgets what the source no longer lists of records whose deletion another one had stated, where another one made them anew in
    /// this run: it lost them with that.
    ///
    /// - Parameters:
    ///   - seen: The keys that a scan read.
    ///   - isExpected: Whether the scan would have seen a record that is still there.
    /// - Throws: `StoreError`.
    mutating func endRevived(seen: SeenKeys, isExpected: (RecordKey, BaseRow) -> Bool) throws {
        let lost = context.otherSources.revived(unlisted: seen).filter { isExpected($0.key, $0.base) }
        if lost.isEmpty { return }
        let now = try context.table.baseRows(lost.map(\.key))
        try carryOut(
            bases: zip(lost, now).compactMap { lost, now in
                guard let now, now.state == .live else { return nil }
                var base = lost.base
                (base.state, base.entries) = (.remoteTombstone, now.entries)
                return planner.baseWrite(lost.key, base)
            })
    }

    /// Notes which deletions that wait for a decision are stated no longer: stated again they are news.
    ///
    /// - Parameters:
    ///   - seen: The keys that a scan read.
    ///   - isExpected: Whether the scan would have seen a record that is still stated.
    /// - Throws: `StoreError`.
    mutating func endSilent(seen: SeenKeys, isExpected: (RecordKey, BaseRow) -> Bool) throws {
        if seen.runs != nil { return }
        let waiting = try context.store.conflicts.open(of: schema.source).filter(\.isOfGoneRecord)
        let keys = waiting.compactMap { StoredJSON().key($0.key, schema: schema) }.filter { !seen.contains($0) }
        if keys.isEmpty { return }
        try carryOut(
            zip(keys, context.table.baseRows(keys)).compactMap { key, base in
                guard var base, base.state == .statedTombstone, base.isOpen, !base.isSilent, isExpected(key, base)
                else { return nil }
                base.missedScans = 1
                return RecordPlan(writing: planner.absence(key, base, .unchanged))
            })
    }

    /// Whether a record that is gone stayed before in this run, since another source had it in quarantine.
    func wasHeld(_ key: RecordKey) -> Bool { context.otherSources.wasHeld(key, missingFrom: schema.source) }

    /// Whether a table did not let a record go before in this run.
    func wasRefused(_ key: RecordKey) -> Bool { context.otherSources.wasRefused(key, of: schema.source) }

    /// Whether a person changed what the source fills of a row: something in it is what none of its sources said. See also
    /// ``OtherSourceLedger/editsElsewhere(_:)``.
    func isEdited(_ local: [FieldValue], base: BaseRow, _ others: [OtherSourceLedger.Record]) -> Bool {
        RecordMerge.isEdited(
            base: canonical.sides(of: base.entries), local: canonical.sides(of: local), schema: schema,
            claims: context.otherSources.others.claims(of: others, beside: base, canonical))
    }

    /// Plans a record that the source says is deleted.
    ///
    /// Its outcome is that of its row: deleted, in conflict, kept as edited here, or else unchanged. Where others fill the table too a deletion is a fact about the record, whoever
    /// listed it; where the source said the same before, whoever listed it since stands.
    ///
    /// - Parameters:
    ///   - records: The positions of such records in their batch.
    ///   - facts: What is known of each.
    ///   - batch: The batch.
    /// - Returns: A plan for each, and whether it forgets that people deleted the row.
    /// - Throws: `StoreError`, and ``SyncError`` where a policy is to fail.
    mutating func planDeleted(
        _ records: [Int], _ facts: [RecordFacts], of batch: borrowing RecordBatch
    ) throws -> [(plan: RecordPlan, isForgetting: Bool)] {
        var plans = facts.map { RecordPlan(key: $0.key) }
        var news: [(facts: RecordFacts, reach: Reach)] = []
        var places: [Int] = []
        for (index, record) in records.enumerated() {
            var reach = Reach.source
            let base = facts[index].base
            if !context.otherSources.isEmpty || context.hasCompanions {
                let none = planner.unknownBase(.live).entries
                let said = canonical.entries(record, of: batch, over: none)
                let statement = Reach.Statement(
                    entries: canonical.entries(record, of: batch, over: base?.entries ?? none),
                    hash: canonical.rowHash(of: said))
                if var base, base.isOver, base.rowHash == statement.hash || isSaidBefore(record, base, of: batch) {
                    if let plan = planner.leaving(facts[index]) { plans[index] = plan }
                    // Earlier formats kept nothing of it but the key. Of a row that stays, what the source listed tells the edits.
                    let entries = base.isKnownByHash ? base.entries : statement.entries
                    if base.rowHash != statement.hash && (base.isKnownByHash || entries != base.entries) {
                        let run = base.lastRun
                        (base.entries, base.rowHash) = (entries, statement.hash)
                        plans[index].write = planner.baseWrite(facts[index].key, base, keepsHash: true)
                        plans[index].write?.base?.lastRun = run
                    }
                    continue
                }
                reach = .statement(statement)
                context.otherSources.recordStated(facts[index])
            }
            news.append((facts[index], reach))
            places.append(index)
        }
        let gone = try gone(news)
        var isForgetting = [Bool](repeating: false, count: plans.count)
        for (place, plan) in try self.plans(gone).enumerated() {
            guard let plan else { continue }
            plans[places[place]] = plan
            isForgetting[places[place]] = gone[place].change == .isForgotten
        }
        return plans.indices.map { index -> (plan: RecordPlan, isForgetting: Bool) in
            plans[index].isStated = true
            return (plans[index], isForgetting[index])
        }
    }

    /// Whether a source says of a record that is deleted what it said before. A statement that says something else is another one.
    private func isSaidBefore(_ record: Int, _ base: BaseRow, of batch: borrowing RecordBatch) -> Bool {
        // Where the pipeline changed since, the hash tells nothing: what was decided once is not asked again for that.
        if base.isKnownByHash { return base.rowHash == BaseImage.voidHash }
        let said = planner.saidSides(record, of: batch, since: base)
        return zip(canonical.sides(saidBefore: base), said).allSatisfy {
            $0 == .nothing || $1 == .nothing || $0 == $1
        }
    }

    /// Looks once more at records that wait for a decision since they are gone from their source and were edited here. They
    /// are over where their rows went meanwhile. Where nothing edited is there any more they go, if nothing that the source
    /// lists could speak against it.
    ///
    /// - Parameter listsChanges: Whether the source would list a record that is there again.
    /// - Throws: `StoreError`.
    package mutating func settleAwaited(listsChanges: Bool) throws {
        let waiting = try context.store.conflicts.open(of: schema.source).filter(\.isOfGoneRecord)
        try applyAll(waiting.compactMap { StoredJSON().key($0.key, schema: schema) }) { merger, keys in
            var asked: [(facts: RecordFacts, reach: Reach)] = []
            for facts in try merger.facts(of: keys) {
                guard let base = facts.base, base.isOpen else { continue }
                let isStated = base.state == .statedTombstone
                if facts.local == nil || isStated || listsChanges {
                    let statement = Reach.Statement(entries: base.entries, hash: base.rowHash)
                    asked.append((facts, isStated ? .statement(statement) : .source))
                }
            }
            var plans: [RecordPlan] = []
            let settled = try merger.gone(asked).filter { [.delete, .nothing].contains($0.decision.action) }
            for (record, plan) in zip(settled, try merger.plans(settled)) {
                guard var plan, !merger.holdsBack(plan, record.facts, isGone: true) else { continue }
                // It was lost when its source said so, and as it said.
                plan.write?.base?.lastRun = record.base?.lastRun
                if record.reach.isStatement, var known = record.facts.base {
                    known.endStatement()
                    plan.write?.base?.state = known.state
                    plan.write?.base?.missedScans = known.missedScans
                }
                plans.append(plan)
            }
            merger.report.addGoneKept(plans.count { $0.outcome == .keptLocal })
            try merger.carryOut(plans)
        }
    }

    /// Leaves the records whose deletion the source had stated to the sources that listed them in this run with something new.
    ///
    /// - Throws: `StoreError`.
    package mutating func leaveAnswered() throws {
        let answered = context.otherSources.answeredStatements
        if !answered.isEmpty { try carryOut(facts(of: answered).compactMap(planner.leaving)) }
    }

    /// Plans records that are gone, each nil where nothing becomes of it.
    private func plans(_ records: [GoneRecord]) throws -> [RecordPlan?] {
        var plans = [RecordPlan?](repeating: nil, count: records.count)
        let asks = records.map { $0.base != nil && $0.decision.action == .conflict }
        // A row about which one source asks already is asked about once, in however many ways its record is gone.
        let doubtful = records.indices.filter {
            asks[$0] && records[$0].reach != .owner && !records[$0].asksAlready
        }
        var askedAlready = [Bool](repeating: false, count: records.count)
        let elsewhere = try context.otherSources.askWhetherTheyGo(
            doubtful.map { (records[$0].key, records[$0].facts.others) })
        for (index, isAsked) in zip(doubtful, elsewhere) { askedAlready[index] = isAsked }
        let edited = records.indices.filter {
            asks[$0] && !askedAlready[$0] && (records[$0].below != .clean || !records[$0].elsewhere.isEmpty)
        }
        let within = Dictionary(
            uniqueKeysWithValues: zip(edited, try editsWithin(edited.map { records[$0] })))
        for (index, record) in records.enumerated() {
            if askedAlready[index] {
                plans[index] = planner.asked(record)
                continue
            }
            do throws(PolicyFailure) {
                plans[index] = try planner.plan(
                    record, within: within[index] ?? nil, isWanted: wants(record.key))
            } catch {
                throw error.described(schema)
            }
        }
        return plans
    }

    /// Lists a record that is gone and does nothing else.
    mutating func list(_ record: GoneRecord) {
        guard let base = record.base, record.isListed else { return }
        report.reportedGone += 1
        notify(record.key, planner.deleteChange(record, base, kind: .delete, .report))
    }

    /// Deletes the rows of records that are gone, or does what else was decided.
    mutating func apply(_ records: [GoneRecord], known evidence: Evidence) throws {
        var plans: [RecordPlan] = []
        var decided: [GoneRecord] = []
        for (record, plan) in zip(records, try self.plans(records)) {
            guard let plan else { continue }
            // What has no row any more and goes with its record is decided with that.
            let goesAlong = record.reach == .owner && record.facts.local == nil
            if !goesAlong && holdsBack(plan, record.facts, isGone: evidence == .absence) { continue }
            plans.append(plan)
            decided.append(record)
        }
        if evidence == .absence {
            // What goes with the record that it is within is told with that.
            forgottenDeletions.add(decided.filter { $0.reach != .owner })
            report.goneConflicts += plans.count { $0.outcome == .conflict }
            report.addGoneKept(plans.count { $0.outcome == .keptLocal })
        }
        try carryOut(plans)
    }

    /// Deletes the records that belong to some which were deleted, whoever gave them.
    mutating func deleteAll(under owners: [RecordKey]) throws {
        var keys = try context.table.liveKeys(under: owners)
        if !context.otherSources.isEmpty {
            let (rows, others) = try (
                context.table.rowKeys(under: owners), context.otherSources.children(under: owners)
            )
            keys = keys.indices.map { Set(keys[$0] + rows[$0] + others[$0].map(\.key)).sorted() }
        }
        try applyAll(keys.flatMap { $0 }) { merger, keys in
            try merger.apply(merger.goneRecords(keys, for: .owner), known: .absence)
        }
    }

    /// Does something for keys together; where writing a row may change others, for one after the other.
    mutating func applyAll(
        _ keys: [RecordKey], _ body: (inout StreamMerger, [RecordKey]) throws -> Void
    ) throws {
        if keys.isEmpty { return }
        if !context.table.changesOtherRows { return try body(&self, keys) }
        for key in keys { try body(&self, [key]) }
    }
}
