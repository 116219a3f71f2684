internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

extension DecisionRun {
    /// Records in the decisions which of the references that they wrote lead to records that are not there.
    func recordWaiting(_ written: [Written]) throws {
        // A list as a whole refers to nothing; its elements do.
        let records = Dictionary(grouping: written.filter { $0.plan.write != nil }, by: \.mapping)
        for (mapping, records) in records.sorted(by: { $0.key < $1.key }) {
            guard let table = try table(mapping), !table.schema.references.isEmpty else { continue }
            let waiting = try table.records.waitingTargets(records.map(\.plan.key))
            let mayBeEmptied = table.schema.references.contains { $0.onDangling == .setNull }
            for (record, waiting) in zip(records, waiting) {
                let emptied = mayBeEmptied ? try table.records.emptiedTargets(record.plan.key) : [:]
                recordTargets(waiting, emptied, of: record, table)
            }
        }
    }

    private func recordTargets(
        _ waiting: [String: [RecordKey]], _ emptied: [String: [RecordKey]], of record: Written, _ table: ReviewTable
    ) {
        if waiting.isEmpty && emptied.isEmpty { return }
        for index in record.positions where decisions[index].outcome == .resolved {
            let field = decisions[index].conflict.field
            decisions[index].waiting = table.schema.references.compactMap { reference in
                let fields = reference.fields.map { table.schema.fields[$0] }
                guard let keys = waiting[reference.name] ?? emptied[reference.name],
                    field == nil || fields.contains(where: { $0.name == field })
                else { return nil }
                return WaitingReference(
                    target: reference.target, keys: keys.map(\.arrayJSON),
                    columns: reference.link == nil ? fields.map(\.column) : [],
                    isForGood: waiting[reference.name] == nil)
            }
        }
    }
}
