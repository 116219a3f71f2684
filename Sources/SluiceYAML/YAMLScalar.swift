/// A single value of a YAML text: its characters and how they were written.
package struct YAMLScalar: Sendable, Hashable {
    /// How a scalar is written.
    package enum Style: Sendable, Hashable {
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
    package var text: String
    /// How it was written.
    package var style: Style
    /// What it means under the YAML 1.2 core schema.
    package var value: YAMLValue

    /// Makes a scalar.
    package init(text: String, style: Style, value: YAMLValue) {
        self.text = text
        self.style = style
        self.value = value
    }
}
