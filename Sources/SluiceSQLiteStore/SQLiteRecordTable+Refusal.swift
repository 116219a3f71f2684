internal import SluiceModel
internal import SluiceSQLStore
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
}
