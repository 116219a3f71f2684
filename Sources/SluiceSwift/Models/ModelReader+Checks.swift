internal import SluiceDiagnostics

extension ModelReader {
    /// Reads a check of an attribute, such as `.length(1...200)`.
    ///
    /// - Parameters:
    ///   - argument: What says it.
    ///   - type: The property's type.
    /// - Returns: Nil where it is none.
    mutating func check(
        _ argument: TypeDeclaration.Attribute.Argument, _ type: String
    ) -> ModelDeclaration.Check? {
        let place = argument.range.lowerBound
        let member = SwiftLiteral.member(argument.text, of: "AttributeCheck")
        let (word, inner) = (member?.name ?? "", member?.arguments ?? "")
        if let types = Self.checkedTypes[word], Self.plainTypes.contains(SwiftType.wrapped(type)),
            !types.contains(SwiftType.wrapped(type))
        {
            complain("@Attribute: `.\(word)` does not check a `\(type)`", at: place)
            return nil
        }
        switch word {
        case "range", "length":
            guard let bounds = CheckBounds(inner), word == "range" || bounds.areCounts else {
                let example = word == "range" ? ".range(0...9.5)" : ".length(1...200)"
                complain("@Attribute: `.\(word)` takes literal bounds in order, as in `\(example)`", at: place)
                return nil
            }
            return word == "range" ? .range(bounds) : .length(bounds)
        case "pattern":
            guard let pattern = SwiftLiteral.string(inner), !pattern.isEmpty else {
                complain("@Attribute: `.pattern` takes a string literal without interpolation", at: place)
                return nil
            }
            // The same reader has the last word when a store is opened.
            if PatternText.expression(pattern) == nil {
                complain("@Attribute: the pattern `\(pattern)` is no regular expression", at: place)
                return nil
            }
            return .pattern(pattern)
        case "values":
            let parts = SwiftLiteral.list(inner)
            let texts = parts.compactMap(SwiftLiteral.string)
            let numbers = parts.compactMap(CheckBounds.number)
            guard !parts.isEmpty, texts.count == parts.count || numbers.count == parts.count else {
                complain("@Attribute: `.values` takes strings or numbers, as literals", at: place)
                return nil
            }
            return texts.isEmpty ? .numbers(numbers) : .texts(texts)
        default:
            complain("@Attribute: `check` is `.range`, `.length`, `.pattern` or `.values`", at: place)
            return nil
        }
    }

    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double", "Decimal",
    ]

    /// The types of those which are stored as they are that each check is for; others may have values of these.
    private static let checkedTypes: [String: Set<String>] = [
        "range": numbers, "length": ["String", "URL", "Data", "[UInt8]"], "pattern": ["String", "URL", "UUID"],
        "values": numbers.union(["String", "URL", "UUID"]),
    ]
}

/// The bounds of a check, as they are written.
package struct CheckBounds: Sendable, Hashable {
    /// The least value, nil where there is none.
    package let lower: String?
    /// The greatest value, nil where there is none.
    package let upper: String?
    /// Whether the greatest value is the first that is too great.
    package let excludesUpper: Bool

    /// Reads a range of literals, such as `1...5`, `..<9.5` or `0...`; nil where it is none, or where its bounds are out of
    /// order.
    ///
    /// - Parameter text: The range, as it is written.
    package init?(_ text: String) {
        guard let sign = [("...", false), ("..<", true)].first(where: { text.contains($0.0) }),
            let range = text.firstRange(of: sign.0)
        else { return nil }
        let parts = (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
        (lower, upper, excludesUpper) = (Self.number(parts.0), Self.number(parts.1), sign.1)
        let isBlank = (parts.0.allSatisfy(\.isWhitespace), parts.1.allSatisfy(\.isWhitespace))
        guard (lower != nil) != isBlank.0, (upper != nil) != isBlank.1, lower != nil || upper != nil,
            !(excludesUpper && upper == nil)
        else { return nil }
        if let lower = lower.flatMap(Double.init), let upper = upper.flatMap(Double.init), lower > upper { return nil }
    }

    /// Whether the bounds are whole numbers that are not negative.
    var areCounts: Bool { [lower, upper].allSatisfy { $0.map { Int($0).map { $0 >= 0 } ?? false } ?? true } }

    /// A number as it is written, without the signs that only people need; nil where it is no decimal literal.
    static func number(_ text: String) -> String? {
        let digits = text.filter { $0 != "_" && !$0.isWhitespace }
        guard let last = digits.last, last.isASCII, last.isNumber, Double(digits)?.isFinite == true,
            digits.allSatisfy({ $0.isASCII && ($0.isNumber || "-+.eE".contains($0)) }), !digits.hasPrefix("+")
        else { return nil }
        return digits
    }
}
