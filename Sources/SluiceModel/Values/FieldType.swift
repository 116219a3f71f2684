/// The declared type of a field: what a value means, how it is stored, and what counts as equal.
package enum FieldType: String, Codable, Sendable, CaseIterable {
    /// Text.
    case string
    /// A UUID, in lower case.
    case uuid
    /// An absolute URI, as it was given.
    case url
    /// One of the values that the field lists.
    case enumeration = "enum"
    /// A whole number within 64 bits.
    case int
    /// A binary floating point number.
    case double
    /// A number of any length, exact.
    case decimal
    /// True or false.
    case bool
    /// A day of the calendar.
    case date
    /// A moment in time, kept in UTC.
    case datetime
    /// Any JSON value.
    case json
    /// Bytes, base64 in JSON.
    case bytes
}

extension FieldType {
    /// Whether a value is kept as values of the type are: what a source said before its field changed the type may not be.
    ///
    /// - Parameter value: A value as bases keep it.
    /// - Returns: False where a column of the type would hold something else.
    package func hasForm(of value: FieldValue) -> Bool {
        switch (self, value) {
        case (_, .null), (.int, .integer), (.double, .real), (.double, .integer), (.bytes, .blob): true
        case (.bool, .integer(let number)): number == 0 || number == 1
        case (.date, .text(let text)):
            text.count >= 10 && text[text.count - 3] == UInt8(ascii: "-") && text[text.count - 6] == UInt8(ascii: "-")
        case (.datetime, .text(let text)):
            text.count >= 20 && text.last == UInt8(ascii: "Z") && text.contains(UInt8(ascii: "T"))
        case (.decimal, .text(let text)): !text.isEmpty && text.allSatisfy { "+-.0123456789eE".utf8.contains($0) }
        case (.uuid, .text(let text)): text.count == 36
        case (.string, .text), (.url, .text), (.enumeration, .text), (.json, .text): true
        default: false
        }
    }
}
