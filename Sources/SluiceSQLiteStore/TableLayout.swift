internal import SluiceModel
package import SluiceSQLite

/// Where a stream's records live: table, base table, columns and slots.
struct TableLayout {
    let schema: RecordSchema
    /// The base table's name.
    let baseTable: String
    /// The base table's key columns, in the order of the primary key.
    let baseKeyColumns: [String]
    /// For each slot of the base's `fields` the position of its field, -1 where the pipeline no longer has it.
    let fieldOfSlot: [Int]
    /// The slots of fields that the pipeline no longer has, whose columns still hold what the source said last.
    var keptSlots: Set<Int> = []
    /// How the table marks rows as deleted, nil where it cannot.
    let mark: DeletionMark?
    /// How the table keeps the values of its columns.
    let forms: ColumnForms

    /// The key columns of the entity's table, in the order of the primary key.
    var keyColumns: [String] { schema.keyFields.map { schema.fields[$0].column } }

    /// The name of a key column in a base table, clear of the base's own columns.
    static func baseColumn(for column: String) -> String {
        StoreFormat.baseColumns.contains(column.lowercased()) ? "key_" + column : column
    }
}

extension FieldType {
    /// The column type of a STRICT table. See: sqlite.org/stricttables.html
    var sqliteType: String {
        switch self {
        case .int, .bool: "INTEGER"
        case .double: "REAL"
        case .bytes: "BLOB"
        case .string, .uuid, .url, .enumeration, .decimal, .date, .datetime, .json: "TEXT"
        }
    }
}

extension FieldValue {
    var sqliteValue: SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }

    package init(_ value: SQLiteValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .text(let bytes): self = .text(bytes)
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}
