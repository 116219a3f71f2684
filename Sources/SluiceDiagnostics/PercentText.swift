/// Texts with `%` and two hexadecimal digits for bytes that may not stand as they are. See: RFC 3986, section 2.1.
package enum PercentText {
    private static let upper = Array("0123456789ABCDEF".utf8)
    private static let lower = Array("0123456789abcdef".utf8)
    private static let percent = UInt8(ascii: "%")

    /// Whether a byte stands as it is everywhere: a letter, a digit or one of `-._~` (RFC 3986, section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// Writes bytes.
    ///
    /// - Parameters:
    ///   - bytes: What is meant.
    ///   - isUpperCase: Whether hexadecimal digits are in upper case.
    ///   - isPlain: Which bytes stand as they are: characters of ASCII, and no percent sign.
    /// - Returns: A text of ASCII.
    package static func encoded(
        _ bytes: some Sequence<UInt8>, isUpperCase: Bool = true, keeping isPlain: (UInt8) -> Bool = Self.isUnreserved
    ) -> String {
        let digits = isUpperCase ? upper : lower
        var result: [UInt8] = []
        for byte in bytes {
            if isPlain(byte) {
                result.append(byte)
            } else {
                result += [percent, digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Writes a segment of a path, or a name or value of a query.
    package static func encoded(_ text: String) -> String { encoded(text.utf8) }

    /// Reads bytes.
    ///
    /// - Parameters:
    ///   - bytes: The text as it is sent.
    ///   - isForm: Whether a plus sign stands for a blank.
    /// - Returns: What is meant; nil where a percent sign is not followed by two digits.
    package static func bytes(_ bytes: some Sequence<UInt8>, isForm: Bool = false) -> [UInt8]? {
        read(bytes, isForm: isForm, isLenient: false)
    }

    /// Reads bytes as ``bytes(_:isForm:)`` does, and leaves a percent sign as it is that is not followed by two digits.
    package static func lenientBytes(_ bytes: some Sequence<UInt8>, isForm: Bool = false) -> [UInt8] {
        read(bytes, isForm: isForm, isLenient: true) ?? []
    }

    /// Reads a text from outside.
    ///
    /// - Parameters:
    ///   - bytes: The text as it is sent.
    ///   - isForm: Whether a plus sign stands for a blank.
    /// - Returns: What is meant; nil where it is no UTF-8, has a NUL, or a percent sign without two digits.
    package static func text(_ bytes: some Sequence<UInt8>, isForm: Bool = false) -> String? {
        guard let bytes = self.bytes(bytes, isForm: isForm), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func read(
        _ bytes: some Sequence<UInt8>, isForm: Bool, isLenient: Bool
    ) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            if byte == percent {
                let next = rest.prefix(2).compactMap(digit)
                if next.count == 2 {
                    result.append(next[0] << 4 | next[1])
                    rest = rest.dropFirst(2)
                    continue
                }
                if !isLenient { return nil }
            }
            result.append(isForm && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
        return result
    }

    /// The value of a hexadecimal digit.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
