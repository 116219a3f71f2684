/// JSON as the tests read it: slowly, and independently of the reader that they check. Numbers keep their text.
indirect enum Tree: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([Tree])
    case object([Member])

    struct Member: Hashable, Sendable {
        var name: String
        var value: Tree
    }

    struct NotJSON: Error {
        let offset: Int
    }

    init(parsing bytes: [UInt8]) throws {
        var reader = TreeReader(bytes: bytes)
        self = try reader.value()
        reader.skipBlanks()
        guard reader.position == bytes.count else { throw NotJSON(offset: reader.position) }
    }

    init(_ text: String) throws { try self.init(parsing: Array(text.utf8)) }

    /// The elements of an array, nothing for anything else.
    var elements: [Tree] { if case .array(let elements) = self { elements } else { [] } }

    /// The member of a name, by its bytes; of several the last one.
    subscript(name: String) -> Tree? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The value at a path of names and indexes, as in `a.b.0`; a null on the way is a null at its end.
    func at(_ path: String) -> Tree? {
        path.split(separator: ".").reduce(Optional(self)) { tree, step in
            guard let tree else { return nil }
            if tree == .null { return .null }
            if let index = Int(step), case .array(let elements) = tree {
                return elements.indices.contains(index) ? elements[index] : nil
            }
            return tree[String(step)]
        }
    }

    /// The text without white space, members in their order.
    var compact: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.compact).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.compact }.joined(separator: ",") + "}"
        }
    }

    /// A value that is the same for two trees exactly where they are equal: no order of members, numbers by value.
    var canonical: Tree {
        switch self {
        case .null, .bool, .string: self
        case .number(let text): .number(SlowNumber(text)?.canonical ?? text)
        case .array(let elements): .array(elements.map(\.canonical))
        case .object(let members):
            .object(
                members.map { Member(name: $0.name, value: $0.value.canonical) }
                    .sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) })
        }
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{8}": quoted += "\\b"
            case "\u{C}": quoted += "\\f"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

private struct TreeReader {
    let bytes: [UInt8]
    var position = 0

    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }
    private var failure: Tree.NotJSON { Tree.NotJSON(offset: position) }

    mutating func skipBlanks() {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    mutating func value() throws -> Tree {
        skipBlanks()
        switch current {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default:
            let start = position
            while "+-.eE0123456789".utf8.contains(current) { position += 1 }
            if start == position { throw failure }
            return .number(String(decoding: bytes[start..<position], as: UTF8.self))
        }
    }

    private mutating func word(_ word: String, _ tree: Tree) throws -> Tree {
        guard bytes[position...].starts(with: word.utf8) else { throw failure }
        position += word.utf8.count
        return tree
    }

    private mutating func array() throws -> Tree {
        var elements: [Tree] = []
        position += 1
        skipBlanks()
        if current == UInt8(ascii: "]") {
            position += 1
            return .array([])
        }
        while true {
            elements.append(try value())
            skipBlanks()
            position += 1
            if bytes[position - 1] == UInt8(ascii: "]") { return .array(elements) }
            if bytes[position - 1] != UInt8(ascii: ",") { throw failure }
        }
    }

    private mutating func object() throws -> Tree {
        var members: [Tree.Member] = []
        position += 1
        skipBlanks()
        if current == UInt8(ascii: "}") {
            position += 1
            return .object([])
        }
        while true {
            skipBlanks()
            let name = try string()
            skipBlanks()
            if current != UInt8(ascii: ":") { throw failure }
            position += 1
            members.append(Tree.Member(name: name, value: try value()))
            skipBlanks()
            position += 1
            if bytes[position - 1] == UInt8(ascii: "}") { return .object(members) }
            if bytes[position - 1] != UInt8(ascii: ",") { throw failure }
        }
    }

    private mutating func string() throws -> String {
        guard current == UInt8(ascii: "\"") else { throw failure }
        position += 1
        var text: [UInt8] = []
        while current != UInt8(ascii: "\"") {
            if position >= bytes.count { throw failure }
            if current != UInt8(ascii: "\\") {
                let start = position
                while position < bytes.count {
                    let byte = bytes[position]
                    if byte == 0x22 || byte == 0x5C { break }
                    position += 1
                }
                text.append(contentsOf: bytes[start..<position])
                continue
            }
            position += 2
            switch bytes[position - 1] {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "u"):
                var unit = try unicode()
                if (0xD800..<0xDC00).contains(unit) {
                    position += 2
                    unit = 0x10000 + (unit - 0xD800) << 10 + (try unicode() - 0xDC00)
                }
                guard let scalar = Unicode.Scalar(unit) else { throw failure }
                text.append(contentsOf: String(Character(scalar)).utf8)
            case let byte: text.append(byte)
            }
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func unicode() throws -> UInt32 {
        guard position + 4 <= bytes.count,
            let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw failure }
        position += 4
        return unit
    }
}

/// A number as its digits and a power of ten, read without any arithmetic of the code that is tested.
struct SlowNumber: Hashable {
    var isNegative: Bool
    /// Without zeros at either end; empty for zero.
    var digits: String
    var power: Int

    init?(_ text: String) {
        var rest = Substring(text)
        isNegative = rest.hasPrefix("-")
        if isNegative { rest = rest.dropFirst() }
        let parts = rest.split(separator: "e", omittingEmptySubsequences: false)
            .flatMap { $0.split(separator: "E", omittingEmptySubsequences: false) }
        guard (1...2).contains(parts.count) else { return nil }
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(mantissa.count), mantissa.allSatisfy({ Self.isDigits($0) }) else { return nil }
        if mantissa[0].count > 1 && mantissa[0].hasPrefix("0") { return nil }
        power = 0
        if parts.count == 2 {
            let sign = parts[1].first == "+" || parts[1].first == "-" ? 1 : 0
            guard Self.isDigits(parts[1].dropFirst(sign)), let value = Int(parts[1]) else { return nil }
            power = value
        }
        var digits = mantissa.joined()
        if mantissa.count == 2 { power -= mantissa[1].count }
        while digits.hasSuffix("0") {
            digits.removeLast()
            power += 1
        }
        self.digits = String(digits.drop { $0 == "0" })
        if self.digits.isEmpty { (power, isNegative) = (0, false) }
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The value as a 64-bit integer, nil where it is none.
    var integer: Int64? {
        if digits.isEmpty { return 0 }
        guard power >= 0, power < 20 else { return nil }
        return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: power))
    }

    /// Without an exponent up to forty digits, else with one digit before the point.
    var written: String {
        if digits.isEmpty { return "0" }
        let sign = isNegative ? "-" : ""
        let point = digits.count + power
        func zeros(_ count: Int) -> String { String(repeating: "0", count: max(0, count)) }
        if point > 0, point <= max(40, digits.count) {
            let rest = digits.dropFirst(point)
            return sign + digits.prefix(point) + zeros(power) + (rest.isEmpty ? "" : "." + rest)
        }
        if point <= 0, point >= -40 { return sign + "0." + zeros(-point) + digits }
        let rest = digits.dropFirst()
        return sign + digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e\(point - 1)"
    }

    var canonical: String { (isNegative ? "-" : "") + (digits.isEmpty ? "0" : digits + "e\(power)") }
}
