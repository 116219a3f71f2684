internal import SluiceModel
internal import SluiceStore

/// Conflicts that people end in the table, by writing there what the source says.
extension RecordPlanner {
    /// Plans a record that its source did not show again, as far as its row holds what the source said in open conflicts.
    ///
    /// - Parameter facts: What the store holds of it.
    /// - Returns: The plan; nil where each conflict is still to be decided.
    package func met(_ facts: RecordFacts) -> RecordPlan? {
        guard schema.writeMode == .merge, var base = facts.base, base.isOpen, base.state.isLive, let local = facts.local
        else { return nil }
        let met = facts.conflicts.filter { isMet($0, facts.awaited, local) }
        if met.isEmpty { return nil }
        let names = Set(met.map(\.field))
        base.entries = canonical.entries(
            listedIn: facts.awaited.filter { names.contains($0.field) }, over: base.entries)
        base.isOpen = met.count < facts.conflicts.count
        var plan = RecordPlan(writing: baseWrite(facts.key, base))
        plan.conflicts = met.map { .close($0, as: .converged) }
        return plan
    }

    /// Whether a row holds what the source says in a conflict over one field, between the two of them alone.
    private func isMet(_ conflict: ConflictEntry, _ awaited: [AwaitedRemote], _ local: [FieldValue]) -> Bool {
        guard !conflict.isUniqueCollision, conflict.otherSource == nil,
            let field = schema.fields.firstIndex(where: { $0.name == conflict.field }),
            schema.fields[field].redaction == nil,
            let said = awaited.first(where: { $0.field == conflict.field })?.values[field]
        else { return false }
        return canonical.same(schema.stored(said, field: field), local[field], field: field)
    }
}
