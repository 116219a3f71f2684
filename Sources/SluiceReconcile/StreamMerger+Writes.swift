internal import SluiceMerge
package import SluiceModel
package import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// How writes end: at once, or at the end of the run where unique values had to wait.
extension StreamMerger {
    /// Inserts the new records of a batch.
    package mutating func insert(_ batch: borrowing RecordBatch) throws {
        let waiting = try writer.insert(inserts, of: batch)
        if !context.table.mayRefuse {
            // They were told already, in the order of the source.
            if !waiting.isEmpty {
                throw StoreError(.rejected, "The table `\(schema.table)` refused a record for an unknown reason.")
            }
            for record in inserts { count(.insert, of: batch.keyHashes[record]) }
            try writer.startOver(renewed.map { ($0.key, $0.value) })
            return
        }
        for record in inserts {
            let key = batch.key(of: record, schema: schema)
            notices?.record = record
            if renewed.isEmpty, !waiting.contains(record), !wants(key) {
                // Nothing follows from it.
                count(.insert, of: batch.keyHashes[record])
                report(nil)
                continue
            }
            var plan = RecordPlan(key: key, ordinal: batch.origins[record].ordinal)
            plan.outcome = .insert
            plan.isTold = true
            plan.startsOver = true
            plan.others = renewed[plan.key] ?? []
            if wants(plan.key) { plan.change = planner.insertChange(record, of: batch, kind: .insert) }
            let isWaiting = waiting.contains(record)
            let told = try settle([plan], waiting: isWaiting ? [0] : [])[0]
            conclude(plan, isWritten: !isWaiting, telling: told)
        }
    }

    /// Counts and tells records whose plans were carried out, or keeps the plans until it shows how their writes end.
    ///
    /// - Parameters:
    ///   - plans: The plans of different records.
    ///   - waiting: The positions of those that the table does not take yet.
    /// - Throws: `StoreError`.
    package mutating func conclude(_ plans: [RecordPlan], waiting: Set<Int>) throws {
        for (index, notices) in try settle(plans, waiting: waiting).enumerated() {
            conclude(plans[index], isWritten: !waiting.contains(index), telling: notices)
        }
    }

    /// Writes what follows from the plans that were carried out.
    ///
    /// - Returns: What is told of the conflicts of each plan.
    /// - Throws: `StoreError`.
    mutating func settle(_ plans: [RecordPlan], waiting: Set<Int>) throws -> [[ConflictWriter.Notice]] {
        for plan in plans where plan.mayHaveMoved {
            context.otherSources.recordMoves(plan.key, plan.others, run: context.run)
        }
        let taken = plans.indices.filter { plans[$0].rejection == nil && !waiting.contains($0) }
        if taken.count == plans.count { return try settleTaken(plans) }
        var notices = [[ConflictWriter.Notice]](repeating: [], count: plans.count)
        for (index, told) in zip(taken, try settleTaken(taken.map { plans[$0] })) { notices[index] = told }
        return notices
    }

    /// Writes what follows from plans that were carried out, also for what others list of that which belongs to their records.
    private func settleTaken(_ plans: [RecordPlan]) throws -> [[ConflictWriter.Notice]] {
        let notices = try writer.settle(plans)
        if context.children.isEmpty { return notices }
        var writes = OtherSourceWrites()
        for plan in plans where plan.startsOver {
            try context.children.startOver(
                under: plan.key, plan.others, of: context.otherSources, run: context.run, &writes)
        }
        try context.otherSources.write(writes)
        return notices
    }

    /// Counts and tells a record whose plan was carried out, or keeps the plan until it shows how its write ends.
    mutating func conclude(_ plan: RecordPlan, isWritten: Bool, telling notices: [ConflictWriter.Notice]) {
        if plan.isStated { countStated(plan) }
        if plan.isLateChange { recordChange(of: plan.key) }
        guard isWritten else { return writer.postpone(plan) }
        if let rejection = plan.rejection {
            if let ordinal = plan.ordinal { passedOver.insert(ordinal) }
            return refuse(plan, rejection.reason, rejection.message(schema))
        }
        report(plan, notices)
    }

    /// Counts and tells a record that is written with all that follows from that.
    private mutating func report(_ plan: RecordPlan, _ notices: [ConflictWriter.Notice]) {
        if plan.isGainsaid { recordGainsaid(plan.key) }
        accept(notices)
        var change = plan.change
        if plan.isTold, isWrittenBefore(KeyHash.hash(plan.key), isUpdate: plan.outcome == .update) {
            change?.isAgain = true
        }
        count(plan)
        let hasNews = notices.contains(where: \.isNews)
        if plan.isTold || hasNews { report(change) }
        if let kept = plan.kept, !hasNews { notifyKept(kept) }
        if !context.children.isEmpty && !plan.conflicts.isEmpty { noteEnded(plan) }
        switch plan.below {
        case .go: if !context.children.isEmpty { deleted.append(plan.key) }
        case .pass: passOn(plan)
        case .leave: if !context.children.isEmpty { abandoned.append(plan.key) }
        case .startOver: if !context.children.isEmpty { back.updateValue(plan.ordinal, forKey: plan.key) }
        // What is stated to be deleted may come with its lists all the same.
        case .stay: if !context.children.isEmpty && !plan.isStated && plan.asksWhetherItGoes { asked.append(plan.key) }
        }
    }

