internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceYAML

/// Makes the definition of an entity, and checks its names and keys.
struct EntityBuilder {
    let name: String
    let node: ConfigNode
    /// Where the name stands.
    let mark: SourcePlace
    /// Whether the source is made of files, which `{{ file.stem }}` speaks of.
    let hasFiles: Bool
    /// Which keys may be used.
    let keys: AvailableKeys
    /// The pipeline's own policy, where it states one.
    let pipelinePolicy: ConflictPolicy?
    /// The list whose elements its records are; nil where it is no child.
    var role: ChildRole?
    /// Whether a key that is none may have been meant to be `primary_key`.
    var hasMisspeltKey = false
    let reporter: Reporter

    var path: String { "entities.\(name)" }
    private var fieldNodes: [ConfigMember] { node.member("fields")?.members ?? [] }

    /// The entity as its own keys have it: a reference is one field yet, and a child has not its parent's key.
    func build() -> EntityDefinition {
        let table = node.member("table")?.string ?? SnakeCase.convert(name)
        if let mark = node.member("table")?.start { checkTable(table, at: mark) }
        let hasContentKey = hasContentKey
        checkIdentity(hasContentKey: hasContentKey)
        let keyNodes = hasContentKey ? [] : (role?.keyNode ?? node.member("primary_key"))?.names ?? []
        let key =
            role?.definition.isOrdered == true ? [] : keyNodes.isEmpty ? impliedKey : keyNodes.compactMap(\.string)
        let owner = node.member("owner")?.choice(FieldOwner.self) ?? .shared
        let fields = fieldNodes.map { member in
            let builder = FieldBuilder(
                name: member.name, node: member.value, path: "\(path).fields.\(member.name)",
                isKey: key.contains(member.name), hasFiles: hasFiles, owner: owner, mark: member.mark,
                reporter: reporter)
            return ReferenceFieldBuilder.isReference(member.value)
                ? ReferenceFieldBuilder(field: builder).build() : builder.build()
        }
        checkCopies(fields)
        let keyPath = role?.keyNode == nil ? "\(path).primary_key" : "\(role?.path ?? "").key"
        checkGroup(keyNodes, of: keyPath)
        checkKeyTypes(keyNodes, fields: fields)
        let groups = uniqueGroups
        for group in groups {
            checkGroup(group, of: "\(path).unique")
            checkLinks(group)
            checkMasks(group, fields: fields)
        }
        let unique = groups.map { $0.compactMap(\.string) }
        var entity = EntityDefinition(name: name, table: table, primaryKey: key, unique: unique, fields: fields)
        entity.place = mark.location
        entity.keyPlace = (role?.keyNode ?? node.member("primary_key"))?.start.location
        entity.uniquePlace = node.member("unique")?.start.location
        entity.keepsBase = node.member("keep_base")?.choice(BaseKeeping.self)
        entity.history = node.member("history")?.choice(EntityDefinition.History.self) ?? .none
        ConflictRuleBuilder(node: node, path: path, pipelinePolicy: pipelinePolicy, reporter: reporter).build(&entity)
        if hasContentKey { entity.useContentKey() }
        entity.renamedFrom = node.member("renamed_from")?.string
        entity.tableRenamedFrom = node.member("table_renamed_from")?.string
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

    /// The field that takes the names of a list's members tells them apart.
    private var impliedKey: [String] {
        guard let role, !role.definition.isOrdered else { return [] }
        let entries = role.definition.entries
        let field = fieldNodes.first { ($0.value.member("from")?.string ?? $0.name) == entries }
        if entries != nil, let field { return [field.name] }
        let help =
            role.isOfStream
            ? "Give `\(name)` a `primary_key`, or name the list in `children` of `\(role.parent)`."
            : entries.map { "Add a field with `from: \($0)`, which takes the names of the members, or a `key`." }
                ?? "Add a `key` with the fields that identify them, or `ordered: true`."
        reporter.report(
            .missingKey, "Nothing identifies the elements of `\(role.path)`.", at: role.mark, help: help)
        return []
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
            .reservedName, "Tables that begin with `\(prefix)` are reserved.", at: mark,
            help: "Choose another name for the table of `\(name)`.")
    }

