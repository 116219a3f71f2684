/// A value of one of the types that are sent, or as it was read.
package enum PostgresValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// `bigint`; read also from shorter integers.
    case integer(Int64)
    /// `double precision`; read also from `real`.
    case double(Double)
    case numeric(PostgresNumeric)
    /// UTF-8 of a `text`; read also from `varchar`, `char` and `name`.
    case text([UInt8])
    case uuid(PostgresUUID)
    case timestamp(PostgresTimestamp)
    case date(PostgresDate)
    case bytes([UInt8])
    /// JSON text of a `jsonb`; read also from `json`.
    case json([UInt8])
    /// A value of another type, in that type's binary form. A query that wants it as text says `::text`.
    case other(PostgresType, [UInt8])

    /// Makes a text.
    package init(_ text: String) { self = .text(Array(text.utf8)) }

    /// Makes a text, or null.
    package init(_ text: String?) { self = text.map { .text(Array($0.utf8)) } ?? .null }

    /// Makes an integer.
    package init(_ value: Int) { self = .integer(Int64(value)) }

    /// The type that it is sent as.
    package var type: PostgresType {
        switch self {
        case .null: .inferred
        case .bool: .bool
        case .integer: .int8
        case .double: .float8
        case .numeric: .numeric
        case .text: .text
        case .uuid: .uuid
        case .timestamp: .timestamptz
        case .date: .date
        case .bytes: .bytea
        case .json: .jsonb
        case .other(let type, _): type
        }
    }
}
