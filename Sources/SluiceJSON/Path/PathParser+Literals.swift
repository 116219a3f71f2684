extension PathParser {
    /// Reads a string in single or double quotes.
    mutating func quoted() throws(JSONPathError) -> [UInt8] {
        let quote = bytes[position]
        position += 1
        var text: [UInt8] = []
        while let byte = current {
            if byte < 0x20 { throw fail("A control character must be escaped.") }
            position += 1
            if byte == quote { return text }
            if byte == UInt8(ascii: "\\") { try appendEscape(to: &text, quote: quote) } else { text.append(byte) }
        }
        throw fail("The quote is not closed.")
    }

    private mutating func appendEscape(to text: inout [UInt8], quote: UInt8) throws(JSONPathError) {
        guard let byte = current else { throw fail("The quote is not closed.") }
        position += 1
        switch byte {
        case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard current == UInt8(ascii: "\\"), position + 1 < bytes.count,
                    bytes[position + 1] == UInt8(ascii: "u")
                else { throw fail("A high surrogate needs a low one after it.") }
                position += 2
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw fail("A high surrogate needs a low one after it.") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw fail("A low surrogate cannot stand alone.") }
            text.append(contentsOf: Array(String(Character(scalar)).utf8))
        default:
            throw fail("This escape is not one of JSON's.")
        }
    }

    private mutating func hexadecimal() throws(JSONPathError) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
        else { throw fail("Expected four hexadecimal digits here.") }
        position += 4
        return code
    }

    /// Reads a number as JSON writes it.
    mutating func number() throws(JSONPathError) -> PathLiteral {
        let start = position
        _ = skip("-")
        let whole = digits()
        if whole.isEmpty { throw fail("Expected a digit here.") }
        if whole.count > 1 && bytes[whole.lowerBound] == UInt8(ascii: "0") {
            throw fail("A number has no zeros in front.", at: whole.lowerBound)
        }
        if skip(".") && digits().isEmpty { throw fail("Expected a digit here.") }
        if skip("e") || skip("E") {
            if !skip("-") { _ = skip("+") }
            if digits().isEmpty { throw fail("Expected a digit here.") }
        }
        return .number(Array(bytes[start..<position]))
    }

    private mutating func digits() -> Range<Int> {
        let start = position
        while let byte = current, Self.isDigit(byte) { position += 1 }
        return start..<position
    }
}
