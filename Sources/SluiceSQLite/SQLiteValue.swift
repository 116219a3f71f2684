/// A value of one of SQLite's storage classes. See: sqlite.org/datatype3.html
public enum SQLiteValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// Makes a text value.
    public init(_ text: String) { self = .text(Array(text.utf8)) }

    /// Makes a text value, or null.
    public init(_ text: String?) { self = text.map { .text(Array($0.utf8)) } ?? .null }

    /// Makes an integer.
    public init(_ value: Int) { self = .integer(Int64(value)) }
}
