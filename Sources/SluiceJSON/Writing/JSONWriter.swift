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
        var (start, position) = (0, 0)
        while position < utf8.count {
            if position + 8 <= utf8.count,
                !needsEscapes(unsafe utf8.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            {
                position += 8
                continue
            }
            let byte = unsafe utf8[position]
            position += 1
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start..<position - 1]))
            start = position
            appendEscape(of: byte, to: &bytes)
        }
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether one of eight bytes may need an escape; where none does, it says so always.
    ///
    /// A byte below a bound loses its borrow to the highest bit of its own, which no byte of ASCII has. A borrow that goes on to the
    /// next byte makes it look at that one by itself, no more.
    @inline(__always)
    private static func needsEscapes(_ eight: UInt64) -> Bool {
        let (ones, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let quotes = eight ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = eight ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (eight &- ones &* 0x20) & ~eight
        return (controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes) & highest != 0
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
