internal import SluiceMerge
internal import SluiceModel
internal import SluiceStore
internal import SluiceSystem

/// Records that the run inserted, as their base tells.
extension RunUndo {
    /// What becomes of a record that the run inserted.
    private enum Fate {
        /// It is left, and told so.
        case left(RecordChange)
        /// Its row goes with its base once those that belong to it have gone.
        case removedLater
        /// It goes, or nothing but its base.
        case written(RecordWrite, RecordChange?)
    }

    func undoInserts() throws {
        for mapping in try mappingsFromBelow() {
            guard let table = try table(mapping) else { continue }
            var last: RecordKey?
            while true {
                try cancellation.check()
                let keys = try table.records.keys(firstWrittenBy: target.id, after: last, limit: Self.chunk)
                guard let newest = keys.last else { break }
                last = newest
                // A row that goes may take others with it.
                let size = table.records.changesOtherRows ? 1 : keys.count
                for start in stride(from: 0, to: keys.count, by: size) {
                    let some = Array(keys[start..<min(start + size, keys.count)])
                    try undoInserts(some, mapping, table)
                    tell(more: some.count, of: mapping)
                }
            }
        }
    }

    private func undoInserts(_ all: [RecordKey], _ mapping: RecordMapping, _ table: Table) throws {
        var names: [Name] = []
        var keys: [RecordKey] = []
        for key in all {
            let name = Name(mapping: mapping, key: FieldJSON.object(key: key, schema: table.schema))
            if leftRecords.contains(name) || adopted.contains(name) || isWaiting(name) { continue }
            names.append(name)
            keys.append(key)
        }
        let fates = try fates(of: keys, mapping, table)
        let writes = fates.indices.filter { if case .written? = fates[$0] { true } else { false } }
        let waiting = try table.records.write(
            writes.compactMap { if case .written(let write, _)? = fates[$0] { write } else { nil } })
        var refused = Set(waiting.map { writes[$0] })
        for (index, fate) in fates.enumerated() {
            switch fate {
            case .left(let change): leave(names[index], change, table)
            case .removedLater:
                removals.append(Removal(name: names[index], key: keys[index], kept: .remove, base: nil))
            case .written(_, let change):
                conclude(change, isWritten: refused.remove(index) == nil, names[index], table)
            case nil: break
            }
        }
    }

    /// What becomes of records; nil where nothing does.
    private func fates(of keys: [RecordKey], _ mapping: RecordMapping, _ table: Table) throws -> [Fate?] {
        let bases = try table.records.baseImages(keys)
        let rows = try table.records.wholeRows(keys)
        let isHeld = try areHeldSince(keys, table)
        let hasBelow = try haveRowsBelow(keys, mapping)
        return keys.indices.map { index in
            guard let base = bases[index] else { return nil }
            let key = keys[index]
            let isUntouched = base.lastRun == target.id && base.state == .live && !base.isOpen
            var write = RecordWrite(key: key, row: .none, base: nil)
            write.keptBase = .remove
            guard let row = rows[index] else {
                // It was deleted since: where that was by hand, nothing of it is left but its base.
                return isUntouched ? .written(write, nil) : nil
            }
            guard isUntouched, !isEdited(row, base, table) else {
                var told = edited(row, table.entries(of: base), table)
                if base.lastRun != target.id {
                    // What the base says since a later run, this one did not write.
                    for field in told.indices { told[field].base = nil }
                }
                return .left(RecordChange(action: .conflict, kind: .editDelete, key: key, fields: told))
            }
            if isHeld[index] {
                return .left(RecordChange(action: .conflict, kind: .heldElsewhere, key: key, fields: []))
            }
            if hasBelow[index] { return .removedLater }
            write.row = .delete
            return .written(write, deletion(of: key, row, table))
        }
    }
}