    /// Notes a record whose row is left to the sources that still have it.
    private mutating func passOn(_ plan: RecordPlan) {
        report.heldElsewhere += 1
        context.otherSources.recordLoss(plan.key, plan.others)
        holders.formUnion(context.otherSources.others.holders(of: plan.others))
        if heldKeys.count < RunProblem.listedKeys { heldKeys.append(plan.key) }
        if !context.children.isEmpty { abandoned.append(plan.key) }
    }

    private mutating func count(_ plan: RecordPlan) {
        let hash = KeyHash.hash(plan.key)
        switch plan.outcome {
        case .none: break
        case .unchanged: count(.unchanged, of: hash)
        case .keptLocal: count(.keptLocal, of: hash)
        case .delete:
            report.summary.delete += 1
            if counted != nil { outcomes[hash] = .delete }
        case .insert: count(.insert, of: hash)
        case .update: count(.update, of: hash)
        case .conflict: count(plan.isTold ? .conflictWritten : .conflict, of: hash)
        }
    }

    /// Counts a record whose source states that it is deleted. A delete counts once; where nothing follows from the
    /// statement, the record is unchanged.
    private mutating func countStated(_ plan: RecordPlan) {
        switch plan.outcome {
        case .delete: countStatedDelete(of: KeyHash.hash(plan.key))
        case .none: count(.unchanged, of: KeyHash.hash(plan.key))
        case .unchanged, .insert, .update, .keptLocal, .conflict: break
        }
    }

    /// Quarantines a record that the table refuses; a row that it does not let go stays.
    private mutating func refuse(_ tried: RecordPlan, _ refusal: TableRefusal) {
        if context.table.isBound, refusal.dependsOnOthers || tried.ordinal == nil {
            context.otherSources.recordRefused(tried.key, of: schema.source)
        }
        guard tried.ordinal != nil else {
            // What was not read is written by a later run, once it can be.
            if [.none, .update, .conflict].contains(tried.outcome) { return }
            report.summary.deleteRefused += 1
            let words = refusal.words(schema, goingBefore: context.children.map { $0.table.schema.table })
            refusedDeletes.append("\(FieldJSON.object(key: tried.key, schema: schema)). \(words)")
            return
        }
        refuse(
            tried, .constraint,
            "\(refusal.words(schema)) \(refusal.remedy(schema, from: context.origins)) Every run tries again."
        )
    }

    private mutating func refuse(_ tried: RecordPlan, _ reason: Mismatch.Reason, _ message: String) {
        count(.quarantined, of: KeyHash.hash(tried.key))
        refusals.append(
            Refusal(key: tried.key, reason: reason, message: message, ordinals: [tried.ordinal].compactMap { $0 }))
    }

    /// Settles what had to wait.
    package mutating func finish() throws {
        let planner = planner
        let settled = try writer.finish { planner.reduced($0, without: $1, base: $2) }
        contested.formUnion(settled.contested)
        let plans = settled.plans.map { ending(of: $0.plan, $0.ending) }
        var told = try writer.settle(plans.compactMap { $0 })[...]
        for (index, (tried, ending)) in settled.plans.enumerated() {
            if let plan = plans[index] {
                report(plan, told.popFirst() ?? [])
            } else {
                refuse(tried, ending)
            }
        }
    }

    /// The plan for a record that had to wait, as far as it was written; nil where nothing of it was.
    private mutating func ending(of tried: RecordPlan, _ ending: PlanWriter.Ending) -> RecordPlan? {
        switch ending {
        case .written: return tried
        case .refused:
            context.gate?.record(lacking: [], of: tried.key, schema)
            return nil
        case .collided(let collision):
            let held = collision.isWritten ? collision.held.map { schema.fields[$0.field].name } : []
            context.gate?.record(lacking: held, of: tried.key, schema)
            context.otherSources.recordCollision(of: schema.source, in: schema.table)
            return collision.isWritten ? planner.held(tried, collision) : nil
        }
    }

    /// Quarantines a record of which nothing could be written.
    private mutating func refuse(_ tried: RecordPlan, _ ending: PlanWriter.Ending) {
        switch ending {
        case .written: break
        case .refused(let refusal): refuse(tried, refusal)
        case .collided where tried.ordinal == nil: break
        case .collided(let collision):
            refuse(
                tried, .uniqueCollision,
                "\(collision.sentence(schema)) The record cannot be written without them; every run tries it again.")
        }
    }
}
