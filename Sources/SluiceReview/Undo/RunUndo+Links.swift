internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluiceStore

/// References that had waited and that the run linked.
extension RunUndo {
    /// Has them wait once more. What the row refers to since stays.
    func takeBackLink(_ change: RecordedChange) throws {
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
        switch try store.takeBack(change, of: key) {
        case .gone: break
        case .back(let columns):
            noteWritten()
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

    /// Tells of the rows that stay.
    func tellUnlinked() throws {
        for (change, name, table) in unlinked {
            // Of a record that is left as a whole that is told.
            if leftRecords.contains(name) && change.action == .conflict { continue }
            guard try table.records.wholeRow(change.key) != nil else { continue }
            let names = change.fields.map { table.schema.fields[$0.index].name }
            if change.action == .conflict { leftFields[name, default: []].formUnion(names) }
            tell(change, name, table)
        }
        unlinked.removeAll()
    }
}
