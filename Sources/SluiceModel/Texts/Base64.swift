/// Bytes as text. See RFC 4648 section 4.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Appends the bytes that text stands for; line breaks count for nothing, since many sources break the text as MIME
    /// does.
    ///
    /// - Returns: False where the text is not base64 with its padding.
    package static func decode(_ source: UnsafeRawBufferPointer, into bytes: inout [UInt8]) -> Bool {
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for index in 0..<source.count {
            let byte = unsafe source[index]
            if byte == 0x0A || byte == 0x0D { continue }
            let value: UInt32
            switch byte {
            case 0x41...0x5A: value = UInt32(byte) - 0x41
            case 0x61...0x7A: value = UInt32(byte) - 0x61 + 26
            case 0x30...0x39: value = UInt32(byte) - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            case 0x3D where digits >= 2:
                padding += 1
                value = 0
            default: return false
            }
            if padding > 0 && byte != 0x3D { return false }
            group = group << 6 | value
            digits += 1
            if digits == 4 {
                for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
                (group, digits) = (0, 0)
            }
        }
        if digits > 0 { return false }
        // Bits that the padding leaves over must be zero, or two texts would stand for the same bytes.
        for byte in bytes.suffix(padding) where byte != 0 { return false }
        bytes.removeLast(padding)
        return true
    }

    /// The text of bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let rest = bytes.count - index
            let second = rest > 1 ? UInt32(bytes[index + 1]) : 0
            let third = rest > 2 ? UInt32(bytes[index + 2]) : 0
            let group = UInt32(bytes[index]) << 16 | second << 8 | third
            text.append(alphabet[Int(group >> 18)])
            text.append(alphabet[Int(group >> 12 & 63)])
            text.append(rest > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
            text.append(rest > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }
}
