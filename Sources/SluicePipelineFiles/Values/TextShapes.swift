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

    /// A day of the calendar as `YYYY-MM-DD`.
    static func isDate(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return false }
        return Timestamp.days(year: year, month: month, day: day) != nil
    }

    /// A moment as RFC 3339 writes it.
    ///
    /// - Parameters:
    ///   - text: The whole value, without blanks around it.
    ///   - needsZone: Whether the offset from UTC must be there.
    /// - Returns: Whether the day is one of the calendar and the time one of the clock; second 60 counts.
    static func isDateTime(_ text: String, needsZone: Bool) -> Bool {
        guard text.utf8.count >= 19, text.utf8.allSatisfy({ $0 < 0x80 }), isDate(text.prefix(10)) else { return false }
        guard "Tt ".contains(text[text.index(text.startIndex, offsetBy: 10)]) else { return false }
        let time = text.dropFirst(11)
        let parts = time.prefix(8).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 2, 2], let hour = Int(parts[0]), let minute = Int(parts[1]),
            let second = Int(parts[2]), (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return false }
        var zone = time.dropFirst(8)
        if zone.hasPrefix(".") {
            let digits = zone.dropFirst().prefix { $0.isNumber }
            if digits.isEmpty { return false }
            zone = zone.dropFirst(digits.count + 1)
        }
        return zone.isEmpty ? !needsZone : zone == "Z" || zone == "z" || isOffset(String(zone))
    }

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
