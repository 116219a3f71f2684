internal import SluicePipeline

/// A hash of what the file says of which records a stream asks for and what is kept of them.
///
/// How far a stream was read holds for that alone: another field, filter or parameter wants of the records before what
/// nobody asked for then. Names are no part of it, nor is what only concerns records that come from now on.
struct ContentFingerprint {
    /// The keys of a stream.
    private static let streamKeys = [
        "path", "params", "method", "body", "format", "delimiter", "records", "entries", "filter", "deleted_when",
        "nested",
    ]
    private static let sourceKeys = ["base_url", "params"]
    private static let entityKeys = ["primary_key", "fields", "children", "owner"]
    /// The keys that say nothing of values, wherever they stand.
    private static let names = ["renamed_from", "entity"]

    /// The pipeline.
    let root: ConfigNode

    /// What holds for a stream, whose defaults are filled in.
    func definition(of stream: ConfigNode) -> ContentDefinition {
        var names = stream.member("entity")?.string.map { [$0] } ?? []
        entities(in: stream.member("nested"), into: &names)
        var position = 0
        while position < names.count {
            entities(in: entity(names[position])?.member("children"), into: &names)
            position += 1
        }
        let ownCount = names.count
        position = 0
        while position < names.count {
            targets(of: entity(names[position])?.member("fields"), into: &names)
            entities(in: entity(names[position])?.member("children"), into: &names)
            position += 1
        }
        let asked = [
            chosen(Self.sourceKeys, of: root.member("source"), like: stream),
            chosen(Self.streamKeys, of: stream, like: stream),
        ]
        var numbers = names
        let parts = names.map { name in
            renamed(chosen(Self.entityKeys, of: entity(name), like: stream), numbers: &numbers)
        }
        return ContentDefinition(
            own: hash(of: asked + parts.prefix(ownCount), like: stream),
            referred: zip(names, parts).dropFirst(ownCount).map { name, part in
                ContentDefinition.Referred(entity: name, hash: hash(of: [part], like: stream))
            }, earlier: earlierText(of: stream))
    }

    private func entity(_ name: String) -> ConfigNode? { root.member("entities")?.member(name) }

    private func hash(of nodes: [ConfigNode], like other: ConfigNode) -> String {
        ConfigNode(content: .sequence(nodes), start: other.start, end: other.end).fingerprint
    }

    /// An entity whose fields are called by what they take, and the entities that they refer to by their numbers, so that
    /// none of them changes with its name alone.
    private func renamed(_ entity: ConfigNode, numbers: inout [String]) -> ConfigNode {
        guard let members = entity.members else { return entity }
        var changed = members
        for index in changed.indices where changed[index].name == "fields" {
            guard let fields = changed[index].value.members else { continue }
            changed[index].value = ConfigNode(
                content: .mapping(fields.map { field($0, &numbers) }.sorted { $0.name < $1.name }), start: entity.start,
                end: entity.end)
        }
        return ConfigNode(content: .mapping(changed), start: entity.start, end: entity.end)
    }

    private func field(_ member: ConfigMember, _ numbers: inout [String]) -> ConfigMember {
        var member = member
        func node(_ members: [ConfigMember]) -> ConfigNode {
            ConfigNode(content: .mapping(members), start: member.value.start, end: member.value.end)
        }
        var parts = member.value.members ?? [ConfigMember(name: "type", mark: member.mark, value: member.value)]
        for index in parts.indices where ["ref", "refs"].contains(parts[index].name) {
            guard let name = parts[index].value.string else { continue }
            if !numbers.contains(name) { numbers.append(name) }
            parts[index].name += " \(numbers.firstIndex(of: name) ?? 0)"
            parts[index].value = node([])
        }
        let from = parts.first { $0.name == "from" }?.value.string
        // What the file need not say makes no difference.
        let value = node(
            parts.filter { ($0.name != "from" || from == nil) && ($0.name != "type" || $0.value.string != "string") })
        member.name = from ?? member.name
        member.value = value
        return member
    }

    /// The hash for a stream as earlier versions made it.
    private func earlierText(of stream: ConfigNode) -> String {
        let source = chosen(Self.sourceKeys, of: root.member("source"), like: stream)
        var names = stream.member("entity")?.string.map { [$0] } ?? []
        entities(in: stream.member("nested"), into: &names)
        var nodes = [source, chosen(Self.streamKeys, of: stream, like: stream)]
        var position = 0
        while position < names.count {
            let entity = root.member("entities")?.member(names[position])
            nodes.append(chosen(Self.entityKeys, of: entity, like: stream))
            entities(in: entity?.member("children"), into: &names)
            targets(of: entity?.member("fields"), into: &names)
            position += 1
        }
        return ConfigNode(content: .sequence(nodes), start: stream.start, end: stream.end).fingerprint
    }

    /// Adds the entities whose records stand within those that fields refer to.
    private func targets(of fields: ConfigNode?, into names: inout [String]) {
        for field in fields?.members ?? [] where field.value.member("upsert")?.bool != false {
            for key in ["ref", "refs"] {
                guard let name = field.value.member(key)?.string, !names.contains(name) else { continue }
                names.append(name)
            }
        }
    }

    private func chosen(_ keys: [String], of node: ConfigNode?, like other: ConfigNode) -> ConfigNode {
        let members = keys.compactMap { name in node?.members?.first { $0.name == name } }
        return ConfigNode(content: .mapping(members), start: other.start, end: other.end).removing(Self.names)
    }

    /// Adds the entities that a part of the file names.
    private func entities(in node: ConfigNode?, into names: inout [String]) {
        for member in node?.members ?? [] {
            if member.name == "entity", let name = member.value.string, !names.contains(name) { names.append(name) }
            entities(in: member.value, into: &names)
        }
        for element in node?.elements ?? [] { entities(in: element, into: &names) }
    }
}

extension ConfigNode {
    /// The node without members of some names and with the others in one order, on all levels.
    fileprivate func removing(_ names: [String]) -> ConfigNode {
        switch content {
        case .scalar: return self
        case .sequence(let elements):
            return ConfigNode(content: .sequence(elements.map { $0.removing(names) }), start: start, end: end)
        case .mapping(let members):
            let left = members.filter { !names.contains($0.name) }.map { member in
                var member = member
                member.value = member.value.removing(names)
                return member
            }
            return ConfigNode(content: .mapping(left.sorted { $0.name < $1.name }), start: start, end: end)
        }
    }
}
