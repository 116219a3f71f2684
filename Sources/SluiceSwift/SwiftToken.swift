/// A token of Swift source, by its place in the bytes.
package struct SwiftToken: Sendable, Hashable {
    /// What a token is.
    package enum Kind: Sendable {
        /// A name, a keyword, a name in backticks, or a directive such as `#if`.
        case word
        case punctuation
        /// A string or a regular expression, with its delimiters.
        case string
        case number
        case operatorSign
        /// The end of a line, where it may end a statement.
        case newline
        /// The end of the source.
        case end
    }

    /// What it is.
    package let kind: Kind
    /// The offset of its first byte.
    package let start: Int
    /// The offset behind its last byte.
    package let end: Int
}
