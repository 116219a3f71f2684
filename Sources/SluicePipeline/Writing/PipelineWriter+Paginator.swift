internal import SluiceJSON

extension PipelineWriter {
    /// The paginator of a stream on one line; nil for none.
    package static func paginator(of stream: StreamDefinition) -> String? {
        if stream.paginator == .none { return nil }
        let rule = stream.paginator.rule
        var members = [(key: "type", value: rule.type)]
        for key in rule.keys {
            let value =
                switch key.value {
                case .text(let text): scalar(text)
                case .path(let path): place(path.text)
                case .number(let number): "\(number)"
                }
            members.append((key.name, value))
        }
        if stream.pageLimits.place != .query { members.append(("in", stream.pageLimits.place.rawValue)) }
        return "{" + members.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    }

    /// The rule of a stream on one line; what is not said here has its default.
    static func incremental(_ rule: IncrementalRule) -> String {
        var members = ["cursor_field: \(scalar(rule.field))"]
        if let initial = rule.initialJSON { members.append("initial_value: \(initial)") }
        if rule.isClientSide { members.append("client_side: true") }
        if rule.order != .none { members.append("order: \(rule.order.rawValue)") }
        return "{" + members.joined(separator: ", ") + "}"
    }

    /// A part of a text that is filled in for each request, as the file has it.
    static func text(of part: ConfigurationText.Part) -> String {
        guard let variable = part.variable else { return part.text }
        let filter = variable.filter.map { " | \($0.rawValue)" } ?? ""
        return "{{ \(variable.path)\(filter) }}"
    }

    /// A path as people write it: without what may be left out.
    private static func place(_ text: String) -> String {
        let short = text.hasPrefix("$.") ? String(text.dropFirst(2)) : text
        return scalar(short.contains("[") ? text : short)
    }
}
