/// Why a value cannot be stored.
public struct BoxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without the value.
    public let reason: String
    /// The property, nil for a value of its own.
    public let property: String?

    /// Makes an error.
    ///
    /// - Parameter reason: What is wrong, as a clause that follows "this value".
    public init(_ reason: String) {
        self.reason = reason
        property = nil
    }

    init(_ reason: String, property: String?) {
        self.reason = reason
        self.property = property
    }

    func at(_ property: String?) -> BoxError { BoxError(reason, property: self.property ?? property) }

    /// The reason with the property.
    public var description: String { (property.map { "`\($0)`: " } ?? "") + reason }
}
