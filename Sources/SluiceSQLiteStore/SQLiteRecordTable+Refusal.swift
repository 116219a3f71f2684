internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// Rows that a table does not take, or not yet.
extension SQLiteRecordTable {
    /// What an error says of the one row that was to be written.
    ///
    /// - Throws: ``StoreError`` where it is about more than the row: a trigger may also end the transaction.
    @discardableResult
    func refusal(_ error: SQLiteError, of key: RecordKey) throws(StoreError) -> TableRefusal {
        guard error.code.primary == .constraint else { throw StoreError(error, path: path) }
        let refusal = TableRefusal(error)
        if connection.isInTransaction { return refusal }
        throw StoreError(
            .rejected,
            "\(refusal.words(table: schema.table, record: "the record with \(text(key))")) That ended the transaction, so nothing was written to the store `\(path)`. \(refusal.remedy)"
        )
    }

    /// A key as people name it, such as `id` 7.
    private func text(_ key: RecordKey) -> String {
        zip(schema.keyFields, key.values).map { field, value in
            "`\(schema.fields[field].name)` \(Self.text(value))"
        }.joined(separator: ", ")
    }

    private static func text(_ value: FieldValue) -> String {
        switch value {
        case .null: return "null"
        case .integer(let value): return String(value)
        case .real(let value): return String(value)
        case .blob(let bytes): return "of \(bytes.count) bytes"
        case .text(let bytes):
            let text = String(decoding: bytes.prefix(60), as: UTF8.self)
            return "\"\(text)\(bytes.count > 60 ? "…" : "")\""
        }
    }

    /// Whether a row has values whose takers wait.
    func isContested(_ values: [FieldValue]) -> Bool {
        constraints.groups.indices.contains { group in
            constraints.mark(values, group: group).map(contested.contains) ?? false
        }
    }

    /// The row as it would be after a write that touches unique fields; nil for another one.
    func wantedRow(_ write: RecordWrite) throws -> [FieldValue]? {
        switch write.row {
        case .insert(let values): return values
        case .restore(let row): return schema.fields.map { row[$0.column] ?? .null }
        case .update, .set:
            let written = writtenFields(write)
            if constraints.uniqueFields.isDisjoint(with: written.map(\.field)) { return nil }
            // A unique group may have fields that the write leaves as they are.
            guard var row = try localRow(write.key) else { return nil }
            for (field, value) in written where row.indices.contains(field) { row[field] = value }
            return row
        case .none, .delete, .markDeleted: return nil
        }
    }

    /// The fields of the row that a write gives values to, and these values.
    func writtenFields(_ write: RecordWrite) -> [(field: Int, value: FieldValue)] {
        switch write.row {
        case .insert(let values): values.enumerated().map { (field: $0, value: $1) }
        case .update(let fields, let values): zip(fields, values).map { (field: $0, value: $1) }
        case .set(let columns): fields(of: columns)
        case .restore(let row): fields(of: row.columns)
        case .none, .delete, .markDeleted: []
        }
    }

    private func fields(of columns: [RowImage.Column]) -> [(field: Int, value: FieldValue)] {
        columns.compactMap { column in
            schema.fields.firstIndex { $0.column.lowercased() == column.name.lowercased() }
                .map { (field: $0, value: column.value) }
        }
    }
}
