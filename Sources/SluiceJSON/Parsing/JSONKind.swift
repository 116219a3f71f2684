/// The type of a JSON value.
@frozen
public enum JSONKind: UInt8, Sendable, Hashable {
    // The order is the one of the tape.
    /// `null`
    case null
    /// `true` or `false`
    case bool
    /// A number without fraction or exponent that fits 64 bits.
    case integer
    /// Any other number.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
}

extension JSONKind: CustomStringConvertible {
    /// The type as it is said in a sentence, with its article.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
