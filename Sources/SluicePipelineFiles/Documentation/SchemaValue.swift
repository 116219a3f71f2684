/// A JSON value whose members keep their order, as the JSON Schema is written with.
enum SchemaValue: Sendable {
    case text(String)
    /// A number or a truth value, as JSON text.
    case literal(String)
    case list([SchemaValue])
    case object([(name: String, value: SchemaValue)])

    static let `true` = SchemaValue.literal("true")
    static let `false` = SchemaValue.literal("false")

    static func texts(_ texts: [String]) -> SchemaValue { .list(texts.map { .text($0) }) }
    static func number(_ number: Int) -> SchemaValue { .literal(String(number)) }

    /// The value over several lines, two blanks deeper on each level; what is short stays on one line.
    func pretty(indent: Int = 0) -> String {
        let inner = String(repeating: " ", count: indent + 2)
        let outer = String(repeating: " ", count: indent)
        switch self {
        case .text(let text): return JSONLiteral.quote(text)
        case .literal(let text): return text
        case .list(let elements):
            if let line = oneLine { return line }
            let lines = elements.map { inner + $0.pretty(indent: indent + 2) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            if members.count == 1, let line = oneLine { return line }
            let lines = members.map { "\(inner)\(JSONLiteral.quote($0.name)): \($0.value.pretty(indent: indent + 2))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        }
    }

    /// The value on one line, where it is short and simple.
    private var oneLine: String? {
        let line = compact
        return line.utf8.count <= 80 ? line : nil
    }

    private var compact: String {
        switch self {
        case .text, .literal: pretty()
        case .list(let elements): "[" + elements.map(\.compact).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(JSONLiteral.quote($0.name)): \($0.value.compact)" }.joined(separator: ", ") + "}"
        }
    }
}
