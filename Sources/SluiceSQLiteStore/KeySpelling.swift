internal import SluiceModel

/// A value that somebody wrote in another way than identifiers of records are written: `4.50` for `4.5`, or a UUID in capital
/// letters.
struct KeySpelling: Equatable, Sendable {
    /// As it is written.
    let old: String
    /// As identifiers are.
    let new: String

    /// - Parameters:
    ///   - text: A text; nil is made of one that is no value of the type, and of one that is written as identifiers are.
    ///   - type: The type.
    init?(_ text: String, _ type: FieldType) {
        let identifier =
            switch type {
            case .decimal: Self.decimal(text)
            case .uuid: Self.uuid(text)
            case .string, .url, .enumeration, .int, .double, .bool, .date, .datetime, .json, .bytes: String?.none
            }
        guard let identifier, identifier != text else { return nil }
        (old, new) = (text, identifier)
    }

    private static func uuid(_ text: String) -> String? {
        let bytes = Array(text.lowercased().utf8)
        let whole = UUIDText.hyphenated(bytes.filter { $0 != UInt8(ascii: "-") })
        guard let whole, whole == bytes || bytes.count == 32 else { return nil }
        return String(decoding: whole, as: UTF8.self)
    }

    /// A number as identifiers are written; nil where a text is none.
    private static func decimal(_ text: String) -> String? {
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
    /// - Parameters:
    ///   - column: The column, in quotes.
    ///   - type: The type of its values.
    /// - Returns: The condition; nil where all values of the type have one spelling.
    static func mayBeOther(_ column: String, _ type: FieldType) -> String? {
        if type == .uuid { return "length(\(column)) <> 36 OR \(column) <> lower(\(column))" }
        guard type == .decimal else { return nil }
        let patterns = ["*.*0", "*.", "*[eE+]*", "0[0-9]*", "-0*", ".*", "-.*"]
        let isAny = patterns.map { "\(column) GLOB '\($0)'" }.joined(separator: " OR ")
        // Identifiers with more zeros than people write have an exponent.
        return "typeof(\(column)) = 'text' AND (\(isAny) OR length(\(column)) > 40)"
    }
}
