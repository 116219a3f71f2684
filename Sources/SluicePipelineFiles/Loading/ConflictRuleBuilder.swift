internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline

/// Makes the rules by which an entity's conflicts are decided, and checks that `newest_wins` can know what is newest.
struct ConflictRuleBuilder {
    /// The entity.
    let node: ConfigNode
    /// The keys that lead to it, for messages.
    let path: String
    let pipelinePolicy: ConflictPolicy?
    let reporter: Reporter

    private static let times: [FieldType] = [.datetime, .date, .int]

    func build(_ entity: inout EntityDefinition) {
        entity.conflictRules = rules
        entity.newestField = newestField(of: entity)
        checkNewest(entity)
    }

    private var rules: ConflictRules {
        guard let rules = node.member("on_conflict") else { return ConflictRules() }
        if let policy = rules.choice(ConflictPolicy.self) { return ConflictRules(fallback: policy) }
        var result = ConflictRules(fallback: rules.member("default")?.choice(ConflictPolicy.self))
        for kind in ConflictRules.Kind.allCases {
            result.byKind[kind] = rules.member(kind.rawValue)?.choice(ConflictPolicy.self)
        }
        return result
    }

    private func newestField(of entity: EntityDefinition) -> String? {
        guard let value = node.member("newest")?.member("field"), let name = value.string else { return nil }
        guard let field = entity.fields.first(where: { $0.name == name }) else {
            let names = entity.fields.map(\.name)
            reporter.report(
                .unknownField, "`\(path).newest` names `\(name)`, which is no field of `\(entity.name)`.",
                at: value.start, suggestion: Suggestion.nearest(to: name, among: names),
                help: names.isEmpty ? nil : "The fields are \(names.quotedList).")
            return nil
        }
        if !Self.times.contains(field.type) {
            reporter.report(
                .conflictingKeys, "`\(name)` is of type `\(field.type.rawValue)`, which does not tell what is newest.",
                at: value.start, help: "Name a field of type \(Self.times.map(\.rawValue).quotedList).")
        }
        return name
    }

    /// The policy is named by the field, the entity or the pipeline, of which the nearest holds.
    private func checkNewest(_ entity: EntityDefinition) {
        if node.member("newest") != nil { return }
        let fieldNodes = node.member("fields")?.members ?? []
        let inField = fieldNodes.compactMap { $0.value.member("on_conflict") }.first { isNewest($0) }
        let rules = node.member("on_conflict")
        let inEntity = rules.flatMap { isNewest($0) ? $0 : $0.members?.map(\.value).first { isNewest($0) } }
        let isInherited = pipelinePolicy == .newestWins && entity.conflictRules.fallback == nil
        guard let place = inField?.start ?? inEntity?.start ?? (isInherited ? node.start : nil) else { return }
        reporter.report(
            .missingKey, "`newest_wins` applies to `\(path)`, which needs the key `newest` to say what is newest.",
            at: place, help: "For example: `newest: {field: updated_at}`")
    }

    private func isNewest(_ node: ConfigNode) -> Bool { node.choice(ConflictPolicy.self) == .newestWins }
}
