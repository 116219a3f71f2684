/// A header or query parameter.
public struct NamedText: Sendable, Hashable {
    /// The name, as it was written.
    public var name: String
    /// The value.
    public var value: ConfigurationText

    /// Makes a named text.
    public init(name: String, value: ConfigurationText) {
        self.name = name
        self.value = value
    }
}
