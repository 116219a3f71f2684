internal import SluiceDiagnostics
internal import SluicePipeline

/// Checks what streams and their entities mean together: who asks for whom, and what `{{ parent.x }}` and `{{ item }}`
/// stand for.
struct NestingChecker {
    let root: ConfigNode
    /// The streams over the defaults, with their definitions.
    let streams: [(node: ConfigNode, definition: StreamDefinition)]
    let entities: [EntityDefinition]
    /// The streams as they are written, with the keys that are none.
    let written: [ConfigNode]
    let reporter: Reporter

    func check() {
        checkChildren()
        checkCircles()
        for stream in streams {
            checkRequest(of: stream.definition, stream.node)
            checkMore(of: stream.definition, stream.node)
        }
        checkSource()
        checkFields()
    }

    // MARK: Streams

    /// A child has its parent's key, which no page gives.
    private func checkChildren() {
        for (node, stream) in streams {
            guard let entity = entity(stream.entity), let parent = entity.parent, let place = node.member("entity")
            else { continue }
            reporter.report(
                .unusableChildren,
                "The records of `\(entity.name)` come with those of its parent `\(parent)`, so a stream cannot have them.",
                at: place.start, help: "Remove the stream, or give it an entity that is not a child.")
        }
    }

    private func checkCircles() {
        var known: Set<String> = []
        for (node, stream) in streams where !known.contains(stream.name) {
            var way = [stream.name]
            while let last = way.last, way.count <= streams.count,
                let parent = streams.first(where: { $0.definition.name == last })?.definition.parent
            {
                way.append(parent.stream)
                if parent.stream == stream.name { break }
            }
            guard way.count > 1, way.last == stream.name, let place = node.member("parent")?.member("stream") else {
                continue
            }
            known.formUnion(way)
            reporter.report(
                .streamCycle, "The stream asks for its own records: \(way.joined(separator: " → ")).", at: place.start,
                help: "One of them needs no `parent`.")
        }
    }

    // MARK: Requests

    private func checkRequest(of stream: StreamDefinition, _ node: ConfigNode) {
        let own = ["path", "params", "headers", "body"].compactMap { node.member($0) }
        let uses = (own + shared(with: node)).flatMap(\.variables)
        let scope = scope(of: stream)
        for (variable, place) in uses {
            if let problem = scope.problem(variable) { report(problem, at: place) }
        }
        if stream.parent != nil, !uses.contains(where: { $0.variable.name == .parent }),
            let place = node.member("parent")
        {
            reporter.report(
                .conflictingKeys,
                "Nothing in the requests of `\(stream.name)` depends on its parent, so all of them would be the same.",
                at: place.start, help: "Use a field of the parent, such as `path: \"/repos/{{ parent.id }}/issues\"`.")
        }
        for list in stream.items
        where !uses.contains(where: { $0.variable.name == .item && $0.variable.member == list.name }) {
            guard let place = node.member("for_each") else { continue }
            let word = list.name.map { "item.\($0)" } ?? "item"
            reporter.report(
                .conflictingKeys,
                "Nothing in the requests of `\(stream.name)` depends on `{{ \(word) }}`, so all of them would be the same.",
                at: place.start, help: "Use it, such as in `params: {state: \"{{ \(word) }}\"}`.")
        }
    }

    /// The texts of the source that the stream does not replace.
    private func shared(with node: ConfigNode) -> [ConfigNode] {
        ["params", "headers"].flatMap { key in
            let names = (node.member(key)?.members ?? []).map { $0.name.lowercased() }
            let members = root.member("source")?.member(key)?.members ?? []
            return members.filter { !names.contains($0.name.lowercased()) }.map(\.value)
        }
    }

    /// What variables mean in the requests of a stream, and in the records that it yields.
    private func scope(of stream: StreamDefinition) -> TemplateScope {
        var scope = TemplateScope(stream: stream, parent: parentEntity(of: stream))
        let node = written.first { $0.member("name")?.string == stream.name }
        let known = SectionSpec.stream.keys.map(\.name)
        let meant = (node?.members ?? []).compactMap { Suggestion.nearest(to: $0.name, among: known) ?? $0.name }
        scope.hasMisspeltParent = stream.parent == nil && meant.contains("parent")
        scope.hasMisspeltItems = stream.items.isEmpty && meant.contains("for_each")
        return scope
    }

