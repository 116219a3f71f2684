internal import SluiceYAML

/// JSON text of YAML scalars.
enum JSONLiteral {
    /// JSON text of what a scalar means; nil for infinity and not-a-number, which JSON does not have.
    static func text(of value: YAMLValue, source: String) -> String? {
        switch value {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .int, .double: number(value, source: source)
        case .string: quote(source)
        }
    }

    /// A JSON number with every digit of the source.
    static func number(_ value: YAMLValue, source: String) -> String? {
        if source.hasPrefix("0x") || source.hasPrefix("0o") {
            if case .int(let int) = value { return String(int) }
            return nil
        }
        // `.inf` and `.nan`; a number that is merely too large for a double keeps its digits.
        if ["inf", "nan"].contains(source.suffix(3).lowercased()) { return nil }
        let isNegative = source.hasPrefix("-")
        let unsigned = source.hasPrefix("+") || isNegative ? source.dropFirst() : source[...]
        let mantissa = unsigned.prefix { $0 != "e" && $0 != "E" }
        let exponent = unsigned.dropFirst(mantissa.count)
        let pieces = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = pieces.first.map { $0.drop { $0 == "0" } } ?? ""
        let fraction = pieces.count > 1 && !pieces[1].isEmpty ? "." + pieces[1] : ""
        return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : whole) + fraction + exponent
    }

    /// A JSON string.
    static func quote(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
