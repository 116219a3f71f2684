internal import SluiceJSON

extension PipelineWriter {
    /// The paginator of a stream on one line; nil for none.
    package static func paginator(of stream: StreamDefinition) -> String? {
        var members: [(key: String, value: String)] = []
        switch stream.paginator {
        case .none: return nil
        case .headerLink(let relation):
            members.append(("type", "header_link"))
            if relation != "next" { members.append(("rel", scalar(relation))) }
        case .jsonLink(let path): members += [("type", "json_link"), ("path", place(path.text))]
        case .cursor(let cursor):
            members.append(("type", "cursor"))
            if cursor.origin != .body { members.append(("cursor_from", cursor.origin.rawValue)) }
            members.append(
                ("cursor_path", cursor.origin == .header ? scalar(cursor.header) : place(cursor.path?.text ?? "$")))
            members.append(("cursor_param", scalar(cursor.parameter)))
            if let path = cursor.hasMorePath { members.append(("has_more_path", place(path.text))) }
        case .pageNumber(let rule):
            members.append(("type", "page_number"))
            if rule.parameter != "page" { members.append(("page_param", scalar(rule.parameter))) }
            if rule.start != 1 { members.append(("start", "\(rule.start)")) }
            if let path = rule.totalPath { members.append(("total_pages_path", place(path.text))) }
        case .offset(let rule):
            members.append(("type", "offset"))
            if rule.parameter != "offset" { members.append(("offset_param", scalar(rule.parameter))) }
            if rule.limitParameter != "limit" { members.append(("limit_param", scalar(rule.limitParameter))) }
            if let path = rule.totalPath { members.append(("total_path", place(path.text))) }
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
