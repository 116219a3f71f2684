/// What a configuration says of a property, so far as a model is compared with it.
package struct SwiftPropertyRule: Sendable, Hashable {
    /// How a value of a type of one's own is stored.
    package enum Storage: Sendable, Hashable {
        /// As its raw value.
        case raw
        /// As JSON.
        case codable
        /// As a transform says, which is the name of a type.
        case transformed(String)
    }

    /// Whether the property's name is said.
    package var hasName = false
    /// Whether the property's type is said.
    package var hasType = false
    /// How it is stored; nil for as its type says.
    package var storage: Storage?
    /// Whether the model may take no null although the pipeline has some.
    package var ignoresOptionality = false
}
