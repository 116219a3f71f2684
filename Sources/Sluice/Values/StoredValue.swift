/// A type whose values have a column of their own.
///
/// An enum with raw values needs nothing but the conformance:
///
/// ```swift
/// enum Kind: String, StoredValue { case novel, essay }
/// ```
public protocol StoredValue: Sendable {
    /// What the column holds.
    static var storedType: StoredType { get }

    /// The value of a column.
    ///
    /// - Parameter column: The column of a row.
    /// - Returns: The value.
    /// - Throws: ``UnboxError`` where the column holds something else.
    static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Self

    /// The value as it is stored.
    ///
    /// - Throws: ``BoxError`` where the store cannot hold it.
    func boxed() throws(BoxError) -> BoxedValue
}

/// A value that may identify a record.
public protocol StoredKey: Hashable, Sendable {
    /// The values of the identifier's columns.
    ///
    /// - Throws: ``BoxError`` where the store cannot hold one.
    func boxKey() throws(BoxError) -> [BoxedValue]

    /// The identifier of its columns.
    ///
    /// - Parameter columns: The columns, in the order of ``boxKey()``.
    /// - Returns: Nil where the columns are none of an identifier.
    /// - Throws: ``UnboxError`` where a column holds something else.
    static func unboxKey(_ columns: [StoredColumn]) throws(UnboxError) -> Self?
}

extension StoredKey {
    /// Nil: an identifier written by hand is not read again.
    public static func unboxKey(_ columns: [StoredColumn]) throws(UnboxError) -> Self? { nil }
}

extension StoredKey where Self: StoredValue {
    /// The value alone.
    public func boxKey() throws(BoxError) -> [BoxedValue] { [try boxed()] }
    /// The value of the one column.
    public static func unboxKey(_ columns: [StoredColumn]) throws(UnboxError) -> Self? {
        columns.count == 1 ? try unboxed(columns[0]) : nil
    }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    /// What the column of a value holds.
    public static var storedType: StoredType { Wrapped.storedType }

    /// Nil for null.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Wrapped? {
        column.isNull ? nil : try Wrapped.unboxed(column)
    }

    /// Null for nil.
    public func boxed() throws(BoxError) -> BoxedValue {
        switch self {
        case nil: .null
        case let value?: try value.boxed()
        }
    }
}

extension StoredValue where Self: RawRepresentable, RawValue: StoredValue {
    /// What the column of the raw value holds.
    public static var storedType: StoredType { RawValue.storedType }

    /// The value of a raw value.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Self {
        guard let value = Self(rawValue: try RawValue.unboxed(column)) else {
            throw UnboxError("the store holds a value that is no \(Self.self)")
        }
        return value
    }

    /// The raw value.
    public func boxed() throws(BoxError) -> BoxedValue { try rawValue.boxed() }
}
