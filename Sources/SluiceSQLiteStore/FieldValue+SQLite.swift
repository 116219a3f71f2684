package import SluiceModel
package import SluiceSQLite

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
