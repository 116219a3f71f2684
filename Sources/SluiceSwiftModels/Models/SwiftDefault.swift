internal import SluiceJSON
internal import SluiceModel
internal import SluiceSwift

/// The default of a field as an initial value of Swift.
enum SwiftDefault {
    /// The literal.
    ///
    /// - Parameters:
    ///   - json: The default as JSON text.
    ///   - type: The field's type.
    ///   - enumeration: The enum of its values, nil where it has none.
    /// - Returns: The literal; nil where Swift has none for it.
    static func literal(_ json: String, _ type: FieldType, _ enumeration: SwiftModel.Enumeration?) -> String? {
        if json == "null" { return "nil" }
        switch type {
        case .bool: return ["true", "false"].contains(json) ? json : nil
        case .int: return Int64(json).map(String.init)
        case .double: return isNumber(json) ? json : nil
        // Literals with a point pass through a double.
        case .decimal:
            let digits = text(json) ?? json
            return isNumber(digits) && digits.utf8.count <= 15 ? digits : nil
        case .string: return text(json).map(SwiftLiteral.quoted)
        case .enumeration:
            guard let value = text(json) else { return nil }
            guard let enumeration else { return SwiftLiteral.quoted(value) }
            return enumeration.cases.first { $0.value == value }.map { ".\(SwiftName.written($0.name))" }
        case .date, .datetime, .uuid, .url, .json, .bytes: return nil
        }
    }

    private static func text(_ json: String) -> String? { (try? JSONDocument(json).root)?.string }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
