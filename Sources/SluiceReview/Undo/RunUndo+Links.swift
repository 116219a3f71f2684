internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// References that had waited and that the run linked, those that it took away, and those that it overwrote while they
/// were null for good.
extension RunUndo {
    /// Has references that the run took away lead to their records again, as references are settled.
    func linkAgain(_ change: RecordedChange) throws {
        mayLinkAgain = true
        guard let table = try table(change.mapping), let key = json.key(change.key, schema: table.schema) else {
            return
        }
        // The row that waits to be written is one of which the run took them away later.
        table.writer.revise(key) { plan in
            plan.emptied.removeAll { column in change.columns.contains { $0.name == column.name } }
        }
        try store.linkAgain(change, of: key)
    }

    /// The references that were null for good before a change, but for those that an undone run had emptied.
    func emptied(_ change: RecordedChange) throws -> [RecordedChange.Column] {
        if change.emptied.isEmpty { return [] }
        let earlier = try store.changes.records(change.mapping, key: change.key).filter { $0.id < change.id }
        return try change.emptied.filter { column in
            func isAbout(_ change: RecordedChange) -> Bool { change.columns.contains { $0.name == column.name } }
            guard let last = earlier.last(where: { $0.isUnlink && isAbout($0) }) else { return true }
            // A run that wrote what it emptied had nothing to give back. Of a row that came its columns are not told.
            let wasWritten = earlier.contains {
                $0.run == last.run && !$0.isOfLinks && ($0.action == .insert || isAbout($0))
            }
            return try wasWritten || store.runs.entry(id: last.run)?.undoneBy == nil
        }
    }

    /// Has them wait once more. What the row refers to since stays.
    func revertLink(_ change: RecordedChange) throws {
        let name = Name(mapping: change.mapping, key: change.key)
        guard let table = try table(change.mapping), let key = json.key(change.key, schema: table.schema) else {
            return
        }
        func field(_ column: String, _ body: (inout RecordChange.Field) -> Void) -> RecordChange.Field? {
            guard let index = table.schema.fields.firstIndex(where: { $0.name == column }) else { return nil }
            var field = RecordChange.Field(
                index: index, fieldClass: .remoteUpdate, base: nil, local: nil, remote: nil, result: nil)
            body(&field)
            return field
        }
        switch try store.revert(change, of: key) {
        case .gone: break
        case .back(let columns):
            recordWritten()
            let fields = columns.compactMap { column in
                field(column.name) {
                    ($0.base, $0.local, $0.remote, $0.result) = (column.old, column.old, .null, .null)
                }
            }
            unlinked.append((RecordChange(action: .update, kind: .update, key: key, fields: fields), name, table))
        case .edited(let now):
            let fields = zip(change.columns, now).compactMap { column, value in
                field(column.name) {
                    ($0.fieldClass, $0.base, $0.local, $0.remote, $0.result) = (
                        .localOverride, column.new, value, .null, value
                    )
                }
            }
            unlinked.append((RecordChange(action: .conflict, kind: .merge, key: key, fields: fields), name, table))
        }
    }

    /// Reports of the rows that stay.
    func reportUnlinked() throws {
        for ((change, name, table), row) in zip(unlinked, try rowsNow(of: unlinked)) {
            // Of a record that is left as a whole that is told.
            if leftRecords.contains(name) && change.action == .conflict { continue }
            if row == nil { continue }
            let names = change.fields.map { table.schema.fields[$0.index].name }
            if change.action == .conflict { leftFields[name, default: []].formUnion(names) }
            report(change, name, table)
        }
        unlinked.removeAll()
    }
}
