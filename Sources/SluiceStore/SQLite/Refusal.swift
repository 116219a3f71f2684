internal import SluiceMerge
internal import SluiceSQLite

/// What it means that a table refuses a record: which record, by which rule, and what to do.
struct Refusal {
    let schema: RecordSchema
    let path: String
    let key: RecordKey

    /// The error for a write that SQLite refused; one that has nothing to do with the record is told as it is.
    func error(_ error: SQLiteError) -> StoreError {
        guard error.code.primary == .constraint else { return StoreError(error, path: path) }
        let (rule, remedy) = Self.words(for: error)
        return StoreError(
            .rejected,
            "The table `\(schema.table)` of the store `\(path)` refuses the record with \(keyText): \(rule). \(remedy)"
        )
    }

    /// The error where a trigger swallows a write, as RAISE(IGNORE) does.
    var ignored: SQLiteError {
        SQLiteError(code: .triggerConstraint, message: "the write is ignored")
    }

    private static func words(for error: SQLiteError) -> (rule: String, remedy: String) {
        switch error.code {
        case .triggerConstraint:
            (
                "\(error.message), says a trigger of the table",
                "Change the trigger, or leave such records out with `filter`."
            )
        case .notNullConstraint:
            (
                error.message,
                "Give the field a `default`, or say `required: true`, so that such records go to quarantine."
            )
        case .foreignKeyConstraint:
            (error.message, "Fill the table that it refers to first, or take the foreign key off the table.")
        default: (error.message, "Change that rule of the table, or leave such records out with `filter`.")
        }
    }

    /// The key as people name it, such as `id` 7.
    private var keyText: String {
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
