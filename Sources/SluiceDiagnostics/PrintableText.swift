/// Text from outside made safe to print on a terminal.
package enum PrintableText {
    /// The text with each character that is not seen, or that acts on a terminal, written as an escape.
    ///
    /// These are control characters, characters that change the direction of the text, blanks without a width such as
    /// U+200B, tags, private use characters and line separators. A joiner or variation selector stays where it
    /// shapes the character before it, as in many emoji and in Persian.
    ///
    /// ```swift
    /// PrintableText.escape("a\u{1B}[2Jb")  // "a\\u{1B}[2Jb"
    /// ```
    package static func escape(_ text: String) -> String {
        escape(text, as: name)
    }

    /// JSON text in which each such character is written as `\uXXXX`, so that it can be printed and says the same.
    ///
    /// ```swift
    /// PrintableText.escapeJSON("\"a\u{202E}b\"")  // "\"a\\u202eb\""
    /// ```
    package static func escapeJSON(_ json: String) -> String {
        escape(json) { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }.joined()
        }
    }

    private static func escape(_ text: String, as word: (Unicode.Scalar) -> String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var previous: Unicode.Scalar?
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            if isHidden(scalar, after: previous) {
                escaped += word(scalar)
            } else {
                escaped.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
    }

    /// One scalar, or its escape.
    static func escape(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> String {
        isHidden(scalar, after: previous) ? name(scalar) : String(Character(scalar))
    }

    /// The escape of a scalar.
    private static func name(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }

    /// Whether a terminal would act on a scalar, reorder the text around it, or show nothing of it.
    static func isHidden(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
        if (0x20..<0x7F).contains(scalar.value) { return false }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse: return true
        default: break
        }
        // Marks of annotations are not seen either.
        if scalar.properties.isNoncharacterCodePoint || (0xFFF9...0xFFFB).contains(scalar.value) { return true }
        return scalar.properties.isDefaultIgnorableCodePoint && !shapes(scalar, previous)
    }

    /// Whether a joiner or a variation selector has a character before it whose look it may change.
    private static func shapes(_ scalar: Unicode.Scalar, _ previous: Unicode.Scalar?) -> Bool {
        guard let previous else { return false }
        let isSeen = previous.value >= 0x80 && !previous.properties.isDefaultIgnorableCodePoint
        if scalar.properties.isVariationSelector { return isSeen || "0123456789#*".unicodeScalars.contains(previous) }
        let isJoiner = scalar == "\u{200C}" || scalar == "\u{200D}"
        return isJoiner && (isSeen || previous.properties.isVariationSelector)
    }
}
