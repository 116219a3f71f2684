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

    /// Whether a property holds each value of a field of this type, where its own values are stored as another type: a text of a
    /// choice, an address or a day is a text for a program.
    package func isHeld(by stored: FieldType) -> Bool {
        switch self {
        case .enumeration, .uuid, .url, .date, .json: stored == self || stored == .string
        case .string, .int, .double, .decimal, .bool, .datetime, .bytes: stored == self
        }
    }
}
