/// Text from outside made safe to print on a terminal.
public enum PrintableText {
    /// The text with control and direction-changing characters written as escapes.
    ///
    /// ```swift
    /// PrintableText.escape("a\u{1B}[2Jb")  // "a\\u{1B}[2Jb"
    /// ```
    public static func escape(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy({ !isHidden($0) }) { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += escape($1) }
    }

    /// One scalar, or its escape.
    static func escape(_ scalar: Unicode.Scalar) -> String {
        guard isHidden(scalar) else { return String(Character(scalar)) }
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }

    /// Whether a terminal would act on it, or reorder the text around it.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    /// How many cells of a terminal a scalar takes, near enough to put a caret below it.
    static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
