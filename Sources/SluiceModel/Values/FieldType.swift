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
