internal import SluiceMerge
package import SluiceModel
internal import SluiceReport
package import SluiceStore

/// How writes end: at once, or at the end of the run where unique values had to wait.
extension StreamMerger {
    /// Inserts the new records of a batch.
    package mutating func insert(_ batch: borrowing RecordBatch) throws {
        let waiting = try context.table.insert(batch, records: inserts, run: context.run)
        if !context.table.mayRefuse {
            // They were told already, in the order of the source.
            if !waiting.isEmpty {
                throw StoreError(.rejected, "The table `\(schema.table)` refused a record for an unknown reason.")
            }
            for record in inserts { count(\.insert, of: batch.keyHashes[record]) }
            for (key, others) in renewed { try context.siblings.startOver(key, others, run: context.run) }
            return
        }
        for record in inserts {
            var plan = RecordPlan(
                key: batch.key(of: record, schema: schema), ordinal: batch.origins[record].ordinal)
            plan.outcome = .insert
            plan.isTold = true
            plan.startsOver = true
            plan.others = renewed[plan.key] ?? []
            if wants(plan.key) { plan.change = planner.insertChange(record, of: batch, kind: .insert) }
            notices?.record = record
            try conclude(plan, isWritten: !waiting.contains(record))
        }
    }

    /// Counts and tells a record whose plan was carried out, or keeps the plan until it shows how its write ends.
    package mutating func conclude(_ plan: RecordPlan, isWritten: Bool) throws {
        if plan.mayHaveMoved { context.siblings.noteMoves(plan.key, plan.others, run: context.run) }
        if plan.isStated { countStated(plan) }
        if plan.isLateChange { noteChange(of: plan.key) }
        guard isWritten else {
            waiting.append(plan)
            waiting[waiting.count - 1].isRepeated = isRepeating
            waitingKeys.insert(plan.key)
            return
        }
        if let rejection = plan.rejection {
            if let ordinal = plan.ordinal { passedOver.insert(ordinal) }
            return refuse(plan, rejection.reason, rejection.message)
        }
        try settle(plan)
    }

    /// Does what follows from a record's being written.
    private mutating func settle(_ plan: RecordPlan) throws {
        if let withdrawn = plan.withdrawn { try withdraw(plan.key, withdrawn.others, as: withdrawn.state) }
        for entry in try context.siblings.answer(plan.key, plan.answered) { try close(entry, as: .obsolete) }
        if plan.isGainsaid { noteGainsaid(plan.key) }
        let news = report.newConflicts
        try apply(plan.conflicts)
        for collision in plan.collisions { try close(collision, as: .converged) }
        if plan.startsOver { try context.siblings.startOver(plan.key, plan.others, run: context.run) }
        count(plan)
        let hasNews = report.newConflicts > news
        if plan.isTold || hasNews { tell(plan.change) }
        if let kept = plan.kept, !hasNews { notifyKept(kept) }
        switch plan.below {
        case .go: if !context.children.isEmpty { deleted.append(plan.key) }
        case .pass: try passOn(plan)
        case .stay, .startOver: break
        }
    }

    /// Leaves a row to the sources that still have its record.
    private mutating func passOn(_ plan: RecordPlan) throws {
        report.heldElsewhere += 1
        if heldKeys.count < RunProblem.listedKeys { heldKeys.append(plan.key) }
        if !context.children.isEmpty { abandoned.append(plan.key) }
        if let values = plan.abandoned {
            try context.siblings.takeOver(plan.key, plan.others, abandoned: values)
        }
    }

    private mutating func count(_ plan: RecordPlan) {
        let hash = KeyHash.hash(plan.key)
        switch plan.outcome {
        case .none: break
        case .unchanged: report.summary.unchanged += 1
        case .keptLocal: report.summary.keptLocal += 1
        case .delete: report.summary.delete += 1
        case .insert: count(\.insert, of: hash)
        case .update: count(\.update, of: hash)
        case .conflict:
            countConflict(plan.key)
            if plan.isTold { count(\.conflictWritten, of: hash) }
        }
    }

