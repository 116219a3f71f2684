internal import SluiceModel

/// A decimal that somebody wrote in another way than identifiers of records are written: `4.50` for `4.5`.
struct DecimalSpelling: Equatable, Sendable {
    /// As it is written.
    let old: String
    /// As identifiers are.
    let new: String

    /// - Parameter text: A text; nil is made of one that is no number, and of one that is written as identifiers are.
    init?(_ text: String) {
        guard let new = Self.identifier(text), new != text else { return nil }
        (old, self.new) = (text, new)
    }

    /// A number as identifiers are written; nil where a text is none.
    private static func identifier(_ text: String) -> String? {
        // People, and PostgreSQL, also take `+4.5`, `04.5`, `.5` and `5.`.
        var digits = text[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits = digits.dropFirst() }
        guard digits.contains(where: { ("0"..."9").contains($0) }) else { return nil }
        while digits.hasPrefix("0"), digits.dropFirst().first.map({ ("0"..."9").contains($0) }) ?? false {
            digits = digits.dropFirst()
        }
        var number = (isNegative ? "-" : "") + (digits.hasPrefix(".") ? "0" : "") + digits
        if number.hasSuffix(".") { number.removeLast() }
        let bytes = Array(number.utf8)
        let form = CanonicalValue().form(of: bytes[...], type: .decimal, comparison: .exact)
        // What is no number has no other form; what is one is compared with what it looks like.
        guard form != bytes || Self.isPlain(bytes) else { return nil }
        return String(decoding: form, as: UTF8.self)
    }

    /// Whether a text has nothing but a sign, digits and a point.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        var points = 0
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "-") where index == 0: break
            case UInt8(ascii: "."): points += 1
            default: return false
            }
        }
        return points <= 1
    }

    /// A condition that a column may have a text in another spelling: it holds for all of them, and for few others.
    ///
    /// - Parameter column: The column, in quotes.
    /// - Returns: The condition.
    static func mayBeOther(_ column: String) -> String {
        let patterns = ["*.*0", "*.", "*[eE+]*", "0[0-9]*", "-0*", ".*", "-.*"]
        let isAny = patterns.map { "\(column) GLOB '\($0)'" }.joined(separator: " OR ")
        // Identifiers with more zeros than people write have an exponent.
        return "typeof(\(column)) = 'text' AND (\(isAny) OR length(\(column)) > 40)"
    }
}
