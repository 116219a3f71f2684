/// How values of a type that is no ``StoredValue`` are stored: `@Attribute(storageMethod: .transformed(RGB.self))`.
public protocol ValueTransform {
    /// The property's type, without the sign that makes it optional.
    associatedtype Value
    /// What is stored.
    associatedtype Stored: StoredValue

    /// What is stored for a value.
    static func stored(_ value: Value) throws -> Stored
    /// The value of what is stored.
    static func value(_ stored: Stored) throws -> Value
}
