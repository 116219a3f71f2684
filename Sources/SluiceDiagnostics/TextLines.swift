/// The lines of a text.
package enum TextLines {
    /// The lines without what ends them: a line feed, with or without a carriage return before it.
    ///
    /// - Parameter text: A text; what ends with a line feed has an empty last line.
    /// - Returns: The lines, in their order.
    package static func of(_ text: String) -> [Substring] {
        // `\r\n` is one character.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}
