package import SluiceModel

extension FieldValue {
    /// A text, or null.
    package init(_ text: String?) { self = text.map { FieldValue($0) } ?? .null }

    /// A number, or null.
    package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }

    /// A number.
    package init(_ number: Int) { self = .integer(Int64(number)) }

    /// The text of a column; nil for null and other values.
    package var string: String? {
        if case .text(let bytes) = self { return String(decoding: bytes, as: UTF8.self) }
        return nil
    }

    /// The number of a column; nil for null and other values.
    package var number: Int64? {
        if case .integer(let value) = self { return value }
        return nil
    }

    /// The bytes of a column; nil for null and other values.
    package var bytes: [UInt8]? {
        if case .blob(let bytes) = self { return bytes }
        return nil
    }
}
