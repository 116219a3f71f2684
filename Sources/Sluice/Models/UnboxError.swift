/// Why a stored value is not what a property can hold.
public struct UnboxError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, without the value.
    public let reason: String
    /// The property, nil where there is none.
    public let property: String?

    /// Makes an error, as for an initialiser of a model that refuses a value.
    ///
    /// - Parameter reason: What is wrong.
    public init(_ reason: String) {
        self.reason = reason
        property = nil
    }

    init(_ reason: String, property: String?) {
        self.reason = reason
        self.property = property
    }

    /// There is no value where there must be one.
    static let missing = UnboxError("there is no value, and the property is not optional")

    /// A value of another kind.
    static func mismatch(_ found: BoxedValue, _ expected: String) -> UnboxError {
        let kind =
            switch found {
            case .null: "null"
            case .integer: "a whole number"
            case .real: "a number"
            case .text: "a text"
            case .blob: "bytes"
            }
        return UnboxError("the store holds \(kind) that is no \(expected)")
    }

    func at(_ property: String?) -> UnboxError { UnboxError(reason, property: self.property ?? property) }

    /// The reason with the property.
    public var description: String { (property.map { "`\($0)`: " } ?? "") + reason }
}
