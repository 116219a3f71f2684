/// Regular expressions that people write.
package enum PatternText {
    /// Classes of characters may stand so deep within each other. The reader of the standard library calls itself for each, until its
    /// stack ends.
    private static let mostClasses = 16

    /// The regular expression of a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: Nil where it is none.
    package static func expression(_ text: String) -> Regex<AnyRegexOutput>? {
        var depth = 0
        var isEscaped = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"):
                isEscaped.toggle()
                continue
            case UInt8(ascii: "[") where !isEscaped: depth += 1
            case UInt8(ascii: "]") where !isEscaped: depth = max(0, depth - 1)
            default: break
            }
            isEscaped = false
            if depth > mostClasses { return nil }
        }
        return try? Regex(text)
    }
}
