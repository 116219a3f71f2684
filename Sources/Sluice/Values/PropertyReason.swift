/// What is wrong with a value, and which property has it.
///
/// Errors of values are one reference to it: each read and each write of a property may throw one, and an error of several words takes
/// the compiler of each model as many words at each of them.
final class PropertyReason: Sendable {
    /// What is wrong, without the value.
    let reason: String
    /// The property, nil where there is none.
    let property: String?

    init(_ reason: String, _ property: String?) {
        self.reason = reason
        self.property = property
    }

    /// The reason with the property.
    var description: String { (property.map { "`\($0)`: " } ?? "") + reason }
}

extension PropertyReason: Hashable {
    static func == (left: PropertyReason, right: PropertyReason) -> Bool {
        left.reason == right.reason && left.property == right.property
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(property)
    }
}
