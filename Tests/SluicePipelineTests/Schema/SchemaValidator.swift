import SluiceYAML
import Testing

/// Checks values against a JSON Schema of the keywords that ours uses; any other keyword is an error of the schema.
///
/// Schema and value are both read as YAML, of which JSON is a part.
final class SchemaValidator {
    private let root: YAMLNode
    /// Each expression is compiled once, which costs more than all matches.
    private var expressions: [String: Regex<AnyRegexOutput>] = [:]

    init(schema text: String) throws {
        var limits = YAMLDocument.Limits()
        limits.maximumBytes = 1 << 24
        let document = YAMLDocument(reading: Array(text.utf8), limits: limits)
        try #require(document.problems == [])
        root = try #require(document.root)
    }

    /// Whether a value fits the schema as a whole.
    func accepts(_ value: YAMLNode) throws -> Bool { try accepts(value, schema: root) }

    private struct UnknownKeyword: Error {
        var name: String
    }

    private func accepts(_ value: YAMLNode, schema: YAMLNode) throws -> Bool {
        if case .bool(let allowed)? = schema.scalar?.value { return allowed }
        for member in try #require(schema.mapping) {
            if try !fits(value, member.name, member.value, schema) { return false }
        }
        return true
    }

    private func fits(_ value: YAMLNode, _ keyword: String, _ argument: YAMLNode, _ schema: YAMLNode) throws -> Bool {
        switch keyword {
        // A format is a note for readers unless a validator is told otherwise. See: JSON Schema 2020-12, section 7.2.1
        case "$schema", "$id", "$defs", "title", "description", "default", "examples", "format": return true
        case "$ref": return try accepts(value, schema: definition(argument))
        case "allOf": return try argument.elements.allSatisfy { try accepts(value, schema: $0) }
        case "anyOf": return try argument.elements.contains { try accepts(value, schema: $0) }
        case "type": return (argument.sequence ?? [argument]).contains { value.isOf(type: $0.scalar?.text ?? "") }
        case "const": return value.isSame(as: argument)
        case "enum": return argument.elements.contains { value.isSame(as: $0) }
        case "pattern": return try matches(value, argument)
        case "minimum": return value.number.map { $0 >= argument.number ?? .nan } ?? true
        case "maximum": return value.number.map { $0 <= argument.number ?? .nan } ?? true
        case "items": return try (value.sequence ?? []).allSatisfy { try accepts($0, schema: argument) }
        case "minItems": return value.sequence.map { Double($0.count) >= argument.number ?? .nan } ?? true
        case "minProperties": return value.mapping.map { Double($0.count) >= argument.number ?? .nan } ?? true
        case "required":
            guard let members = value.mapping else { return true }
            return argument.elements.allSatisfy { name in members.contains { $0.name == name.scalar?.text } }
        case "properties":
            return try (value.mapping ?? []).allSatisfy { member in
                try argument.member(member.name).map { try accepts(member.value, schema: $0) } ?? true
            }
        case "additionalProperties":
            let known = schema.member("properties")
            return try (value.mapping ?? []).allSatisfy { member in
                if known?.member(member.name) != nil { return true }
                return try accepts(member.value, schema: argument)
            }
        case "propertyNames":
            return try (value.mapping ?? []).allSatisfy { try accepts($0.key.asText, schema: argument) }
        default: throw UnknownKeyword(name: keyword)
        }
    }

    private func matches(_ value: YAMLNode, _ expression: YAMLNode) throws -> Bool {
        guard value.isOf(type: "string"), let text = value.scalar?.text else { return true }
        let pattern = expression.scalar?.text ?? ""
        // A regular expression of ECMAScript goes by code units, not by characters as people see them.
        let regex = try expressions[pattern] ?? Regex(pattern).matchingSemantics(.unicodeScalar)
        expressions[pattern] = regex
        return text.firstMatch(of: regex) != nil
    }

    private func definition(_ reference: YAMLNode) throws -> YAMLNode {
        let name = try #require(reference.scalar?.text)
        try #require(name.hasPrefix("#/$defs/"))
        return try #require(root.member("$defs")?.member(String(name.dropFirst("#/$defs/".count))), "\(name)")
    }
}

extension YAMLNode {
    fileprivate var elements: [YAMLNode] { sequence ?? [] }

    fileprivate func member(_ name: String) -> YAMLNode? { mapping?.first { $0.name == name }?.value }

    fileprivate var number: Double? {
        switch scalar?.value {
        case .int(let value)?: Double(value)
        case .double(let value)?: value
        default: nil
        }
    }

    fileprivate var asText: YAMLNode {
        let text = YAMLScalar(text: scalar?.text ?? "", style: .plain, value: .string)
        return YAMLNode(content: .scalar(text), start: start, end: end)
    }

    fileprivate func isOf(type: String) -> Bool {
        switch (type, content) {
        case ("object", .mapping), ("array", .sequence): return true
        case (_, .scalar(let scalar)):
            switch (type, scalar.value) {
            case ("null", .null), ("boolean", .bool), ("string", .string): return true
            case ("integer", .int), ("number", .int), ("number", .double): return true
            default: return false
            }
        default: return false
        }
    }

    fileprivate func isSame(as other: YAMLNode) -> Bool {
        guard let left = scalar, let right = other.scalar, left.value == right.value else { return false }
        return left.value != .string || left.text == right.text
    }
}
