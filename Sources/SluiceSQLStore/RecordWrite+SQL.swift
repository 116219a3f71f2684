package import SluiceModel
package import SluiceStore

extension RecordWrite {
    /// Whether its base goes.
    package var removesBase: Bool { if case .remove? = keptBase { true } else { false } }
}

extension RecordWrite.Row {
    /// Whether nothing happens to the row.
    package var isNone: Bool { if case .none = self { true } else { false } }
}

extension RecordBatch {
    /// What inserts a record, row and base, into a table that has neither.
    package func insertion(of record: Int, schema: RecordSchema, run: Int64?) -> RecordWrite {
        var values: [FieldValue] = []
        var entries: [BaseEntry] = []
        for field in schema.fields.indices {
            let value = value(record: record, field: field)
            values.append(value ?? .null)
            entries.append(
                value.map {
                    BaseEntry(
                        value: $0, digest: digest(record: record, field: field),
                        keeping: schema.fields[field].baseKeeping)
                } ?? .none)
        }
        let base = BaseRow(
            rowHash: rowHashes[record], entries: entries, state: .live, isOpen: false, firstRun: run, lastRun: run)
        var write = RecordWrite(key: key(of: record, schema: schema), row: .insert(values), base: base)
        write.page = Int64(origins[record].page) + 1
        return write
    }
}

extension RecordWrite {
    /// The fields of the row that it gives values to, and these values.
    package func writtenFields(_ schema: RecordSchema) -> [(field: Int, value: FieldValue)] {
        func fields(of columns: [RowImage.Column]) -> [(field: Int, value: FieldValue)] {
            columns.compactMap { column in
                schema.fields.firstIndex { $0.column.lowercased() == column.name.lowercased() }
                    .map { (field: $0, value: column.value) }
            }
        }
        switch row {
        case .insert(let values): return values.enumerated().map { (field: $0, value: $1) }
        case .update(let fields, let values): return zip(fields, values).map { (field: $0, value: $1) }
        case .set(let columns): return fields(of: columns)
        case .restore(let row): return fields(of: row.columns)
        case .none, .delete, .markDeleted: return []
        }
    }
}
