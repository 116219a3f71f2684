internal import SluiceMerge
internal import SluiceModel
internal import SluiceStore
internal import SluiceSystem

/// Records that the run inserted, as their base tells.
extension RunUndo {
    func undoInserts() throws {
        for mapping in try mappingsFromBelow() {
            guard let table = try table(mapping) else { continue }
            var last: RecordKey?
            while true {
                try cancellation.check()
                let keys = try table.records.keys(firstWrittenBy: target.id, after: last, limit: Self.chunk)
                guard let newest = keys.last else { break }
                last = newest
                for key in keys {
                    let name = Name(mapping: mapping, key: FieldJSON.object(key: key, schema: table.schema))
                    if leftRecords.contains(name) || adopted.contains(name) || isWaiting(name) { continue }
                    try undoInsert(key, name, table)
                }
            }
        }
    }

    private func undoInsert(_ key: RecordKey, _ name: Name, _ table: Table) throws {
        guard let base = try table.records.baseImage(key) else { return }
        let isUntouched = base.lastRun == target.id && base.state == .live && !base.isOpen
        guard let row = try table.records.wholeRow(key) else {
            // It was deleted since: where that was by hand, nothing of it is left but its base.
            var removal = RecordWrite(key: key, row: .none, base: nil)
            removal.keptBase = .remove
            if isUntouched { try write(removal, nil, name, table) }
            return
        }
        guard isUntouched, !isEdited(row, base, table) else {
            let told = edited(row, table.entries(of: base), table)
            return leave(
                name, RecordChange(action: .conflict, kind: .editDelete, key: key, fields: told), table)
        }
        if try isHeldSince(key, table) { return leaveHeld(key, name, table) }
        try removeInsert(key, name, table)
    }
}
