internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceMerge
internal import SluiceYAML

/// Makes the definition of an entity, and checks its names and keys.
struct EntityBuilder {
    let name: String
    let node: ConfigNode
    /// Whether the source is made of files, which `{{ file.stem }}` speaks of.
    let hasFiles: Bool
    /// Which keys may be used.
    let keys: AvailableKeys
    /// The pipeline's own policy, where it states one.
    let pipelinePolicy: ConflictPolicy?
    let reporter: Reporter

    private var path: String { "entities.\(name)" }
    private var fieldNodes: [ConfigMember] { node.member("fields")?.members ?? [] }

    func build() -> EntityDefinition {
        let table = node.member("table")?.string ?? SnakeCase.convert(name)
        if let mark = node.member("table")?.start { checkTable(table, at: mark) }
        let hasContentKey = hasContentKey
        let keyNodes = hasContentKey ? [] : node.member("primary_key")?.names ?? []
        let key = keyNodes.compactMap(\.string)
        let owner = node.member("owner")?.choice(FieldOwner.self) ?? .shared
        let fields = fieldNodes.map { member in
            FieldBuilder(
                name: member.name, node: member.value, path: "\(path).fields.\(member.name)",
                isKey: key.contains(member.name), hasFiles: hasFiles, owner: owner, mark: member.mark,
                reporter: reporter
            ).build()
        }
        checkColumns(fields, hasContentKey: hasContentKey)
        checkCopies(fields)
        checkGroup(keyNodes, of: "primary_key")
        checkKeyTypes(keyNodes, fields: fields)
        let groups = uniqueGroups
        for group in groups { checkGroup(group, of: "unique") }
        let unique = groups.map { $0.compactMap(\.string) }
        var entity = EntityDefinition(name: name, table: table, primaryKey: key, unique: unique, fields: fields)
        entity.history = node.member("history")?.choice(EntityDefinition.History.self) ?? .none
        ConflictRuleBuilder(node: node, path: path, pipelinePolicy: pipelinePolicy, reporter: reporter).build(&entity)
        if hasContentKey { entity.useContentKey() }
        return entity
    }

    /// `content` names no field, unless it is written as a list.
    private var hasContentKey: Bool {
        guard keys.contains(.contentKey), let key = node.member("primary_key"), key.string == "content" else {
            return false
        }
        if fieldNodes.contains(where: { $0.name == "content" }) {
            reporter.report(
                .conflictingKeys, "`content` stands for a hash of all values, but `\(name)` has a field of that name.",
                at: key.start, help: "Write `[content]` to name the field.")
        }
        return true
    }

    /// A list of lists as it is; a flat list is one group.
    private var uniqueGroups: [[ConfigNode]] {
        guard let elements = node.member("unique")?.elements, !elements.isEmpty else { return [] }
        let groups = elements.compactMap(\.elements)
        return groups.isEmpty ? [elements] : groups
    }

    private func checkTable(_ table: String, at mark: SourcePlace) {
        let folded = table.lowercased()
        guard let prefix = ["_sluice_", "sqlite_"].first(where: { folded.hasPrefix($0) }) else { return }
        reporter.report(
            .reservedName, "Tables that begin with `\(prefix)` are not for records.", at: mark,
            help: "Choose another name for the table of `\(name)`.")
    }

    private func checkColumns(_ fields: [FieldDefinition], hasContentKey: Bool) {
        var known: [String: String] = [:]
        for (field, member) in zip(fields, fieldNodes) {
            let mark = member.value.member("column")?.start ?? member.mark
            let folded = field.column.lowercased()
            if ["_deleted_at", "_deleted_by_run"].contains(folded) {
                reporter.report(
                    .reservedName, "The column `\(field.column)` is kept for soft deletes.", at: mark,
                    help: "Give the field `\(field.name)` another `column`.")
            }
            if hasContentKey, folded == EntityDefinition.contentKeyName {
                reporter.report(
                    .reservedName, "The column `\(field.column)` is kept for the hash of the values.", at: mark,
                    help: "Give the field `\(field.name)` another `column`.")
            } else if hasContentKey, field.name == EntityDefinition.contentKeyName {
                reporter.report(
                    .reservedName, "The name `\(field.name)` is kept for the hash of the values.", at: mark,
                    help: "Give the field another name.")
            }
            if let other = known.updateValue(field.name, forKey: folded) {
                let detail = "The fields `\(other)` and `\(field.name)` have the same column, `\(field.column)`."
                let help = "Give one of them a `column` of its own; case makes no difference."
                reporter.report(.duplicateName, detail, at: mark, help: help)
            }
        }
    }

    /// What is redacted in one field must not come in clear with another.
    private func checkCopies(_ fields: [FieldDefinition]) {
        for (field, member) in zip(fields, fieldNodes) where field.redaction == nil {
            guard case .path(let path) = field.origin else { continue }
            let holds = fields.first { other in
                guard other.redaction != nil, case .path(let redacted) = other.origin else { return false }
                return redacted.steps.starts(with: path.steps) && path.isPlain
            }
            guard let holds else { continue }
            reporter.report(
                .unredactedCopy,
                "`\(self.path).fields.\(field.name)` takes what `\(holds.name)` redacts as it is, with its clear value.",
                at: member.mark, help: "Redact `\(field.name)` too, or take a narrower path.")
        }
    }

    private func checkGroup(_ nodes: [ConfigNode], of key: String) {
        let names = fieldNodes.map(\.name)
        var known: Set<String> = []
        for node in nodes {
            guard let name = node.string else { continue }
            if !known.insert(name).inserted {
                reporter.report(.duplicateName, "`\(path).\(key)` names `\(name)` twice.", at: node.start)
            }
            // Without fields the missing key is reported already.
            if names.contains(name) || names.isEmpty { continue }
            let suggestion = Suggestion.nearest(to: name, among: names)
            reporter.report(
                .unknownField, "`\(path).\(key)` names `\(name)`, which is no field of `\(self.name)`.",
                at: node.start, suggestion: suggestion, help: "The fields are \(names.quotedList).")
        }
    }

    private func checkKeyTypes(_ nodes: [ConfigNode], fields: [FieldDefinition]) {
        for node in nodes {
            guard let field = fields.first(where: { $0.name == node.string }) else { continue }
            guard [FieldType.json, .double, .bytes].contains(field.type) else { continue }
            reporter.report(
                .unusableKeyField,
                "`\(field.name)` is of type `\(field.type.rawValue)`, whose values cannot identify a record.",
                at: node.start, help: "Use `string`, `int`, `decimal`, `uuid` or another type with one form per value.")
        }
    }
}
