/// Why a value cannot be stored.
public struct BoxError: Error, Sendable, Hashable, CustomStringConvertible {
    private let said: PropertyReason

    /// What is wrong, without the value.
    public var reason: String { said.reason }
    /// The property, nil for a value of its own.
    public var property: String? { said.property }

    /// Makes an error.
    ///
    /// - Parameter reason: What is wrong, as a clause that follows "this value".
    public init(_ reason: String) { self.init(reason, property: nil) }

    init(_ reason: String, property: String?) { said = PropertyReason(reason, property) }

    func at(_ property: String?) -> BoxError { BoxError(reason, property: self.property ?? property) }

    /// The reason with the property.
    public var description: String { said.description }
}
