internal import SluiceMerge
package import SluiceModel
package import SluiceStore

/// Records some of whose unique values other rows have.
extension RecordPlanner {
    /// A write without some fields, whose base stays as it was so that they are tried again; nil for a delete, and for a new record
    /// of which a field is required.
    ///
    /// - Parameters:
    ///   - write: What was to be written.
    ///   - fields: The fields that are not.
    ///   - known: The record's base; nil where there is none.
    /// - Returns: What is written instead.
    package func reduced(_ write: RecordWrite, without fields: [Int], base known: BaseRow?) -> RecordWrite? {
        guard var base = write.base ?? known else { return nil }
        var row = write.row
        switch row {
        case .insert(var values):
            if fields.contains(where: { schema.fields[$0].isRequired }) { return nil }
            for field in fields {
                values[field] = .null
                base.entries[field] = .none
            }
            row = .insert(values)
        case .update(let all, let values):
            let kept = zip(all, values).filter { !fields.contains($0.0) }
            for field in fields { base.entries[field] = known?.entries[field] ?? .none }
            row = kept.isEmpty ? .none : .update(fields: kept.map(\.0), values: kept.map(\.1))
        case .none, .delete, .markDeleted, .set, .restore: return nil
        }
        base.isOpen = true
        base.rowHash = canonical.rowHash(of: base.entries)
        base.lastRun = known?.lastRun
        if known.map({ !canonical.saysTheSame($0, base) }) ?? true { base.lastRun = run }
        var reduced = RecordWrite(key: write.key, row: row, base: base == known ? nil : base)
        reduced.kind = write.kind
        reduced.page = write.page
        if case .update(let all, _) = write.row {
            reduced.classes = zip(all, write.classes).filter { !fields.contains($0.0) }.map(\.1)
        }
        return reduced
    }

    /// The plan for a record that was written without some fields: a conflict waits for each of them.
    ///
    /// - Parameters:
    ///   - tried: What was planned before.
    ///   - collision: What was written, and what was not.
    /// - Returns: What follows from what was written.
    package func held(_ tried: RecordPlan, _ collision: UniqueCollision) -> RecordPlan {
        let names = Set(collision.held.map { schema.fields[$0.field].name })
        var isInserted = false
        if case .insert = collision.write.row { isInserted = true }
        var plan = tried
        plan.outcome = .conflict
        plan.isTold = isInserted
        if case .update(let fields, _) = collision.write.row { plan.isTold = fields.count > collision.held.count }
        plan.conflicts = tried.conflicts.filter { !names.contains($0.rememberedField ?? "") }
        plan.conflicts += tried.collisions.filter { !names.contains($0.field ?? "") }.map { .close($0, as: .converged) }
        plan.collisions = []
        for held in collision.held {
            let entry = entry(for: held, of: tried, collision.write.values(schema), isInserted: isInserted)
            let known = tried.collisions.first { $0.field == entry.field } ?? tried.known(entry.field)
            plan.conflicts.append(.remember(entry, over: known))
        }
        plan.change = tried.change.map { change in told(collision, in: change, isInserted: isInserted) }
        (plan.kept, plan.answered, plan.withdrawn) = (nil, [], nil)
        return plan
    }

    /// The conflict over a field whose value another row has. No policy can tell which of two records is right.
    private func entry(
        for held: UniqueCollision.HeldField, of tried: RecordPlan, _ wanted: [FieldValue?], isInserted: Bool
    ) -> ConflictEntry {
        let field = held.field
        var entry = conflictEntry(
            FieldJSON.object(key: tried.key, schema: schema), field: field, kind: FieldClass.uniqueCollision.rawValue)
        entry.policy = ConflictPolicy.manual.rawValue
        let base = isInserted ? nil : tried.base?.entries[field]
        entry.base = base?.value.map { canonical.text($0, field: field) }
        entry.baseAbsence = canonical.absence(of: base, field: field)
        entry.local = canonical.text(isInserted ? .null : tried.local?[field] ?? .null, field: field)
        entry.remote = wanted[field].map { canonical.text($0, field: field) }
        entry.note = held.holder.map { "taken by \(FieldJSON.object(key: $0, schema: schema))" }
        return entry
    }

    /// What is told of a record that is written without some fields.
    private func told(_ collision: UniqueCollision, in change: RecordChange, isInserted: Bool) -> RecordChange {
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
