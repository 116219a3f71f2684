internal import SluiceJSON

/// Checks JSON against a JSON Schema of the keywords that the report's schema uses; any other keyword is a problem, too.
///
/// It is stricter than the standard: an object whose schema names members may have no other ones, so that whoever writes
/// another key writes it into the schema as well.
package struct JSONSchemaCheck: Sendable {
    private let root: Node

    /// A part of the schema.
    private indirect enum Node: Sendable {
        case scalar(String)
        case list([Node])
        case object([String: Node])

        init(_ value: JSONValue) {
            switch value.kind {
            case .object:
                self = .object(Dictionary(value.members.map { ($0.name, Node($0.value)) }) { first, _ in first })
            case .array: self = .list(value.elements.map(Node.init))
            default: self = .scalar(value.string ?? String(decoding: value.json, as: UTF8.self))
            }
        }

        subscript(name: String) -> Node? { if case .object(let members) = self { members[name] } else { nil } }

        var text: String { if case .scalar(let text) = self { text } else { "" } }
        var elements: [Node] { if case .list(let nodes) = self { nodes } else { [] } }
        var members: [String: Node] { if case .object(let members) = self { members } else { [:] } }
    }

    /// - Throws: `JSONError` where the schema is no JSON.
    package init(_ schema: String) throws { root = Node(try JSONDocument(schema).root) }

    /// What of a document the schema does not allow; none where all is well.
    package func problems(of document: String) -> [String] {
        var problems: [String] = []
        do {
            check(try JSONDocument(document).root, root, "$", &problems)
        } catch { problems.append("it is no JSON: \(error)") }
        return problems
    }

    private func check(_ value: JSONValue, _ schema: Node, _ place: String, _ problems: inout [String]) {
        for (keyword, argument) in schema.members {
            switch keyword {
            case "$schema", "$id", "$defs", "title", "description", "format": break
            case "$ref": check(value, definition(argument.text), place, &problems)
            case "type":
                if !isOf(value, argument.text) { problems.append("\(place) is \(value.kind) and no \(argument.text)") }
            case "const": if value.string != argument.text { problems.append("\(place) is not \(argument.text)") }
            case "enum":
                if !argument.elements.contains(where: { $0.text == value.string }) {
                    problems.append("\(place) is none of \(argument.elements.map(\.text))")
                }
            case "minimum": if value.integer < 0 { problems.append("\(place) is below 0") }
            case "required":
                for name in argument.elements where value.member(named: name.text) == nil {
                    problems.append("\(place) lacks \(name.text)")
                }
            case "properties":
                for member in value.members {
                    guard let known = argument[member.name] else {
                        problems.append("\(place) may have no \(member.name)")
                        continue
                    }
                    check(member.value, known, "\(place).\(member.name)", &problems)
                }
            case "additionalProperties":
                for member in value.members { check(member.value, argument, "\(place).\(member.name)", &problems) }
            case "items":
                for (index, element) in value.elements.enumerated() {
                    check(element, argument, "\(place)[\(index)]", &problems)
                }
            case "anyOf":
                let fits = argument.elements.contains { choice in
                    var found: [String] = []
                    check(value, choice, place, &found)
                    return found.isEmpty
                }
                if !fits { problems.append("\(place) is \(value.kind), which it may not be") }
            default: problems.append("the schema has an unknown keyword \(keyword)")
            }
        }
    }

    private func definition(_ reference: String) -> Node {
        root["$defs"]?[String(reference.dropFirst("#/$defs/".count))] ?? .object(["missing \(reference)": .list([])])
    }

    private func isOf(_ value: JSONValue, _ type: String) -> Bool {
        switch value.kind {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .integer: type == "integer" || type == "number"
        case .number: type == "number"
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
