internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluicePipeline

/// Gives references the keys of their targets.
struct ReferenceResolver {
    /// The entities as the file has them.
    let members: [ConfigMember]
    /// The entities as their own keys have them.
    let drafts: [EntityDefinition]
    let roles: [String: ChildRole]
    let reporter: Reporter

    /// An entity with the fields that its references are.
    func resolve(_ draft: EntityDefinition) -> EntityDefinition {
        let nodes = members.first { $0.name == draft.name }?.value.member("fields")
        var entity = draft
        var names: [String: [String]] = [:]
        entity.fields = []
        for field in draft.fields {
            guard let name = field.reference, let node = nodes?.member(name),
                let (reference, fields) = resolve(field, node, path: "entities.\(draft.name).fields.\(name)")
            else {
                entity.fields.append(field)
                continue
            }
            names[name] = reference.fields
            entity.references.append(reference)
            entity.fields += fields
        }
        entity.primaryKey = draft.primaryKey.flatMap { names[$0] ?? [$0] }
        entity.unique = draft.unique.map { $0.flatMap { names[$0] ?? [$0] } }
        return entity
    }

    private func resolve(
        _ field: FieldDefinition, _ node: ConfigNode, path: String
    ) -> (ReferenceDefinition, [FieldDefinition])? {
        let isMany = node.member("refs") != nil
        guard let targetNode = node.member(isMany ? "refs" : "ref"), let key = key(of: targetNode, path: path),
            let target = drafts.first(where: { $0.name == targetNode.string })
        else { return nil }
        var reference = ReferenceDefinition(
            name: field.name, path: ReferenceFieldBuilder.path(of: field.name, node), target: target.name,
            count: isMany ? .many : .one, fields: [field.name])
        reference.targetTable = target.table
        reference.targetKey = key.map(\.field)
        reference.upsert = node.member("upsert")?.bool
        reference.onDangling =
            node.member("on_dangling")?.choice(ReferenceDefinition.DanglingRule.self) ?? .defer
        reference.merge = node.member("merge")?.choice(ReferenceDefinition.MergeRule.self) ?? .set
        if isMany {
            var field = field
            field.origin = .references(path: reference.path, keys: key.map(\.path))
            return (reference, [field])
        }
        if let column = node.member("column"), key.count > 1 {
            reporter.report(
                .conflictingKeys,
                "`\(path)` has \(key.count) columns, one for each field of the key of `\(target.name)`.",
                at: column.start,
                help:
                    "Leave `column` out: they are called \(key.map { "\(field.name)_\($0.field.column)" }.quotedList).")
        }
        if key.count == 1, node.member("column") == nil {
            checkColumn(
                "\(field.name)_\(key[0].field.column)", of: field, to: target.name, key[0].field.column, path, at: node)
        }
        let isText = if case .template = field.origin { true } else { false }
        if isText, key.count > 1 {
            refuse(
                node.member("value") ?? node,
                "`value` of `\(path)` is one text, and the key of `\(target.name)` has \(key.count) fields.",
                help: "Let `from` lead to the key, or make a field of each part.")
        }
        // A text is a key, and no record.
        if isText { reference.upsert = false }
        let fields = key.map { part -> FieldDefinition in
            let isAlone = key.count == 1
            var copy = part.field
            copy.name = isAlone ? field.name : "\(field.name)_\(part.field.name)"
            let column = "\(field.name)_\(part.field.column)"
            copy.column = isAlone ? node.member("column")?.string ?? column : column
            copy.origin = isText ? field.origin : .reference(path: reference.path, key: part.path)
            copy.defaultJSON = nil
            (copy.isRequired, copy.onMissing, copy.onNull) = (field.isRequired, field.onMissing, field.onNull)
            (copy.onTypeMismatch, copy.owner, copy.onConflict) = (field.onTypeMismatch, field.owner, field.onConflict)
            copy.reference = field.name
            copy.renamedFrom = field.renamedFrom.map { isAlone ? $0 : "\($0)_\(part.field.name)" }
            // A part is called after the reference and after a field of its target, and follows both.
            let names = [field.name, field.renamedFrom].compactMap { $0 }.flatMap { name in
                [part.field.name, part.field.renamedFrom].compactMap { $0 }.map { "\(name)_\($0)" }
            }
            copy.derivedFormerNames = isAlone ? [] : names.filter { $0 != copy.name }
            return copy
        }
        reference.fields = fields.map(\.name)
        return (reference, fields)
    }

    /// Warns where a field is named as sources name keys: its column is called after the target's key once more.
    private func checkColumn(
        _ column: String, of field: FieldDefinition, to target: String, _ key: String, _ path: String,
        at node: ConfigNode
    ) {
        let stem = field.name.dropLast(key.count)
        let end = field.name.dropFirst(stem.count)
        guard !stem.isEmpty, end.lowercased() == key.lowercased(), stem.last == "_" || end.first?.isUppercase == true
        else { return }
        let name = stem.last == "_" ? stem.dropLast() : stem
        reporter.report(
            .doubledColumn, "`\(path)` leads to `\(target)` by its `\(key)`, so its column is called `\(column)`.",
            at: node.start,
            help:
                "Call the field `\(name)`, with `from: \(field.name)`, or name its column, as in `column: \(field.name)`."
        )
    }

    /// The fields that identify the target, with their places within an object of it; nil where there are none.
    private func key(of node: ConfigNode, path: String) -> [(field: FieldDefinition, path: JSONPath)]? {
        guard let name = node.string else { return nil }
        guard let target = drafts.first(where: { $0.name == name }) else {
            reporter.reportUnknownEntity(name, at: node.start, among: drafts.map(\.name))
            return nil
        }
        if let role = roles[name] {
            refuse(
                node, "`\(path)` leads to `\(name)`, whose key identifies a record only within `\(role.path)`.",
                help: "Give `\(name)` a `primary_key`, and remove it from `children`.")
            return nil
        }
        if target.hasContentKey {
            refuse(
                node, "`\(path)` leads to `\(name)`, whose key is a hash that no source sends.",
                help: "Name fields in `primary_key` of `\(name)`.")
            return nil
        }
        let fields = target.primaryKey.compactMap { key in target.fields.first { $0.name == key } }
        // What is wrong with the key itself is said where it stands.
        if fields.isEmpty || fields.count != target.primaryKey.count { return nil }
        var key: [(field: FieldDefinition, path: JSONPath)] = []
        for field in fields {
            guard field.reference == nil, case .path(let place) = field.origin, place.isSingular else {
                refuse(
                    node,
                    "`\(path)` leads to `\(name)`, whose key `\(field.name)` is not read from a path.",
                    help: "Give each field of the `primary_key` of `\(name)` a `from`.")
                return nil
            }
            key.append((field, place))
        }
        return key
    }

    private func refuse(_ node: ConfigNode, _ detail: String, help: String) {
        reporter.report(.unusableReference, detail, at: node.start, help: help)
    }
}
