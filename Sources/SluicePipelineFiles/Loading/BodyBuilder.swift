internal import SluicePipeline
internal import SluiceYAML

/// Makes the definition of a stream's `body`.
struct BodyBuilder {
    let node: ConfigNode
    let reporter: Reporter

    func build() -> StreamDefinition.Body? {
        let forms = ["json", "form", "text"].filter { node.member($0) != nil }
        if forms.count > 1, let second = node.member(forms[1]) {
            let detail = "`body` is \(forms.map { "`\($0)`" }.joined(separator: " and ")) at once."
            reporter.report(.conflictingKeys, detail, at: second.start, help: "Leave all but one of them out.")
        }
        if forms.isEmpty {
            let help = "For example: `body: {json: {status: open}}`"
            reporter.report(.missingKey, "`body` needs `json`, `form` or `text`.", at: node.start, help: help)
        }
        if let value = node.member("json") { return .json(Self.value(value)) }
        if let form = node.member("form") { return .form(form.namedTemplates) }
        return node.member("text")?.template.map { .text($0) }
    }

    private static func value(_ node: ConfigNode) -> StreamDefinition.BodyValue {
        switch node.content {
        case .sequence(let elements): return .array(elements.map(value))
        case .mapping(let members):
            return .object(members.map { StreamDefinition.BodyMember(name: $0.name, value: value($0.value)) })
        case .scalar(let scalar):
            if scalar.value == .string { return .text(scalar.text.template()) }
            let text = JSONLiteral.text(of: scalar.value, source: scalar.text.revealed) ?? "null"
            return .literal(ConfigurationText(parts: [.init(text, isSecret: scalar.text.isSecret)]))
        }
    }
}
