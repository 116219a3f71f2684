internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// Makes the field of a `ref` or `refs` as far as its own keys say it: the target's key is filled in by
/// ``RelationBuilder``.
struct ReferenceFieldBuilder {
    /// The keys that say what a value looks like, which the target's key does here.
    private static let ofValues = [
        "type", "expr", "default", "format", "timezone", "values", "map", "compare", "keep_base", "redact",
    ]

    let field: FieldBuilder

    private var node: ConfigNode { field.node }
    private var reporter: Reporter { field.reporter }
    private var isMany: Bool { node.member("refs") != nil }
    private var key: String { isMany ? "refs" : "ref" }

    static func isReference(_ node: ConfigNode) -> Bool { node.member("ref") != nil || node.member("refs") != nil }

    /// Whether the key is a text that is the same for every record of a page, such as `{{ parent.id }}`.
    private var hasText: Bool { !isMany && node.member("value") != nil }

    func build() -> FieldDefinition {
        let path = Self.path(of: field.name, node)
        var result = FieldDefinition(
            name: field.name, column: field.name, origin: hasText ? field.buildOrigin() : .path(path))
        result.reference = field.name
        result.isRequired = field.isKey || node.member("required")?.bool ?? false
        result.onNull = node.member("on_null")?.choice(FieldDefinition.NullRule.self) ?? .setNull
        result.onMissing = node.member("on_missing")?.choice(FieldDefinition.MissingRule.self) ?? .keep
        if field.isKey { field.checkKeyField() }
        checkKeys()
        if !hasText { checkPath(path) }
        FieldRuleBuilder(
            node: node.without(Self.ofValues), path: field.path, isKey: field.isKey, owner: field.owner,
            reporter: reporter
        ).build(&result)
        if isMany {
            result.type = .json
            result.comparison = .set
            result.keepsBase = .full
            result.origin = .references(path: path, keys: [])
            if node.member("merge")?.string == ReferenceDefinition.MergeRule.replace.rawValue { takeOver(&result) }
        }
        return result
    }

    /// The value's place, which is the key of the field's name where nothing else is said.
    static func path(of name: String, _ node: ConfigNode) -> JSONPath {
        if let path = node.member("from")?.string.flatMap({ try? JSONPath(parsing: $0) }) { return path }
        let isMany = node.member("refs") != nil
        return JSONPath(steps: [.name(name)] + (isMany ? [.wildcard] : []), text: isMany ? "\(name)[*]" : name)
    }

    private func takeOver(_ result: inout FieldDefinition) {
        result.owner = .remote
        guard let owner = node.member("owner"), owner.string != FieldOwner.remote.rawValue else { return }
        field.conflict(
            "owner", "`merge: replace` makes the source the owner of `\(field.path)`, so it takes no other `owner`.",
            help: "Remove `owner`, or set `merge: set`.")
    }

    private func checkKeys() {
        if node.member("ref") != nil, isMany {
            field.conflict("ref", "`\(field.path)` has both `ref`, for one record, and `refs`, for several.")
        }
        for key in Self.ofValues + (isMany ? ["value"] : []) where node.member(key) != nil {
            field.conflict(
                key,
                "`\(key)` does not go with `\(self.key)`: the values of `\(field.path)` are keys of another entity.",
                help: "Remove `\(key)`: the entity says what its key looks like.")
        }
        for key in ["via", "owner_column", "target_column", "merge"] where !isMany && node.member(key) != nil {
            field.conflict(key, "`\(key)` belongs to a field with `refs`; `\(field.path)` refers to one record.")
        }
        if isMany, node.member("column") != nil {
            field.conflict(
                "column", "`\(field.path)` has a table of its own, and no column.",
                help: "`via` names the table, `owner_column` and `target_column` its columns.")
        }
        guard field.isKey else { return }
        let rule = node.member("on_dangling")?.string ?? ReferenceDefinition.DanglingRule.defer.rawValue
        if isMany {
            reporter.report(
                .unusableKeyField, "`\(field.path)` is in the primary key, but it holds several records.",
                at: node.member("refs")?.start ?? node.start, help: "Use `ref`, or leave it out of the key.")
        } else if ["defer", "set_null"].contains(rule) {
            reporter.report(
                .unusableKeyField,
                "`\(field.path)` is in the primary key, so it cannot be null where its target is missing.",
                at: node.member("on_dangling")?.start ?? field.mark,
                help: "Add `on_dangling: stub`, or `on_dangling: fail`.")
        }
    }

    private func checkPath(_ path: JSONPath) {
        let text = node.member("from")?.string ?? path.text
        if isMany, path.isSingular {
            field.conflict(
                "from", "`\(text)` selects one value, and `refs` takes several.",
                help: "For the elements of an array write `\(text)[*]`, or use `ref`.")
        } else if !isMany, !path.isSingular {
            field.conflict(
                "from", "`\(text)` may select several values, and `ref` takes one.",
                help: "Name one element, such as `[0]`, or use `refs`.")
        } else if isMany, !path.isPlain {
            field.conflict(
                "from", "`\(text)` is no path for `refs`: it may have only names, indexes and `*`.",
                help: "Write a path such as `labels[*]` or `labels[*].id`.")
        }
    }
}

extension ConfigNode {
    /// The mapping without some of its keys.
    fileprivate func without(_ keys: [String]) -> ConfigNode {
        guard let members else { return self }
        return ConfigNode(content: .mapping(members.filter { !keys.contains($0.name) }), start: start, end: end)
    }
}
