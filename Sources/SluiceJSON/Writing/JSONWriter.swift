/// Writes JSON text.
package enum JSONWriter {
    /// Appends a value without white space: members in the order of the source, numbers as the source wrote them.
    ///
    /// - Parameters:
    ///   - element: The value.
    ///   - bytes: The text, in UTF-8.
    package static func append(_ element: JSONElement, to bytes: inout [UInt8]) {
        switch element.kind {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool: bytes.append(contentsOf: element.boolean ? "true".utf8 : "false".utf8)
        case .integer, .number: element.appendNumberToken(to: &bytes)
        case .string: appendString(element, to: &bytes)
        case .array:
            bytes.append(UInt8(ascii: "["))
            var elements = element.elements()
            var isFirst = true
            while elements.next() {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                append(elements.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object:
            bytes.append(UInt8(ascii: "{"))
            var members = element.members()
            var isFirst = true
            while members.next() {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                appendString(members.keyElement, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                append(members.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string in quotes, with the shortest escapes that JSON allows and no other.
    ///
    /// - Parameters:
    ///   - utf8: The bytes of the string, which must be valid UTF-8.
    ///   - bytes: The text, in UTF-8.
    package static func append(utf8: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for position in utf8.indices {
            let byte = unsafe utf8[position]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start..<position]))
            start = position + 1
            appendEscape(of: byte, to: &bytes)
        }
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a string in quotes, see ``append(utf8:to:)``.
    package static func append(_ string: String, to bytes: inout [UInt8]) {
        var string = string
        string.withUTF8 { utf8 in unsafe append(utf8: UnsafeRawBufferPointer(utf8), to: &bytes) }
    }

    static func appendString(_ element: JSONElement, to bytes: inout [UInt8]) {
        guard element.isVerbatim else { return unsafe append(utf8: element.utf8, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
        unsafe bytes.append(contentsOf: element.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hexadecimal(byte >> 4))
            bytes.append(hexadecimal(byte & 0xF))
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
