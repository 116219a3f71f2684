/// The rules by which a plain scalar is null, a truth value, a number or text.
///
/// See: yaml.org/spec/1.2.2/#103-core-schema. What YAML 1.1 adds (`yes`, `on`, `1_000`, `1:30`, dates) is text.
package enum CoreSchema {
    /// What a plain scalar with these characters means; text where no rule says otherwise.
    package static func resolve(_ text: String) -> YAMLValue {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case ".nan", ".NaN", ".NAN": return .double(.nan)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .double(.infinity)
        case "-.inf", "-.Inf", "-.INF": return .double(-.infinity)
        default: return number(text) ?? .string
        }
    }

    private static func number(_ text: String) -> YAMLValue? {
        // No number starts with anything else, and most scalars are words.
        guard let first = text.utf8.first, isDigit(first) || "+-.".utf8.contains(first) else { return nil }
        if text.hasPrefix("0o") { return integer(text.dropFirst(2), radix: 8) }
        if text.hasPrefix("0x") { return integer(text.dropFirst(2), radix: 16) }
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = rest.prefix(while: isDigit).count
        rest.removeFirst(whole)
        if rest.isEmpty {
            guard whole > 0 else { return nil }
            return Int(text).map(YAMLValue.int) ?? Double(text).map(YAMLValue.double)
        }
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = rest.prefix(while: isDigit).count
            rest.removeFirst(fraction)
        }
        guard whole + fraction > 0 else { return nil }
        if let marker = rest.first {
            guard marker | 0x20 == UInt8(ascii: "e") else { return nil }
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard !rest.isEmpty, rest.allSatisfy(isDigit) else { return nil }
        }
        return Double(text).map(YAMLValue.double)
    }

    private static func integer(_ digits: Substring, radix: Int) -> YAMLValue? {
        let isValid = digits.utf8.allSatisfy { byte in
            radix == 8 ? (0x30...0x37).contains(byte) : isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
        }
        guard !digits.isEmpty, isValid else { return nil }
        if let value = Int(digits, radix: radix) { return .int(value) }
        return .double(
            digits.utf8.reduce(0) { value, byte in
                value * Double(radix) + Double(isDigit(byte) ? byte - 0x30 : (byte | 0x20) - 0x61 + 10)
            })
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
