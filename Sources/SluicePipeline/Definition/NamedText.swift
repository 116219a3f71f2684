/// A header or query parameter.
package struct NamedText: Sendable, Hashable {
    /// The name, as it was written.
    package var name: String
    /// The value.
    package var value: ConfigurationText

    /// Makes a named text.
    package init(name: String, value: ConfigurationText) {
        self.name = name
        self.value = value
    }
}
