/// A single value of a YAML text: its characters and how they were written.
public struct YAMLScalar: Sendable, Hashable {
    /// How a scalar is written.
    public enum Style: Sendable, Hashable {
        /// Without quotes: what it means depends on its characters.
        case plain
        /// In `'…'`.
        case singleQuoted
        /// In `"…"`.
        case doubleQuoted
        /// After `|`.
        case literal
        /// After `>`.
        case folded
    }

    /// The characters after quotes and escapes are undone; of a plain scalar, just as they were written.
    public var text: String
    /// How it was written.
    public var style: Style
    /// What it means under the YAML 1.2 core schema.
    public var value: YAMLValue

    /// Makes a scalar.
    public init(text: String, style: Style, value: YAMLValue) {
        self.text = text
        self.style = style
        self.value = value
    }
}
