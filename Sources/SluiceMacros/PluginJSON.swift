/// A JSON value, as the compiler sends it. What is no JSON is null.
indirect enum PluginJSON {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([PluginJSON])
    case object([(name: String, value: PluginJSON)])

    /// Reads a value.
    init(_ bytes: [UInt8]) {
        var reader = PluginJSONReader(bytes: bytes)
        self = reader.value(depth: 0)
    }

    /// The member of a name; null where there is none.
    subscript(_ name: String) -> PluginJSON {
        if case .object(let members) = self { return members.first { $0.name == name }?.value ?? .null }
        return .null
    }

    /// The text, nil where it is none.
    var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The number, nil where it is none.
    var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
    /// The elements, nil where it is no array.
    var elements: [PluginJSON]? { if case .array(let elements) = self { elements } else { nil } }
    /// The first member, nil where there is none.
    var firstMember: (name: String, value: PluginJSON)? {
        if case .object(let members) = self { members.first } else { nil }
    }

    /// A text as JSON.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                result += "\\u" + String(String(scalar.value + 0x10000, radix: 16).dropFirst())
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

private struct PluginJSONReader {
    /// Deeper than the compiler ever goes.
    private static let deepest = 200

    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skipBlanks() { while position < bytes.count, byte <= 0x20 { position += 1 } }

    private mutating func consume(_ sign: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard position < bytes.count, byte == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    mutating func value(depth: Int) -> PluginJSON {
        skipBlanks()
        guard position < bytes.count, depth < Self.deepest else { return .null }
        switch byte {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return .string(text())
        default: return word()
        }
    }

    private mutating func object(_ depth: Int) -> PluginJSON {
        position += 1
        var members: [(name: String, value: PluginJSON)] = []
        while !consume("}") && position < bytes.count {
            let name = text()
            guard consume(":") else { return .object(members) }
            members.append((name, value(depth: depth + 1)))
            _ = consume(",")
        }
        return .object(members)
    }

    private mutating func array(_ depth: Int) -> PluginJSON {
        position += 1
        var elements: [PluginJSON] = []
        while !consume("]") && position < bytes.count {
            let before = position
            elements.append(value(depth: depth + 1))
            _ = consume(",")
            if position == before { return .array(elements) }
        }
        return .array(elements)
    }

    private mutating func word() -> PluginJSON {
        let start = position
        while position < bytes.count, byte > 0x20, !",]}:".utf8.contains(byte) { position += 1 }
        // A sign that begins nothing is passed over.
        if position == start { position += 1 }
        switch String(decoding: bytes[start..<position], as: UTF8.self) {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case let text: return .number(text)
        }
    }

    private mutating func text() -> String {
        skipBlanks()
        position += 1
        var units: [UInt8] = []
        while position < bytes.count, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                position += 1
                escape(&units)
            } else {
                units.append(byte)
                position += 1
            }
        }
        position += 1
        return String(decoding: units, as: UTF8.self)
    }

    private mutating func escape(_ units: inout [UInt8]) {
        let kind = byte
        position += 1
        switch kind {
        case UInt8(ascii: "n"): units.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "t"): units.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "r"): units.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "u"):
            var code = hexadecimal()
            if (0xD800..<0xDC00).contains(code), byte == UInt8(ascii: "\\") {
                position += 2
                let low = hexadecimal()
                if (0xDC00..<0xE000).contains(low) { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
            }
            units += Array(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
        default: units.append(kind)
        }
    }

    private mutating func hexadecimal() -> UInt32 {
        let end = min(position + 4, bytes.count)
        let digits = String(decoding: bytes[min(position, end)..<end], as: UTF8.self)
        position = end
        return UInt32(digits, radix: 16) ?? 0xFFFD
    }
}