    /// Counts a record of whose row something was written, once in a run.
    private mutating func count(_ outcome: WritableKeyPath<RunSummary, Int>, of hash: UInt64) {
        if let written = context.written, !written.note(hash, of: schema.source), isAgain {
            report.rewritten += 1
        } else {
            report.summary[keyPath: outcome] += 1
        }
    }

    /// Counts a record whose source states that it is deleted. A delete counts once; where nothing follows from the
    /// statement, the record is unchanged.
    private mutating func countStated(_ plan: RecordPlan) {
        switch plan.outcome {
        case .delete: report.statedDeletes += 1
        case .none: report.summary.unchanged += 1
        case .unchanged, .insert, .update, .keptLocal, .conflict: break
        }
    }

    /// Counts a record that has an open conflict. A row about which several sources disagree is one row.
    mutating func countConflict(_ key: RecordKey) {
        report.summary.conflict += 1
        if !context.siblings.isEmpty {
            report.conflictRows.insert(ConflictRow(table: schema.table, key: KeyHash.hash(key)))
        }
    }

    /// Quarantines a record that the table refuses; a row that it does not let go stays.
    private mutating func refuse(_ tried: RecordPlan, _ refusal: TableRefusal) {
        guard tried.ordinal != nil else {
            report.summary.deleteRefused += 1
            refusedDeletes.append(
                "\(FieldJSON.object(key: tried.key, schema: schema)). \(refusal.words(table: schema.table))")
            return
        }
        refuse(
            tried, .constraint,
            "\(refusal.words(table: schema.table)) \(refusal.remedy) Every run tries again."
        )
    }

    private mutating func refuse(_ tried: RecordPlan, _ reason: Mismatch.Reason, _ message: String) {
        report.quarantined += 1
        report.summary.quarantined += 1
        refusals.append(
            Refusal(key: tried.key, reason: reason, message: message, ordinals: [tried.ordinal].compactMap { $0 }))
    }

    /// Settles what had to wait.
    package mutating func finish() throws {
        let outcome = try context.table.finish(run: context.run) { write, fields in try reduced(write, fields) }
        contested = outcome.contested
        var collisions: [RecordKey: UniqueCollision] = [:]
        for collision in outcome.collisions { collisions[collision.write.key] = collision }
        waitingKeys.removeAll()
        let tries = waiting
        waiting.removeAll()
        for tried in tries {
            if tried.isRepeated {
                try uncounted { try $0.settle(tried, outcome.refused[tried.key], collisions[tried.key]) }
            } else {
                try settle(tried, outcome.refused[tried.key], collisions[tried.key])
            }
        }
    }

    private mutating func settle(_ tried: RecordPlan, _ refusal: TableRefusal?, _ collision: UniqueCollision?) throws {
        if refusal != nil || collision != nil {
            let held = collision?.isWritten == true ? collision?.held.map { schema.fields[$0.field].name } : nil
            context.gate?.note(lacking: held ?? [], of: tried.key, schema)
        }
        if let refusal { return refuse(tried, refusal) }
        guard let collision else { return try settle(tried) }
        context.siblings.noteCollision(of: schema.source, in: schema.table)
        if collision.isWritten { return try hold(tried, collision) }
        refuse(
            tried, .uniqueCollision,
            "\(collision.sentence(schema)) The record cannot be written without them; every run tries it again.")
    }

    // MARK: Unique values

