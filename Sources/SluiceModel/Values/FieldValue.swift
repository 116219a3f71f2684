/// A value as a store keeps it: one of SQLite's storage classes.
///
/// Text is kept as UTF-8 bytes: two keys are the same only if their bytes are, whereas `String` compares by canonical
/// equivalence.
package enum FieldValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// Makes a text value.
    package init(_ text: String) { self = .text(Array(text.utf8)) }

    /// Whether the value is null.
    package var isNull: Bool { self == .null }
}

/// The values of a record's identifier fields, in the order of the primary key.
package struct RecordKey: Sendable, Hashable {
    /// The values, none of them null.
    package var values: [FieldValue]

    /// Makes a key.
    package init(_ values: [FieldValue]) { self.values = values }
}
