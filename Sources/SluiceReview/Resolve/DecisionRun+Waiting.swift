internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

extension DecisionRun {
    /// Notes in the decisions which of the references that they wrote lead to records that are not there.
    func noteWaiting(_ written: [Written]) throws {
        for record in written { try noteWaiting(record) }
    }

    private func noteWaiting(_ record: Written) throws {
        guard let table = try table(record.mapping), !table.schema.references.isEmpty else { return }
        let waiting = try table.records.waitingTargets(record.plan.key)
        if waiting.isEmpty { return }
        for index in record.positions where decisions[index].outcome == .resolved {
            let field = decisions[index].conflict.field
            decisions[index].waiting = table.schema.references.compactMap { reference in
                let fields = reference.fields.map { table.schema.fields[$0] }
                guard let keys = waiting[reference.name], field == nil || fields.contains(where: { $0.name == field })
                else { return nil }
                return WaitingReference(
                    target: reference.target, keys: keys.map(\.arrayJSON),
                    columns: reference.link == nil ? fields.map(\.column) : [])
            }
        }
    }
}
