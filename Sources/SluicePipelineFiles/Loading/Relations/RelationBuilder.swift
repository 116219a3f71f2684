internal import SluiceDiagnostics
internal import SluiceModel
package import SluicePipeline

/// Lets entities that are made one by one refer to each other: references take the keys of their targets, and children
/// those of their parents.
struct RelationBuilder {
    /// The entities as the file has them.
    let members: [ConfigMember]
    let roles: [String: ChildRole]
    let reporter: Reporter

    /// The entities with all their fields, of entities as their own keys have them.
    func build(_ drafts: [EntityDefinition]) -> [EntityDefinition] {
        let resolver = ReferenceResolver(members: members, drafts: drafts, roles: roles, reporter: reporter)
        var entities = drafts.map { resolver.resolve($0) }
        addParents(&entities)
        for index in entities.indices { addLinks(&entities[index], in: entities) }
        return entities
    }

    // MARK: Children

    private func addParents(_ entities: inout [EntityDefinition]) {
        var open = Set(roles.keys)
        // A child's key is made of its parent's, which may be a child itself; circles have no role.
        while let index = entities.firstIndex(where: { entity in
            open.contains(entity.name) && roles[entity.name].map { !open.contains($0.parent) } == true
        }) {
            let name = entities[index].name
            open.remove(name)
            guard let role = roles[name], let parent = entities.firstIndex(where: { $0.name == role.parent }) else {
                continue
            }
            var child = role.definition
            child.key = child.isOrdered ? [] : entities[index].primaryKey
            let columns = columns(
                role.node.member("column"),
                defaults: entities[parent].keyColumns(behind: SnakeCase.convert(role.parent)),
                keyOf: role.parent, path: "\(role.path).column")
            entities[index].addKey(of: entities[parent], columns: columns, isOrdered: child.isOrdered)
            entities[parent].children.append(child)
        }
        for index in entities.indices {
            let order = members.first { $0.name == entities[index].name }?.value.member("children")?.members ?? []
            let found = entities[index].children
            let names = order.map(\.name)
            // Those that only a stream names stand behind the entity's own.
            entities[index].children =
                names.compactMap { name in found.first { $0.name == name } } + found.filter { !names.contains($0.name) }
        }
    }

    // MARK: Links

    private func addLinks(_ entity: inout EntityDefinition, in entities: [EntityDefinition]) {
        let owner = entity.keyColumns(behind: SnakeCase.convert(entity.name))
        for index in entity.references.indices where entity.references[index].count == .many {
            let reference = entity.references[index]
            let node = members.first { $0.name == entity.name }?.value.member("fields")?.member(reference.name)
            let isOwn = reference.target == entity.name
            let other = isOwn ? reference.name : SnakeCase.convert(reference.target)
            let path = "entities.\(entity.name).fields.\(reference.name)"
            entity.references[index].link = LinkDefinition(
                table: node?.member("via")?.string ?? "\(entity.table)_\(reference.name)",
                ownerColumns: columns(
                    node?.member("owner_column"), defaults: owner, keyOf: entity.name, path: "\(path).owner_column"),
                targetColumns: columns(
                    node?.member("target_column"), defaults: reference.targetKey.map { "\(other)_\($0.column)" },
                    keyOf: reference.target, path: "\(path).target_column"))
        }
    }

    // MARK: Columns of keys

    /// The columns that hold the key of another record: those that the file names, one for each field, else the usual ones.
    private func columns(_ node: ConfigNode?, defaults: [String], keyOf entity: String, path: String) -> [String] {
        guard let node else { return defaults }
        let names = node.names.compactMap(\.string)
        if names.count == defaults.count { return names }
        // A list without one is told of itself.
        if names.isEmpty { return defaults }
        reporter.report(
            .invalidValue,
            "`\(path)` names \(Plural.of(names.count, "column")), and the key of `\(entity)` has \(Plural.of(defaults.count, "field")).",
            at: node.start, help: "Name one column for each of them, in the order of its `primary_key`.")
        return defaults
    }
}

extension EntityDefinition {
    /// The fields of the primary key, in its order.
    package var keyFields: [FieldDefinition] {
        primaryKey.compactMap { name in fields.first { $0.name == name } }
    }

    /// What the columns of its key are called in another table.
    fileprivate func keyColumns(behind prefix: String) -> [String] { keyFields.map { "\(prefix)_\($0.column)" } }

    /// Puts the parent's key before its own fields, and its position where that tells it from the others.
    ///
    /// - Parameters:
    ///   - parent: The parent.
    ///   - columns: The columns that hold its key.
    ///   - isOrdered: Whether the position tells it from the others.
    fileprivate mutating func addKey(of parent: EntityDefinition, columns: [String], isOrdered: Bool) {
        let prefix = SnakeCase.convert(parent.name)
        var key = zip(parent.keyFields, columns).enumerated().map { index, part in
            let (field, column) = part
            let name = "\(prefix)_\(field.column)"
            var copy = FieldDefinition(
                name: name, column: column, origin: .parentKey(index), type: field.type, isRequired: true,
                timezone: field.timezone, values: field.values)
            copy.formats = field.formats
            copy.derivedFormerNames = [parent.name, parent.renamedFrom].compactMap { $0 }.map(SnakeCase.convert)
                .flatMap { owner in ([field.column] + field.formerColumns).map { "\(owner)_\($0)" } }
                .filter { $0 != name }
            return copy
        }
        if isOrdered {
            key.append(
                FieldDefinition(
                    name: Self.positionName, column: Self.positionName, origin: .position, type: .int,
                    isRequired: true))
        }
        self.parent = parent.name
        fields.insert(contentsOf: key, at: 0)
        primaryKey = key.map(\.name) + primaryKey
    }

    /// The name and the column of an element's place in its list.
    package static let positionName = "position"
}

extension FieldDefinition {
    /// The columns that it may have had, where it has one of its own name.
    fileprivate var formerColumns: [String] {
        column == name ? [renamedFrom].compactMap { $0 } + derivedFormerNames : []
    }
}