    /// A write without some fields, whose base stays as it was so that they are tried again; nil for a delete.
    private func reduced(_ write: RecordWrite, _ fields: [Int]) throws -> RecordWrite? {
        let old = try context.table.baseRow(write.key)
        guard var base = write.base ?? old else { return nil }
        var row = write.row
        switch row {
        case .insert(var values):
            for field in fields {
                values[field] = .null
                base.entries[field] = .none
            }
            row = .insert(values)
        case .update(let all, let values):
            let kept = zip(all, values).filter { !fields.contains($0.0) }
            for field in fields { base.entries[field] = old?.entries[field] ?? .none }
            row = kept.isEmpty ? .none : .update(fields: kept.map(\.0), values: kept.map(\.1))
        case .none, .delete, .markDeleted, .set, .restore: return nil
        }
        base.isOpen = true
        base.rowHash = canonical.rowHash(of: base.entries)
        base.lastRun = old?.lastRun
        if old.map({ !canonical.saysTheSame($0, base) }) ?? true { base.lastRun = context.run }
        var reduced = RecordWrite(key: write.key, row: row, base: base == old ? nil : base)
        reduced.kind = write.kind
        reduced.page = write.page
        if case .update(let all, _) = write.row {
            reduced.classes = zip(all, write.classes).filter { !fields.contains($0.0) }.map(\.1)
        }
        return reduced
    }

    /// Opens a conflict for each field whose value is taken; the rest of the record is written.
    private mutating func hold(_ tried: RecordPlan, _ collision: UniqueCollision) throws {
        let news = report.newConflicts
        let names = Set(collision.held.map { schema.fields[$0.field].name })
        try apply(tried.conflicts.filter { !names.contains($0.rememberedField ?? "") })
        for known in tried.collisions where !names.contains(known.field ?? "") { try close(known, as: .converged) }
        if tried.startsOver { try context.siblings.startOver(tried.key, tried.others, run: context.run) }
        let keyText = FieldJSON.object(key: tried.key, schema: schema)
        let wanted = collision.write.values(schema)
        var isInserted = false
        if case .insert = collision.write.row { isInserted = true }
        for held in collision.held {
            let field = held.field
            var entry = planner.conflictEntry(keyText, field: field, kind: FieldClass.uniqueCollision.rawValue)
            // No policy can tell which of two records is right.
            entry.policy = ConflictPolicy.manual.rawValue
            let base = isInserted ? nil : tried.base?.entries[field]
            entry.base = base?.value.map { canonical.text($0, field: field) }
            entry.baseAbsence = canonical.absence(of: base, field: field)
            entry.local = canonical.text(isInserted ? .null : tried.local?[field] ?? .null, field: field)
            entry.remote = wanted[field].map { canonical.text($0, field: field) }
            entry.note = held.holder.map { "taken by \(FieldJSON.object(key: $0, schema: schema))" }
            let known = tried.collisions.first { $0.field == entry.field } ?? tried.known(entry.field)
            try remember(entry, over: known)
        }
        countConflict(tried.key)
        var isWritten = isInserted
        if case .update(let fields, _) = collision.write.row { isWritten = fields.count > collision.held.count }
        if isWritten { count(\.conflictWritten, of: KeyHash.hash(tried.key)) }
        guard isWritten || report.newConflicts > news else { return }
        tell(tried.change.map { change in held(collision, in: change, isInserted: isInserted) })
    }

    /// What is told of a record that is written without some fields.
    private func held(_ collision: UniqueCollision, in change: RecordChange, isInserted: Bool) -> RecordChange {
        var change = change
        change.action = .conflict
        let held = Set(collision.held.map(\.field))
        for index in change.fields.indices where held.contains(change.fields[index].index) {
            change.fields[index].fieldClass = .uniqueCollision
            change.fields[index].policy = nil
            change.fields[index].result = isInserted ? .null : change.fields[index].local
            if isInserted { change.fields[index].baseAbsence = .never }
        }
        return change
    }
}

extension RecordWrite {
    /// One value per field of the schema, nil where nothing is written.
    package func values(_ schema: RecordSchema) -> [FieldValue?] {
        var all = [FieldValue?](repeating: nil, count: schema.fields.count)
        switch row {
        case .insert(let values): for (index, value) in values.enumerated() { all[index] = value }
        case .update(let fields, let values): for (index, value) in zip(fields, values) { all[index] = value }
        case .none, .delete, .markDeleted, .set, .restore: break
        }
        return all
    }
}
