extension JSONPath {
    /// Reads a path.
    ///
    /// - Parameter text: The path; a leading `$.` may be left out.
    /// - Throws: ``JSONPathError`` with the offset of the first character that does not fit.
    public init(parsing text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text: text)
        self.init(steps: try parser.parse(), text: text)
    }
}

private struct JSONPathParser {
    private let bytes: [UInt8]
    private var position = 0

    init(text: String) { bytes = Array(text.utf8) }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func parse() throws(JSONPathError) -> [JSONPath.Step] {
        if bytes.isEmpty { throw fail("The path is empty; `$` stands for the whole value.") }
        var steps: [JSONPath.Step] = []
        if current == UInt8(ascii: "$") {
            position += 1
        } else if current != UInt8(ascii: "[") {
            steps.append(try shorthand())
        }
        while let byte = current {
            switch byte {
            case UInt8(ascii: "."):
                position += 1
                if current == UInt8(ascii: ".") {
                    throw fail("Descendant segments (`..`) are not supported; name every step.")
                }
                steps.append(try shorthand())
            case UInt8(ascii: "["):
                position += 1
                steps.append(try bracketed())
            default:
                throw fail("Expected `.` or `[` here.")
            }
        }
        return steps
    }

    private mutating func shorthand() throws(JSONPathError) -> JSONPath.Step {
        if current == UInt8(ascii: "*") {
            position += 1
            return .wildcard
        }
        let start = position
        while let byte = current, byte != UInt8(ascii: "."), byte != UInt8(ascii: "[") {
            let isNameCharacter =
                byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "@")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            if !isNameCharacter { throw fail("This character needs the form `['name']`.") }
            position += 1
        }
        if position == start { throw fail("Expected the name of a member here.") }
        return .name(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func bracketed() throws(JSONPathError) -> JSONPath.Step {
        let step: JSONPath.Step
        switch current {
        case UInt8(ascii: "*"):
            position += 1
            step = .wildcard
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            step = .name(try quoted())
        default:
            step = .index(try index())
        }
        guard current == UInt8(ascii: "]") else {
            throw fail("Expected `]` here; one name, one index or `*` stands between the brackets.")
        }
        position += 1
        return step
    }

    private mutating func index() throws(JSONPathError) -> Int {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        let digits = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let hasLeadingZero = bytes[digits..<position].first == UInt8(ascii: "0") && text != "0"
        // The range is the one of I-JSON, see RFC 9535 section 2.1.
        guard position > digits, !hasLeadingZero, let value = Int(text), value.magnitude < 1 << 53 else {
            position = start
            throw fail("Expected a quoted name, an index or `*` here.")
        }
        return value
    }

    private mutating func quoted() throws(JSONPathError) -> String {
        let quote = bytes[position]
        position += 1
        var name: [UInt8] = []
        while let byte = current {
            position += 1
            if byte == quote { return String(decoding: name, as: UTF8.self) }
            if byte < 0x20 { throw fail("A control character must be escaped.") }
            if byte == UInt8(ascii: "\\") { try appendEscape(to: &name, quote: quote) } else { name.append(byte) }
        }
        throw fail("The quote is not closed.")
    }

    private mutating func appendEscape(to name: inout [UInt8], quote: UInt8) throws(JSONPathError) {
        guard let byte = current else { throw fail("The quote is not closed.") }
        position += 1
        switch byte {
        case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): name.append(byte)
        case UInt8(ascii: "b"): name.append(0x08)
        case UInt8(ascii: "f"): name.append(0x0C)
        case UInt8(ascii: "n"): name.append(0x0A)
        case UInt8(ascii: "r"): name.append(0x0D)
        case UInt8(ascii: "t"): name.append(0x09)
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
            name.append(contentsOf: Array(String(Character(scalar)).utf8))
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

    private func fail(_ message: String) -> JSONPathError { JSONPathError(message: message, offset: position) }
}
