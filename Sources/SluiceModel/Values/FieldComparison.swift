/// What makes two values of a field equal, and whether changes within a value are merged.
package enum FieldComparison: String, Sendable, CaseIterable {
    /// All of it.
    case exact
    /// The same elements of an array, in any order and however often; elements are merged one by one.
    case set
    /// The same letters, capital or small.
    case ignoringCase = "ci"
    /// The same JSON; objects are merged key by key.
    case json

    /// Whether changes of both sides within one value can go together, for which the base must be known in full.
    package var mergesWithin: Bool { self == .set || self == .json }
}
