/// How many columns of a terminal text takes.
package enum TextWidth {
    /// Characters that take two columns: East Asian Width W and F, without what is shown as an emoji by itself.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
    /// Vowels and final consonants of Korean syllables, which join the consonant before them.
    private static let joining: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

    /// The columns of a text whose hidden characters are escaped.
    package static func of(_ text: String) -> Int { columns(of: text) }

    /// The columns of a part of a text whose hidden characters are escaped.
    package static func of(_ text: Substring) -> Int { columns(of: text) }

    /// Not open to other modules, whose calls would go through what is known of texts in general.
    private static func columns(of text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of one character.
    package static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        if let first = scalars.first, first.properties.isEmoji, scalars.dropFirst().contains(where: makesEmoji) {
            return 2
        }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// The longest beginning of a text that fits into a number of columns.
    package static func prefix<Text: StringProtocol>(of text: Text, columns: Int) -> Text.SubSequence {
        var free = columns
        return text.prefix { character in
            free -= of(character)
            return free >= 0
        }
    }

    /// The columns of one scalar that stands for itself.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        if properties.isDefaultIgnorableCodePoint || joining.contains(where: { $0.contains(value) }) { return 0 }
        // The letters of flags are narrow one by one, two of them make a flag.
        if properties.isEmojiPresentation { return (0x1F1E6...0x1F1FF).contains(value) ? 1 : 2 }
        return wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// Whether a scalar has the one before it shown as an emoji, or as a part of one.
    private static func makesEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{FE0F}" || scalar == "\u{200D}" || scalar.properties.isEmojiModifier
    }
}
