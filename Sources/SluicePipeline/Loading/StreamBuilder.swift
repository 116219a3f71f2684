internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceYAML

/// Makes the definitions of the streams, and checks what they refer to.
struct StreamBuilder {
    let root: ConfigNode
    /// The source, or nil where it is not known.
    let source: SourceDefinition?
    let reporter: Reporter

    func build() -> [StreamDefinition] {
        let nodes = root.member("streams")?.elements ?? []
        checkNames(nodes)
        checkEntities(nodes)
        let defaults = root.member("defaults")
        return nodes.filter { $0.members != nil }.map { stream($0.merged(over: defaults)) }
    }

    private func checkNames(_ nodes: [ConfigNode]) {
        var known: [String: Mark] = [:]
        for node in nodes.compactMap({ $0.member("name") }) {
            guard let name = node.string else { continue }
            if let first = known[name] {
                let detail = "Another stream is called `\(name)`, at line \(first.line), column \(first.column)."
                reporter.report(.duplicateName, detail, at: node.start)
            } else {
                known[name] = node.start
            }
        }
    }

    private func checkEntities(_ nodes: [ConfigNode]) {
        guard let members = root.member("entities")?.members else { return }
        let names = members.map(\.name)
        var users: [String: String] = [:]
        for stream in nodes {
            guard let node = stream.member("entity"), let entity = node.string else { continue }
            guard names.contains(entity) else {
                let help = names.isEmpty ? nil : "The entities are \(names.quotedList)."
                reporter.report(
                    .unknownEntity, "There is no entity `\(entity)`.", at: node.start,
                    suggestion: Suggestion.nearest(to: entity, among: names), help: help)
                continue
            }
            let name = stream.member("name")?.string ?? ""
            if let other = users[entity] {
                let detail =
                    "`\(entity)` is the entity of the stream `\(other)` already, and two streams that write the same "
                    + "records are not supported."
                let help = "Give `\(name)` an entity and a table of its own."
                reporter.report(.sharedEntity, detail, at: node.start, help: help)
            } else {
                users[entity] = name
            }
        }
    }

    private func stream(_ node: ConfigNode) -> StreamDefinition {
        let sourceNode = root.member("source")
        var stream = StreamDefinition(
            name: node.member("name")?.string ?? "", entity: node.member("entity")?.string ?? "")
        stream.path = node.member("path")?.text
        stream.parameters = Self.merge(sourceNode?.member("params"), node.member("params"), foldsCase: false)
        stream.headers = Self.merge(sourceNode?.member("headers"), node.member("headers"), foldsCase: true)
        stream.format = node.member("format")?.choice(StreamDefinition.Format.self) ?? .json
        stream.records = node.member("records")?.string.flatMap { try? JSONPath(parsing: $0) }
        stream.entries = node.member("entries")?.string
        stream.paginator = paginator(node)
        stream.deleteMissing = deleteRule(node.member("delete_missing"))
        if stream.entries != nil, stream.format == .jsonl, let entries = node.member("entries") {
            let detail = "`entries` takes apart one object, but a `jsonl` page has one on each line."
            reporter.report(.conflictingKeys, detail, at: entries.start)
        }
        return stream
    }

    private func paginator(_ node: ConfigNode) -> StreamDefinition.Paginator {
        guard let paginator = node.member("paginator"), paginator.member("type")?.string == "header_link" else {
            return .none
        }
        if source?.base.isFile == true {
            reporter.report(
                .conflictingKeys, "A `file:` source has no headers, so `header_link` finds no next page.",
                at: paginator.start, help: "Leave `paginator` out: each file that `path` matches is a page.")
        }
        return .headerLink(relation: paginator.member("rel")?.string ?? "next")
    }

    private func deleteRule(_ node: ConfigNode?) -> DeleteRule {
        guard let node else { return DeleteRule() }
        var rule = DeleteRule()
        if let mode = (node.scalar == nil ? node.member("mode") : node)?.choice(DeleteRule.Mode.self) {
            rule.mode = mode
        }
        if let limit = node.member("max_delete")?.string.flatMap(RowLimitText.limit) { rule.maximum = limit }
        if let minimum = node.member("min_records")?.int { rule.minimumRecords = minimum }
        return rule
    }

    /// The source's texts, each replaced in its place by the stream's of the same name, then the stream's others.
    private static func merge(_ source: ConfigNode?, _ stream: ConfigNode?, foldsCase: Bool) -> [NamedText] {
        var texts: [NamedText] = []
        for text in (source?.namedTexts ?? []) + (stream?.namedTexts ?? []) {
            let same = texts.firstIndex {
                foldsCase ? $0.name.lowercased() == text.name.lowercased() : $0.name == text.name
            }
            if let same { texts[same] = text } else { texts.append(text) }
        }
        return texts
    }
}

extension ConfigNode {
    /// A stream over the defaults: its keys win, and mappings of both are merged by key.
    fileprivate func merged(over defaults: ConfigNode?) -> ConfigNode {
        guard var members, let shared = defaults?.members else { return self }
        for member in shared {
            guard let index = members.firstIndex(where: { $0.name == member.name }) else {
                members.append(member)
                continue
            }
            // The keys of a paginator belong to its type, so one of them is not mixed with another.
            if member.name == "paginator" { continue }
            guard let own = members[index].value.members, let others = member.value.members else { continue }
            let missing = others.filter { other in !own.contains { $0.name == other.name } }
            members[index].value.content = .mapping(missing + own)
        }
        return ConfigNode(content: .mapping(members), start: start, end: end)
    }
}
