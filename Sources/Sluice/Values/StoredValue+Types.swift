extension FixedWidthInteger where Self: StoredValue {
    /// A whole number.
    public static var storedType: StoredType { .int }

    /// The number, where the type can hold it.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Self {
        guard let value = column.integer, let exact = Self(exactly: value) else {
            throw column.mismatch("\(Self.self)")
        }
        return exact
    }

    /// The number, where 64 bits with a sign can hold it.
    public func boxed() throws(BoxError) -> BoxedValue {
        guard let value = Int64(exactly: self) else {
            throw BoxError("the number is larger than the store can hold, which is 64 bits with a sign")
        }
        return .integer(value)
    }
}

extension Int: StoredValue, StoredKey {}
extension Int8: StoredValue, StoredKey {}
extension Int16: StoredValue, StoredKey {}
extension Int32: StoredValue, StoredKey {}
extension Int64: StoredValue, StoredKey {}
extension UInt8: StoredValue, StoredKey {}
extension UInt16: StoredValue, StoredKey {}
extension UInt32: StoredValue, StoredKey {}
extension UInt64: StoredValue, StoredKey {}

extension String: StoredValue, StoredKey {
    /// Text.
    public static var storedType: StoredType { .string }

    /// The text.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> String {
        guard let text = column.text else { throw column.mismatch("text") }
        return text
    }

    /// The text.
    public func boxed() throws(BoxError) -> BoxedValue { .text(self) }
}

extension Bool: StoredValue, StoredKey {
    /// True or false, as 1 and 0.
    public static var storedType: StoredType { .bool }

    /// Whether it is 1; any number but 0 and 1 is a mismatch.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Bool {
        switch column.integer {
        case 0: return false
        case 1: return true
        default: throw column.mismatch("truth value")
        }
    }

    /// 1 or 0.
    public func boxed() throws(BoxError) -> BoxedValue { .integer(self ? 1 : 0) }
}

extension Double: StoredValue, StoredKey {
    /// A binary floating point number.
    public static var storedType: StoredType { .double }

    /// The number; a whole one where a double can hold it.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Double {
        switch column.value {
        case .real(let value): return value
        case .integer(let value):
            guard let exact = Double(exactly: value) else { throw column.mismatch("Double") }
            return exact
        default: throw column.mismatch("number")
        }
    }

    /// The number; SQLite has no NaN.
    public func boxed() throws(BoxError) -> BoxedValue {
        if isNaN { throw BoxError("the store cannot hold NaN") }
        return .real(self)
    }
}

extension Float: StoredValue, StoredKey {
    /// A binary floating point number.
    public static var storedType: StoredType { .double }

    /// The number, rounded to the nearest.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Float { Float(try Double.unboxed(column)) }

    /// The number.
    public func boxed() throws(BoxError) -> BoxedValue { try Double(self).boxed() }
}

extension Array: StoredValue where Element == UInt8 {
    /// Bytes.
    public static var storedType: StoredType { .bytes }

    /// The bytes.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> [UInt8] {
        guard case .blob(let bytes) = column.value else { throw column.mismatch("bytes") }
        return bytes
    }

    /// The bytes.
    public func boxed() throws(BoxError) -> BoxedValue { .blob(self) }
}

extension Array: StoredKey where Element == UInt8 {}
