internal import SluiceYAML

extension SchemaValue {
    /// The value of a YAML text; nil where it is none, or holds what JSON does not have.
    init?(yaml text: String) {
        let document = YAMLDocument(reading: Array("value: \(text)\n".utf8))
        guard document.problems.isEmpty, let node = document.root?.mapping?.first?.value else { return nil }
        self.init(node)
    }

    private init?(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar):
            guard let json = JSONLiteral.text(of: scalar.value, source: scalar.text) else { return nil }
            self = .literal(json)
        case .sequence(let elements):
            let values = elements.compactMap { SchemaValue($0) }
            guard values.count == elements.count else { return nil }
            self = .list(values)
        case .mapping(let members):
            let values = members.compactMap { member in SchemaValue(member.value).map { (member.name, $0) } }
            guard values.count == members.count else { return nil }
            self = .object(values.map { (name: $0.0, value: $0.1) })
        }
    }
}

extension KeySpec {
    /// What holds where the key is left out, as a value; nil where that is told in words.
    var defaultValue: SchemaValue? {
        guard let text = defaultText, text.hasPrefix("{") || !text.contains(" ") else { return nil }
        return SchemaValue(yaml: text)
    }
}
