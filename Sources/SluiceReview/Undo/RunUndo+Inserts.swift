internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceStore
internal import SluiceSystem

/// Records that the run inserted, as their base tells.
extension RunUndo {
    func undoInserts() throws {
        for mapping in try mappingsFromBelow() {
            guard let table = try table(mapping) else { continue }
            try forEachChunk(insertedIn: table) { keys in
                changedStreams.insert(mapping.stream)
                // A row that goes may take others with it.
                let size = table.records.changesOtherRows ? 1 : keys.count
                for start in stride(from: 0, to: keys.count, by: size) {
                    let some = Array(keys[start..<min(start + size, keys.count)])
                    try undoInserts(some, mapping, table)
                    report(more: some.count, of: mapping)
                }
            }
        }
    }

    /// Reads the keys of what the run inserted into a table, as its bases tell.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - body: Is given some keys at once.
    /// - Throws: What the store and the body throw, and `CancelledError`.
    func forEachChunk(insertedIn table: ReviewTable, _ body: ([RecordKey]) throws -> Void) throws {
        var last: RecordKey?
        while true {
            try cancellation.check()
            let keys = try table.records.keys(firstWrittenBy: target.id, after: last, limit: Self.chunk)
            guard let newest = keys.last else { return }
            last = newest
            try body(keys)
        }
    }

    private func undoInserts(_ all: [RecordKey], _ mapping: RecordMapping, _ table: ReviewTable) throws {
        var names: [Name] = []
        var keys: [RecordKey] = []
        for key in all {
            let name = Name(mapping: mapping, key: FieldJSON.object(key: key, schema: table.schema))
            if leftRecords.contains(name) || adopted.contains(name) || isWaiting(name) { continue }
            if try isInLeftList(key, mapping) { continue }
            names.append(name)
            keys.append(key)
        }
        let planner = planner(of: table)
        let bases = try table.records.baseImages(keys)
        let rows = try table.records.wholeRows(keys)
        let areHeld = try areHeldSince(keys, table)
        let areEdited = try areEditedElsewhere(keys, table)
        var planned: [(plan: UndoPlan, name: Name)] = []
        for index in keys.indices {
            guard let base = bases[index],
                let plan = planner.plan(
                    insert: keys[index], base, row: rows[index], by: target.id, isHeldSince: areHeld[index],
                    isEditedElsewhere: areEdited[index])
            else { continue }
            planned.append((plan, names[index]))
        }
        try carryOut(planned.map(\.plan), planned.map(\.name), table)
    }
}
