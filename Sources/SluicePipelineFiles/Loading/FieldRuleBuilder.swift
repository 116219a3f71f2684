internal import SluiceModel
internal import SluicePipeline

/// Makes the rules of a field for merging and storing its values, and checks which of them it can have.
struct FieldRuleBuilder {
    let node: ConfigNode
    /// The keys that lead to the field, for messages.
    let path: String
    let isKey: Bool
    /// Who may change the field where it says nothing.
    let owner: FieldOwner
    let reporter: Reporter

    func build(_ field: inout FieldDefinition) {
        field.owner = node.member("owner")?.choice(FieldOwner.self) ?? owner
        field.onConflict = node.member("on_conflict")?.choice(ConflictPolicy.self)
        field.onTypeMismatch = node.member("on_type_mismatch")?.choice(FieldDefinition.MismatchRule.self)
        field.comparison = node.member("compare")?.choice(FieldComparison.self) ?? .exact
        field.keepsBase = node.member("keep_base")?.choice(BaseKeeping.self)
        field.renamedFrom = node.member("renamed_from")?.string
        field.redaction = node.member("redact")?.choice(FieldRedaction.self)
        checkComparison(field)
        checkRedaction(field)
        if isKey { checkKey(field) }
    }

    private func checkComparison(_ field: FieldDefinition) {
        let allowed: [FieldType]
        switch field.comparison {
        case .exact: return
        case .set, .json: allowed = [.json]
        case .ignoringCase: allowed = [.string, .enumeration, .url]
        }
        if allowed.contains(field.type) { return }
        let names = allowed.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        conflict(
            "compare",
            "`compare: \(field.comparison.rawValue)` belongs to \(names); "
                + "`\(path)` is of type `\(field.type.rawValue)`."
        )
    }

    /// A hash and a mask are texts.
    private func checkRedaction(_ field: FieldDefinition) {
        guard let redaction = field.redaction, redaction != .drop, field.type != .string else { return }
        conflict(
            "redact",
            "`redact: \(redaction.rawValue)` makes texts, which `string` fields hold; `\(path)` is of type "
                + "`\(field.type.rawValue)`. Make it a `string`, or set `redact: drop`.")
    }

    /// What makes a record cannot be changed, lost or blurred.
    private func checkKey(_ field: FieldDefinition) {
        if let rule = field.onTypeMismatch, rule == .setNull || rule == .keep {
            keyConflict("on_type_mismatch", "on_type_mismatch: \(rule.rawValue)")
        }
        if let redaction = field.redaction, redaction != .hash {
            keyConflict("redact", "redact: \(redaction.rawValue)")
        }
        if field.comparison != .exact { keyConflict("compare", "compare: \(field.comparison.rawValue)") }
        for key in ["owner", "on_conflict"] where node.member(key) != nil { keyConflict(key, key) }
    }

    private func keyConflict(_ key: String, _ words: String) {
        guard let value = node.member(key) else { return }
        reporter.report(
            .unusableKeyField, "`\(path)` is in the primary key, so it cannot have `\(words)`.", at: value.start,
            help: "The primary key identifies records; remove the setting.")
    }

    private func conflict(_ key: String, _ detail: String) {
        guard let place = node.members?.first(where: { $0.name == key })?.mark else { return }
        reporter.report(.conflictingKeys, detail, at: place)
    }
}
