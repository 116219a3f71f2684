/// A slow and simple parser, written from RFC 8259 without a look at the fast one.
struct ReferenceParser {
    private struct Invalid: Error {}

    private let text: [Unicode.Scalar]
    private var position = 0

    /// The value, or nil for a text that is not JSON.
    static func parse(_ bytes: some Collection<UInt8>) -> ReferenceValue? {
        var text: [Unicode.Scalar] = []
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): text.append(scalar)
            case .emptyInput: break decoding
            case .error: return nil
            }
        }
        if text.first == "\u{FEFF}" { text.removeFirst() }
        var parser = ReferenceParser(text: text)
        guard let value = try? parser.value() else { return nil }
        parser.skipSpace()
        return parser.position == text.count ? value : nil
    }

    private init(text: [Unicode.Scalar]) { self.text = text }

    private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private mutating func skipSpace() {
        while let current, " \n\r\t".unicodeScalars.contains(current) { position += 1 }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ word: String) throws {
        for scalar in word.unicodeScalars where !take(scalar) { throw Invalid() }
    }

    private mutating func value() throws -> ReferenceValue {
        skipSpace()
        switch current {
        case "{": return try object()
        case "[": return try array()
        case "\"": return .string(Array(try string().utf8))
        case "t":
            try expect("true")
            return .bool(true)
        case "f":
            try expect("false")
            return .bool(false)
        case "n":
            try expect("null")
            return .null
        default: return .number(try number())
        }
    }

    private mutating func array() throws -> ReferenceValue {
        try expect("[")
        var values: [ReferenceValue] = []
        skipSpace()
        if take("]") { return .array(values) }
        repeat {
            values.append(try value())
            skipSpace()
        } while take(",")
        try expect("]")
        return .array(values)
    }

    private mutating func object() throws -> ReferenceValue {
        try expect("{")
        var members: [ReferenceValue.Member] = []
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            let name = Array(try string().utf8)
            skipSpace()
            try expect(":")
            members.append(.init(name: name, value: try value()))
            skipSpace()
        } while take(",")
        try expect("}")
        return .object(members)
    }

    private mutating func string() throws -> String {
        try expect("\"")
        var units: [UInt16] = []
        while let scalar = current {
            position += 1
            if scalar == "\"" {
                guard let string = String(validating: units, as: UTF16.self) else { throw Invalid() }
                return string
            }
            if scalar.value < 0x20 { throw Invalid() }
            if scalar == "\\" {
                units.append(try escape())
            } else {
                units.append(contentsOf: Array(String(scalar).utf16))
            }
        }
        throw Invalid()
    }

    private mutating func escape() throws -> UInt16 {
        guard let scalar = current else { throw Invalid() }
        position += 1
        let letters: [Unicode.Scalar: UInt16] = [
            "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        if let unit = letters[scalar] { return unit }
        guard scalar == "u", position + 4 <= text.count else { throw Invalid() }
        let digits = text[position..<position + 4]
        position += 4
        guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { throw Invalid() }
        let word = digits.map { String($0) }.joined()
        guard let unit = UInt16(word, radix: 16) else { throw Invalid() }
        return unit
    }

    private mutating func number() throws -> String {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        var token = String.UnicodeScalarView()
        token.append(contentsOf: text[start..<position])
        return String(token)
    }

    private mutating func digits() throws {
        let start = position
        while let current, ("0"..."9").contains(current) { position += 1 }
        if position == start { throw Invalid() }
    }
}
