/// Whether a text is a path into JSON, as the store reads it: RFC 9535, of which the leading `$.` may be left out.
///
/// What a condition (`?…`) says is for the store to judge: of it only where it ends is known here.
package struct JSONPathGrammar {
    /// So many parts a path may have.
    private static let mostParts = 512

    private let bytes: [UInt8]
    private var position = 0
    private var parts = 0

    /// Finds out whether a text is a path.
    ///
    /// - Parameter text: The text.
    /// - Returns: False where the store would refuse it, true where it would take it or where a condition decides.
    package static func accepts(_ text: String) -> Bool {
        var grammar = JSONPathGrammar(bytes: Array(text.utf8))
        return grammar.path()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func path() -> Bool {
        if bytes.isEmpty { return false }
        let isShort = !skip("$")
        if isShort, current != UInt8(ascii: "["), !member(isLenient: true) { return false }
        while position < bytes.count {
            skipSpace()
            if skip(".") {
                let isDescendant = skip(".")
                guard isDescendant && skip("[") ? brackets() : member(isLenient: isShort) else { return false }
            } else {
                guard skip("["), brackets() else { return false }
            }
        }
        return parts <= Self.mostParts
    }

    /// A name without quotes, or `*`.
    private mutating func member(isLenient: Bool) -> Bool {
        parts += 1
        if skip("*") { return true }
        let start = position
        while let byte = current {
            let isLetter = byte >= 0x80 || byte == UInt8(ascii: "_") || Self.isLetter(byte)
            let isOther = isLenient && (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "@"))
            guard isLetter || isOther || Self.isDigit(byte) && (isLenient || position > start) else { break }
            position += 1
        }
        return position > start
    }

    /// What stands behind `[`, up to its end.
    private mutating func brackets() -> Bool {
        parts += 1
        while true {
            skipSpace()
            parts += 1
            guard selector() else { return false }
            skipSpace()
            if skip("]") { return true }
            guard skip(",") else { return false }
        }
    }

    private mutating func selector() -> Bool {
        switch current {
        case UInt8(ascii: "*"):
            position += 1
            return true
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return quoted()
        case UInt8(ascii: "?"): return condition()
        default:
            if current != UInt8(ascii: ":"), !index() { return false }
            let end = position
            skipSpace()
            guard skip(":") else {
                position = end
                return true
            }
            guard optionalIndex() else { return false }
            skipSpace()
            return skip(":") ? optionalIndex() : true
        }
    }

    private mutating func optionalIndex() -> Bool {
        let start = position
        skipSpace()
        if let byte = current, Self.isDigit(byte) || byte == UInt8(ascii: "-") { return index() }
        position = start
        return true
    }

    private mutating func index() -> Bool {
        let isNegative = skip("-")
        let start = position
        while let byte = current, Self.isDigit(byte) { position += 1 }
        let digits = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Int(digits), value < 1 << 53 else { return false }
        return digits.first != "0" || digits == "0" && !isNegative
    }

    /// A name in quotes, with the escapes of JSON.
    private mutating func quoted() -> Bool {
        let quote = bytes[position]
        position += 1
        while let byte = current, byte >= 0x20 {
            position += 1
            if byte == quote { return true }
            guard byte != UInt8(ascii: "\\") || escape(quote) else { return false }
        }
        return false
    }

    private mutating func escape(_ quote: UInt8) -> Bool {
        guard let byte = current else { return false }
        position += 1
        if byte == quote || "\\/bfnrt".utf8.contains(byte) { return true }
        guard byte == UInt8(ascii: "u"), let unit = codeUnit() else { return false }
        if !(0xD800..<0xE000).contains(unit) { return true }
        // A surrogate needs its other half.
        guard unit < 0xDC00, skip("\\"), skip("u"), let low = codeUnit() else { return false }
        return (0xDC00..<0xE000).contains(low)
    }

    private mutating func codeUnit() -> UInt32? {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy(Self.isHexadecimal) else { return nil }
        position += 4
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// A condition: all up to the bracket that ends it, or the comma before another selector.
    private mutating func condition() -> Bool {
        position += 1
        var open: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                guard quoted() else { return false }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "("): open.append(byte)
            case UInt8(ascii: "]"), UInt8(ascii: ")"):
                let opening = UInt8(ascii: byte == UInt8(ascii: "]") ? "[" : "(")
                if open.isEmpty { return byte == UInt8(ascii: "]") }
                guard open.removeLast() == opening else { return false }
            case UInt8(ascii: ",") where open.isEmpty: return true
            default: break
            }
            position += 1
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f")
    }
}