    /// What is redacted in one field must not come in clear with another.
    private func checkCopies(_ fields: [FieldDefinition]) {
        for (field, member) in zip(fields, fieldNodes) where field.redaction == nil && field.reference == nil {
            guard case .path(let path) = field.origin else { continue }
            let holds = fields.first { other in
                guard other.redaction != nil, case .path(let redacted) = other.origin else { return false }
                return redacted.steps.starts(with: path.steps) && path.isPlain
            }
            guard let holds else { continue }
            reporter.report(
                .unredactedCopy,
                "`\(self.path).fields.\(field.name)` reads the value that `\(holds.name)` redacts, and would store it in clear.",
                at: member.mark, help: "Redact `\(field.name)` too, or take a narrower path.")
        }
    }

    private func checkGroup(_ nodes: [ConfigNode], of key: String) {
        let names = fieldNodes.map(\.name)
        var known: Set<String> = []
        for node in nodes {
            guard let name = node.string else { continue }
            if !known.insert(name).inserted {
                reporter.report(.duplicateName, "`\(key)` names `\(name)` twice.", at: node.start)
            }
            // Without fields the missing key is reported already.
            if names.contains(name) || names.isEmpty { continue }
            let suggestion = Suggestion.nearest(to: name, among: names)
            reporter.report(
                .unknownField, "`\(key)` names `\(name)`, which is no field of `\(self.name)`.",
                at: node.start, suggestion: suggestion, help: "The fields are \(names.quotedList).")
        }
    }

    /// What stands in a table of its own cannot be unique in this one.
    private func checkLinks(_ nodes: [ConfigNode]) {
        for node in nodes {
            guard let name = node.string, let field = fieldNodes.first(where: { $0.name == name })?.value,
                field.member("refs") != nil
            else { continue }
            reporter.report(
                .unusableReference,
                "`\(path).unique` names `\(name)`, whose values have a table of their own.", at: node.start,
                help: "Leave it out: each pair of that table is unique already.")
        }
    }

    /// What a mask leaves of different values may be the same.
    private func checkMasks(_ nodes: [ConfigNode], fields: [FieldDefinition]) {
        for node in nodes {
            guard let name = node.string, fields.first(where: { $0.name == name })?.redaction == .mask else { continue }
            reporter.report(
                .conflictingKeys,
                "`\(path).unique` names `\(name)`, and `redact: mask` leaves the same of different values.",
                at: node.start, help: "Set `redact: hash`, or leave the field out of `unique`.")
        }
    }

    private func checkIdentity(hasContentKey: Bool) {
        guard let role, let own = node.member("primary_key") else {
            if role == nil, node.members != nil, node.member("primary_key") == nil, !hasMisspeltKey,
                let key = SectionSpec.entity.available(in: keys).key("primary_key")
            {
                SpecChecker(reporter: reporter).reportMissing(key, in: node, at: SpecChecker.Place(path: path))
            }
            return
        }
        let listed = Set((role.keyNode ?? own).names.compactMap(\.string))
        let isSame = !role.definition.isOrdered && !hasContentKey && listed == Set(own.names.compactMap(\.string))
        if isSame { return }
        reporter.report(
            .unusableChildren,
            "`\(name)` is a child of `\(role.parent)`, where `\(role.path)` says what identifies its records.",
            at: own.start, help: "Leave `primary_key` of `\(name)` out.")
    }

    private func checkKeyTypes(_ nodes: [ConfigNode], fields: [FieldDefinition]) {
        for node in nodes {
            guard let field = fields.first(where: { $0.name == node.string }) else { continue }
            if field.reference != nil { continue }
            guard [FieldType.json, .double, .bytes].contains(field.type) else { continue }
            reporter.report(
                .unusableKeyField,
                "`\(field.name)` is of type `\(field.type.rawValue)`, whose values cannot identify a record.",
                at: node.start, help: "Use `string`, `int`, `decimal`, `uuid` or another type with one form per value.")
        }
    }
}
