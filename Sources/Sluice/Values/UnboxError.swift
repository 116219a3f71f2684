/// Why a stored value is not what a property can hold.
public struct UnboxError: Error, Sendable, CustomStringConvertible {
    private let said: PropertyReason

    /// What is wrong, without the value.
    public var reason: String { said.reason }
    /// The property, nil where there is none.
    public var property: String? { said.property }

    /// Makes an error, as for an initialiser of a model that refuses a value.
    ///
    /// - Parameter reason: What is wrong.
    public init(_ reason: String) { self.init(reason, property: nil) }

    init(_ reason: String, property: String?) { said = PropertyReason(reason, property) }

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
    public var description: String { said.description }
}
