/// JSON as text.
package enum JSONText {
    /// The text without what RFC 8259 allows and a parser need not take: halves of surrogates that stand alone become
    /// U+FFFD, and what is nested too deeply is blank.
    ///
    /// All else stays where it was, so that offsets count the same.
    ///
    /// - Parameters:
    ///   - text: The text, which need not be valid.
    ///   - maximumDepth: How many levels stay.
    /// - Returns: The text, as many bytes as before.
    package static func tamed(_ text: [UInt8], maximumDepth: Int = JSONParser.defaultMaximumDepth) -> [UInt8] {
        var text = text
        var isInString = false
        var depth = 0
        var position = 0
        while position < text.count {
            var length = 1
            // The brackets of the last level stay, and there is nothing between them.
            var isBlank = depth >= maximumDepth
            switch text[position] {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\"): length = tameEscape(&text, at: position)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if !isInString { depth += 1 }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if !isInString {
                    depth -= 1
                    isBlank = depth >= maximumDepth
                }
            default: break
            }
            let end = min(position + length, text.count)
            if isBlank { for index in position..<end { text[index] = UInt8(ascii: " ") } }
            position = end
        }
        return text
    }

    /// Where halves of surrogate pairs stand alone in the strings of a text.
    static func loneSurrogates(in text: [UInt8]) -> [Int] {
        var found: [Int] = []
        var position = 0
        while position < text.count {
            guard text[position] == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            guard let code = codeUnit(text, at: position), code & 0xF800 == 0xD800 else {
                position += 2
                continue
            }
            if code < 0xDC00, let low = codeUnit(text, at: position + 6), low & 0xFC00 == 0xDC00 {
                position += 12
                continue
            }
            found.append(position)
            position += 6
        }
        return found
    }

    /// Mends the escape at a backslash, and returns how many bytes are done with.
    private static func tameEscape(_ text: inout [UInt8], at position: Int) -> Int {
        guard let code = codeUnit(text, at: position), code & 0xF800 == 0xD800 else { return 2 }
        if code < 0xDC00, let low = codeUnit(text, at: position + 6), low & 0xFC00 == 0xDC00 { return 12 }
        text.replaceSubrange(position + 2..<position + 6, with: "fffd".utf8)
        return 6
    }

    /// The number of an escape such as `\ud83d`; nil where another one stands there, or none.
    private static func codeUnit(_ text: [UInt8], at position: Int) -> UInt16? {
        guard position + 6 <= text.count, text[position] == UInt8(ascii: "\\"), text[position + 1] == UInt8(ascii: "u")
        else { return nil }
        let digits = text[position + 2..<position + 6]
        // A sign is no digit.
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

extension JSONError {
    /// Whether the text is JSON all the same: the grammar has halves of surrogates that stand alone, and any depth
    /// (RFC 8259, sections 8.2 and 9). So the fault is that of the value alone, and says nothing of what is around it.
    package var isOfValueAlone: Bool { code == .loneSurrogate || code == .tooDeep }
}

extension JSONParser {
    /// Parses a text to look at what stands around values that cannot be taken, see ``JSONText/tamed(_:maximumDepth:)``.
    ///
    /// - Parameter bytes: The text.
    /// - Returns: The value, valid until the next call or the end of the parser.
    /// - Throws: ``JSONError`` with the offset of the first fault.
    @unsafe
    package func parseTamed(_ bytes: [UInt8]) throws(JSONError) -> JSONElement {
        do throws(JSONError) {
            return try unsafe parse(bytes)
        } catch {
            guard error.isOfValueAlone else { throw error }
            return try unsafe parse(JSONText.tamed(bytes))
        }
    }
}
