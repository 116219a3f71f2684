/// The declared type of a field: what a value means, how it is stored, and what counts as equal.
public enum FieldType: String, Sendable, CaseIterable {
    case string, uuid, url
    case enumeration = "enum"
    case int, double, decimal, bool, date, datetime, json, bytes
}
