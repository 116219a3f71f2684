internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// Conflicts of several sources about the same: the decision about one answers the others.
extension DecisionRun {
    /// Notes which fields a record's decisions have settled.
    func noteSettled(_ positions: [Int], _ key: String, _ schema: RecordSchema) {
        for index in positions where decisions[index].outcome == .resolved {
            settled.add(decisions[index].conflict, decisions[index].resolution, key, schema)
        }
    }

    /// A decision settles a field, or whether a deleted row comes back: where other sources ask about it as well, what was decided
    /// stands against what they say.
    func answerOthers(_ record: Written, _ table: ReviewTable) throws {
        if table.otherSources.isEmpty { return }
        for index in record.positions where decisions[index].outcome == .resolved {
            let conflict = decisions[index].conflict
            if conflict.isOfList { continue }
            let field = table.schema.fields.firstIndex { $0.name == conflict.field }
            if field == nil && (conflict.kind != RowKind.deleteEdit.rawValue || decisions[index].resolution == .local) {
                continue
            }
            let answered = try table.otherSources.settle(
                record.plan.key, field: field, besides: decidedByThemselves, run: entry.id)
            let closed = answered.map { resolved($0, as: .local) }
            _ = try table.writer.conflicts.apply([ConflictWriter.Changes(closed.map { .revise($0) })])
            decisions[index].answers = answered.compactMap(\.id)
            for entry in closed {
                for place in decisions.indices where decisions[place].conflict.id == entry.id {
                    decisions[place].conflict = entry
                }
            }
        }
    }

    /// The numbers of the conflicts that are not decided with others.
    private var decidedByThemselves: Set<Int64> {
        Set(
            decisions.compactMap { decision in
                if case .answered = decision.outcome { nil } else { decision.conflict.id }
            })
    }

    /// Refuses what was to be decided with something that could not be.
    func refuseAnswers() {
        let done = settled.done.union(decisions.filter { $0.outcome == .resolved }.compactMap(\.conflict.id))
        for index in decisions.indices {
            guard case .answered(let other) = decisions[index].outcome, !done.contains(other),
                settled.answered[decisions[index].conflict.id ?? 0] == nil
            else { continue }
            decisions[index].outcome = .refused(
                "Conflict \(other) is about the same, and was not decided. Look at that first.")
        }
    }

    /// Records in an order in which of those with one row the source that goes first does: its decision is the one about the row.
    func inOrderOfSources(_ names: [Name]) throws -> [Name] {
        var rows: [String: [Int]] = [:]
        for (place, name) in names.enumerated() {
            let table = try table(name.mapping)?.schema.table.lowercased() ?? ""
            rows[table + "\u{0}" + name.key, default: []].append(place)
        }
        var sorted = names
        for places in rows.values where places.count > 1 {
            var some: [Name] = []
            for name in places.map({ names[$0] }) {
                let others = try table(name.mapping)?.otherSources
                let place = some.firstIndex { others?.wentBefore($0.mapping) ?? false }
                some.insert(name, at: place ?? some.count)
            }
            for (place, name) in zip(places, some) { sorted[place] = name }
        }
        return sorted
    }
}
