internal import SluiceMerge
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceStore

/// Records of which other sources of the table speak as well.
extension RunUndo {
    /// Whether another source came to have a record after the run, so that its row is not that run's alone.
    func isHeldSince(_ key: RecordKey, _ table: Table) throws -> Bool { try areHeldSince([key], table)[0] }

    /// Whether another source came to have each of some records.
    func areHeldSince(_ keys: [RecordKey], _ table: Table) throws -> [Bool] {
        if table.siblings.isEmpty { return keys.map { _ in false } }
        return try table.siblings.records(keys).map { others in
            others.contains { $0.isLive && $0.base.lastRun ?? 0 > target.id }
        }
    }

    /// Leaves the row of such a record.
    func leaveHeld(_ key: RecordKey, _ name: Name, _ table: Table) {
        leave(name, RecordChange(action: .conflict, kind: .heldElsewhere, key: key, fields: []), table)
    }
}
