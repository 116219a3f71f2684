/// A value of one of SQLite's storage classes. See: sqlite.org/datatype3.html
package enum SQLiteValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// Makes a text value.
    package init(_ text: String) { self = .text(Array(text.utf8)) }

    /// Makes a text value, or null.
    package init(_ text: String?) { self = text.map { .text(Array($0.utf8)) } ?? .null }

    /// Makes an integer.
    package init(_ value: Int) { self = .integer(Int64(value)) }
}

/// A value of a row where SQLite keeps it: valid until its statement goes on or is reset.
@unsafe
package enum BorrowedValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
}
