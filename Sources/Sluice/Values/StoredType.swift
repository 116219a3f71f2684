/// What a column holds. See `docs/store.md` for how each type is stored.
public struct StoredType: Sendable, Hashable {
    let name: String

    private init(_ name: String) { self.name = name }

    /// Text.
    public static let string = StoredType("string")
    /// A whole number within 64 bits.
    public static let int = StoredType("int")
    /// A binary floating point number.
    public static let double = StoredType("double")
    /// A number of any length, exact.
    public static let decimal = StoredType("decimal")
    /// True or false.
    public static let bool = StoredType("bool")
    /// A moment in time, in UTC.
    public static let datetime = StoredType("datetime")
    /// A day of the calendar.
    public static let date = StoredType("date")
    /// A UUID, in lower case.
    public static let uuid = StoredType("uuid")
    /// An absolute URI.
    public static let url = StoredType("url")
    /// Any JSON value, compact.
    public static let json = StoredType("json")
    /// Bytes.
    public static let bytes = StoredType("bytes")
}
