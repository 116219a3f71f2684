/// Literals, as they are written in Swift.
package enum SwiftLiteral {
    /// The value of a string literal.
    ///
    /// - Parameter text: The literal with its quotation marks.
    /// - Returns: Its value; nil where it is none, has interpolations, or has several lines.
    package static func string(_ text: String) -> String? {
        let hashes = text.prefix { $0 == "#" }.count
        let inner = text.dropFirst(hashes).dropLast(hashes)
        guard text.hasSuffix(String(repeating: "#", count: hashes)), inner.utf8.count >= 2, inner.hasPrefix("\""),
            inner.hasSuffix("\""), !inner.hasPrefix("\"\"\"")
        else { return nil }
        var result = ""
        var rest = inner.dropFirst().dropLast().unicodeScalars[...]
        let escape = "\\" + String(repeating: "#", count: hashes)
        while let scalar = rest.first {
            guard rest.starts(with: escape.unicodeScalars) else {
                if scalar == "\"" && hashes == 0 { return nil }
                result.unicodeScalars.append(scalar)
                rest.removeFirst()
                continue
            }
            rest.removeFirst(escape.unicodeScalars.count)
            guard let escaped = escapedScalar(&rest) else { return nil }
            result.unicodeScalars.append(escaped)
        }
        return result
    }

    /// The parts of a list of literals, which commas part.
    static func list(_ text: String) -> [String] {
        let reader = DeclarationReader.read(Array("@list(\(text)) struct List {}".utf8))
        return reader.attributes.first?.arguments.map(\.text) ?? []
    }

    /// The parts of an array literal.
    ///
    /// - Parameter text: The literal with its brackets.
    /// - Returns: The parts, as they are written; nil where it is none.
    static func elements(_ text: String) -> [String]? {
        guard text.hasPrefix("["), text.hasSuffix("]"), text.count >= 2 else { return nil }
        let parts = list(String(text.dropFirst().dropLast()))
        // A comma may follow the last one.
        return parts.last?.isEmpty == true ? parts.dropLast() : parts
    }

    /// A member of a type, as in `.range(0...9)` or `AttributeCheck.range(0...9)`.
    ///
    /// - Parameters:
    ///   - text: What is written.
    ///   - type: The type's name, without those that it stands in.
    /// - Returns: The member's name, and what stands in its parentheses, nil where it has none; nil where another expression is
    ///   written, such as a constant: what is read of a source does not know its value.
    static func member(_ text: String, of type: String) -> (name: String, arguments: String?)? {
        let head = text.prefix { $0 != "(" }
        let names = head.split(separator: ".", omittingEmptySubsequences: false).map { part in
            String(part.filter { !$0.isWhitespace && $0 != "`" })
        }
        guard names.count > 1, let name = names.last, !name.isEmpty,
            names.dropLast() == [""] || names.dropLast().last == type
        else { return nil }
        let rest = text.dropFirst(head.count)
        if rest.isEmpty { return (name, nil) }
        return rest.hasSuffix(")") ? (name, String(rest.dropFirst().dropLast())) : nil
    }

    private static func escapedScalar(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
        guard let kind = rest.popFirst() else { return nil }
        switch kind {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0": return "\0"
        case "\\", "\"", "'": return kind
        case "u":
            guard rest.popFirst() == "{" else { return nil }
            let digits = String(String.UnicodeScalarView(rest.prefix { $0 != "}" }))
            rest = rest.dropFirst(digits.unicodeScalars.count + 1)
            return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        default: return nil
        }
    }

    /// A text as a Swift string literal.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The type that the compiler gives a property of a literal initial value; nil where it is no plain literal.
    package static func type(of value: String) -> String? {
        if value == "true" || value == "false" { return "Bool" }
        if value.hasPrefix("\"") || value.hasPrefix("#") { return string(value) == nil ? nil : "String" }
        let digits = value.filter { $0 != "_" }
        let unsigned = digits.hasPrefix("-") ? String(digits.dropFirst()) : digits
        guard unsigned.first?.isASCII == true, unsigned.first?.isNumber == true else { return nil }
        if Int(digits) != nil || unsigned.hasPrefix("0x") { return "Int" }
        return Double(digits) == nil ? nil : "Double"
    }
}
