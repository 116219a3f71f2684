/// A shape of text that is simple enough to be data: one set of characters for the first place, one for the others.
package struct TextPattern: Sendable, Hashable {
    /// ASCII ranges in the notation of regular expressions, such as `a-z0-9_-`, for the first character.
    package let first: String
    /// The same for all others.
    package let rest: String
    /// What the text consists of, in words.
    package let words: String

    /// Makes a pattern.
    package init(first: String, rest: String, words: String) {
        self.first = first
        self.rest = rest
        self.words = words
    }

    /// The pattern as a regular expression, as JSON Schema wants it.
    package var expression: String { "^[\(first)][\(rest)]*$" }

    /// Whether a text has this shape.
    package func matches(_ text: String) -> Bool { firstMismatch(in: text) == nil }

    /// The byte offset of the first character that does not fit, or nil where all do; an empty text does not fit.
    func firstMismatch(in text: String) -> Int? {
        if text.isEmpty { return 0 }
        for (offset, byte) in text.utf8.enumerated() where !Self.contains(offset == 0 ? first : rest, byte) {
            return offset
        }
        return nil
    }

    private static func contains(_ set: String, _ byte: UInt8) -> Bool {
        let set = Array(set.utf8)
        var index = 0
        while index < set.count {
            let isRange = index + 2 < set.count && set[index + 1] == UInt8(ascii: "-")
            let upper = isRange ? set[index + 2] : set[index]
            if set[index] <= byte, byte <= upper { return true }
            index += isRange ? 3 : 1
        }
        return false
    }

    /// Lower-case letters, digits and hyphens.
    package static let pipelineName = TextPattern(
        first: "a-z0-9", rest: "a-z0-9-", words: "lower-case letters, digits and `-`, beginning with a letter or digit")
    /// Lower-case letters, digits, hyphens and underscores.
    package static let streamName = TextPattern(
        first: "a-z0-9_", rest: "a-z0-9_-",
        words: "lower-case letters, digits, `_` and `-`, beginning with a letter, digit or `_`")
    /// A stream, or another pipeline's stream.
    package static let sourceName = TextPattern(
        first: "a-z0-9_", rest: "a-z0-9_/-",
        words: "lower-case letters, digits, `_` and `-`, with `/` between a pipeline and its stream")
    /// What a Swift type may be called, too.
    package static let entityName = TextPattern(
        first: "A-Za-z", rest: "A-Za-z0-9_", words: "ASCII letters (A–Z, a–z), digits and `_`, beginning with a letter")
    /// What stands between `${var:` and `}`.
    package static let variableName = TextPattern(
        first: "A-Za-z_", rest: "A-Za-z0-9_-",
        words: "ASCII letters (A–Z, a–z), digits, `_` and `-`, beginning with a letter or `_`")
    /// The name of an HTTP header or cookie, see RFC 9110 section 5.6.2.
    package static let token = TextPattern(
        first: "!#$%&'*+.^_`|~0-9A-Za-z-", rest: "!#$%&'*+.^_`|~0-9A-Za-z-",
        words: "ASCII letters (A–Z, a–z), digits and some of the signs, without spaces or colons")
}
