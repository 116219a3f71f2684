internal import SluiceJSON
internal import SluicePipeline

/// Finds out which entity is whose child.
struct ChildRoleFinder {
    /// The entities.
    let members: [ConfigMember]
    let reporter: Reporter
    private(set) var roles: [String: ChildRole] = [:]

    /// - Parameters:
    ///   - members: The entities.
    ///   - streams: The streams, whose lists may have children of which their parents say nothing.
    ///   - reporter: Is told what cannot be.
    init(members: [ConfigMember], streams: [ConfigNode], reporter: Reporter) {
        self.members = members
        self.reporter = reporter
        for entity in members {
            for list in entity.value.member("children")?.members ?? [] { add(list, of: entity.name) }
        }
        let own = Set(streams.compactMap { $0.member("entity")?.string })
        for stream in streams {
            guard let parent = stream.member("entity")?.string, members.contains(where: { $0.name == parent }) else {
                continue
            }
            for list in stream.member("nested")?.elements ?? [] {
                add(nested: list, in: stream.member("name")?.string ?? "", of: parent, besides: own)
            }
        }
    }

    /// A list of a stream is one of its entity where no entity has it.
    private mutating func add(nested list: ConfigNode, in stream: String, of parent: String, besides own: Set<String>) {
        guard let entityNode = list.member("entity"), let entity = entityNode.string,
            members.contains(where: { $0.name == entity }), roles[entity] == nil, !own.contains(entity),
            circle(from: parent, to: entity) == nil,
            let path = list.member("path")?.string.flatMap({ try? JSONPath(parsing: $0) }), path.isSingular
        else { return }
        let records = list.member("records")?.string.flatMap { try? JSONPath(parsing: $0) }
        let place = StreamDefinition.NestedList(path: path, records: records, entity: entity).place
        let definition = ChildDefinition(name: SnakeCase.convert(entity), entity: entity, path: place)
        roles[entity] = ChildRole(
            parent: parent, path: "streams.\(stream).nested.\(path.text)", mark: entityNode.start, node: list,
            definition: definition, isOfStream: true)
    }

    private mutating func add(_ list: ConfigMember, of parent: String) {
        let path = "entities.\(parent).children.\(list.name)"
        guard let entityNode = list.value.member("entity"), let entity = entityNode.string else { return }
        let names = members.map(\.name)
        guard names.contains(entity) else {
            return reporter.reportUnknownEntity(entity, at: entityNode.start, among: names)
        }
        if let other = roles[entity] {
            return reporter.report(
                .unusableChildren, "`\(entity)` is the child of `\(other.path)` already, and has one parent only.",
                at: entityNode.start,
                help: "Make an entity for each list; the entities may have the same fields.")
        }
        if let circle = circle(from: parent, to: entity) {
            return reporter.report(
                .unusableChildren, "`\(entity)` is a child of itself: \(circle.joined(separator: " → ")).",
                at: entityNode.start, help: "For a list whose elements contain such lists, use a field of `type: json`."
            )
        }
        roles[entity] = ChildRole(
            parent: parent, path: path, mark: list.mark, node: list.value,
            definition: definition(list, entity: entity, path: path))
    }

    /// The way up from an entity to another one, which would then be below itself.
    private func circle(from parent: String, to entity: String) -> [String]? {
        var way = [parent]
        while let last = way.last, last != entity {
            guard let role = roles[last] else { return nil }
            way.append(role.parent)
        }
        return Array(way.reversed()) + [entity]
    }

    private func definition(_ list: ConfigMember, entity: String, path: String) -> ChildDefinition {
        let node = list.value
        let entries = node.member("entries")?.string
        let isObject = entries != nil
        let written = node.member("from")?.string.flatMap { try? JSONPath(parsing: $0) }
        var child = ChildDefinition(
            name: list.name, entity: entity,
            path: written
                ?? JSONPath(
                    steps: [.name(list.name)] + (isObject ? [] : [.wildcard]),
                    text: isObject ? list.name : "\(list.name)[*]"))
        child.entries = entries
        child.isOrdered = node.member("ordered")?.bool ?? false
        child.onParentDelete =
            node.member("on_parent_delete")?.choice(ChildDefinition.ParentDeleteRule.self) ?? .cascade
        check(node, child, path: path)
        return child
    }

    private func check(_ node: ConfigNode, _ child: ChildDefinition, path: String) {
        if child.isOrdered, let key = node.member("key") {
            reporter.report(
                .conflictingKeys, "`\(path)` has both `key` and `ordered`: elements have a key, or a position.",
                at: key.start, help: "Leave `key` or `ordered` out.")
        }
        if child.isOrdered, child.entries != nil, let ordered = node.member("ordered") {
            reporter.report(
                .conflictingKeys, "The members of an object have no order, so `ordered` does not go with `entries`.",
                at: ordered.start, help: "Leave `ordered` out; the name of a member identifies it.")
        }
        if let from = node.member("from"), child.entries == nil, child.path.isSingular {
            reporter.report(
                .conflictingKeys, "`\(child.path.text)` selects one value, and `\(path)` takes the elements of a list.",
                at: from.start, help: "Write `\(child.path.text)[*]`, or add `entries` for the members of an object.")
        } else if let from = node.member("from"), !child.path.isPlain {
            reporter.report(
                .conflictingKeys,
                "`\(child.path.text)` is no path for `\(path)`: it may have only names, indexes and `*`.",
                at: from.start, help: "Write a path such as `lines.data[*]`.")
        }
    }
}
