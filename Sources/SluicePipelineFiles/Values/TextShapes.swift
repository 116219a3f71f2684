internal import SluiceJSON
internal import SluiceModel

/// Whether a text is of a field's type, as far as it can be said without a record.
enum TextShapes {
    /// Eight, four, four, four and twelve hexadecimal digits.
    static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { group in group.utf8.allSatisfy(isHexadecimal) }
    }

    /// Base64 with padding, see RFC 4648 section 4; line breaks count for nothing, as in MIME.
    static func isBase64(_ text: String) -> Bool {
        let bytes = text.utf8.filter { $0 != 0x0A && $0 != 0x0D }
        let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let digits = bytes.dropLast(padding)
        guard bytes.count.isMultiple(of: 4), padding <= 2,
            digits.allSatisfy({ isLetter($0) || isDigit($0) || "+/".utf8.contains($0) })
        else { return false }
        // The bits that the padding leaves over are zero.
        switch padding {
        case 1: return digits.last.map { "AEIMQUYcgkosw048".utf8.contains($0) } ?? false
        case 2: return digits.last.map { "AQgw".utf8.contains($0) } ?? false
        default: return true
        }
    }

    /// A number as JSON writes it.
    static func isDecimal(_ text: String) -> Bool { DecimalText.normalized(text) != nil }

    /// An offset from UTC as `+hh:mm`.
    static func isOffset(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 6, "+-".utf8.contains(bytes[0]), bytes[3] == UInt8(ascii: ":"),
            let hours = Int(text.dropFirst().prefix(2)), let minutes = Int(text.suffix(2))
        else { return false }
        return isDigit(bytes[1]) && isDigit(bytes[4]) && (0...23).contains(hours) && (0...59).contains(minutes)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
}