    /// The record of which there is more is the parent of what is asked for.
    private func checkMore(of stream: StreamDefinition, _ node: ConfigNode) {
        let scope = TemplateScope(stream: stream, parent: entity(stream.entity), isWithinRecord: true)
        for list in node.member("nested")?.elements ?? [] {
            guard let more = list.member("more") else { continue }
            let uses = ["path", "params", "headers", "body"].compactMap { more.member($0) }.flatMap(\.variables)
            for (variable, place) in uses {
                if let problem = scope.problem(variable) { report(problem, at: place) }
                if variable.name.isOfCursor {
                    reporter.report(
                        .conflictingKeys,
                        "`{{ \(variable.path) }}` is about the pages of the stream, and the rest of a list has none.",
                        at: place)
                }
            }
            if !uses.contains(where: { $0.variable.name == .parent }), let place = more.member("path") {
                reporter.report(
                    .conflictingKeys,
                    "Nothing in the requests of `more` depends on the record, so all would be the same.",
                    at: place.start, help: "Use a field of it, such as `path: \"/invoices/{{ parent.id }}/lines\"`.")
            }
        }
    }

    /// What is sent once for all streams knows none of them.
    private func checkSource() {
        let members = root.member("source")?.members ?? []
        for member in members where !["params", "headers"].contains(member.name) {
            for (variable, place) in member.value.variables where [.parent, .item].contains(variable.name) {
                reporter.report(
                    .conflictingKeys, "`{{ \(variable.path) }}` works only in the requests of a stream.",
                    at: place)
            }
        }
    }

    // MARK: Fields

    private func checkFields() {
        for entity in entities {
            let nodes = root.member("entities")?.member(entity.name)?.member("fields")
            for field in entity.fields {
                guard case .template(let template) = field.origin,
                    let value = nodes?.member(field.name)?.member("value")
                else { continue }
                for variable in template.parts.compactMap(\.variable) { check(variable, of: entity, at: value.start) }
            }
        }
    }

    private func check(_ variable: TemplateVariable, of entity: EntityDefinition, at place: SourcePlace) {
        let own = streams.filter { $0.definition.entity == entity.name }
        if own.isEmpty {
            return reporter.report(
                .conflictingKeys,
                "`{{ \(variable.path) }}` is of a stream, and no stream yields records of `\(entity.name)`.", at: place,
                help: entity.parent.map { "It is a child of `\($0)`, whose key is in its table already." })
        }
        let problems = own.compactMap { stream in
            scope(of: stream.definition).problem(variable)
        }
        if let problem = problems.first { report(problem, at: place) }
    }

    // MARK: Helpers

    private func entity(_ name: String) -> EntityDefinition? { entities.first { $0.name == name } }

    private func parentEntity(of stream: StreamDefinition) -> EntityDefinition? {
        guard let parent = stream.parent else { return nil }
        return streams.first { $0.definition.name == parent.stream }.flatMap { entity($0.definition.entity) }
    }

    private func report(_ problem: TemplateScope.Problem, at place: SourcePlace) {
        reporter.report(
            problem.kind, problem.detail, at: place, suggestion: problem.suggestion, help: problem.help)
    }
}

extension TextTemplate.Part {
    /// What the stream gives; nil for what is known of every page.
    fileprivate var variable: TemplateVariable? {
        switch self {
        case .text, .fileStem: nil
        case .parent(let field): TemplateVariable(.parent, member: field)
        case .item(let list): TemplateVariable(.item, member: list)
        }
    }
}

extension ConfigNode {
    /// The variables in its texts, each with the place where it stands.
    fileprivate var variables: [(variable: TemplateVariable, place: SourcePlace)] {
        switch content {
        case .sequence(let elements): return elements.flatMap(\.variables)
        case .mapping(let members): return members.flatMap(\.value.variables)
        case .scalar(let scalar):
            if scalar.text.isSecret { return [] }
            var offset = 0
            var found: [(TemplateVariable, SourcePlace)] = []
            let text = scalar.text.revealed
            for part in scalar.text.template().parts {
                guard let variable = part.variable else {
                    offset += part.text.utf8.count
                    continue
                }
                // The name may be written with other blanks than ours.
                let rest = Array(text.utf8).dropFirst(offset)
                let end = rest.indices.first { rest[$0] == UInt8(ascii: "}") } ?? rest.endIndex
                found.append((variable, place(ofOffset: offset)))
                offset = end + 2
            }
            return found
        }
    }
}
