internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline

/// What `{{ parent.x }}` and `{{ item }}` may name in one place.
struct TemplateScope {
    struct Problem {
        var kind: ProblemKind
        var detail: String
        var suggestion: String?
        var help: String?
    }

    let stream: StreamDefinition
    /// The entity of the record that `parent` is; nil where there is none, or it is not known.
    let parent: EntityDefinition?
    /// Whether the parent is the record itself, so that the stream needs none.
    var isWithinRecord = false
    /// Whether `parent` is written in another way, which is said elsewhere.
    var hasMisspeltParent = false
    /// Whether `for_each` is.
    var hasMisspeltItems = false

    /// Why a variable stands for nothing; nil where it does, and for all that depends on no stream.
    func problem(_ variable: TemplateVariable) -> Problem? {
        switch variable.name {
        case .parent: parentProblem(variable)
        case .item: itemProblem(variable)
        default: nil
        }
    }

    private func parentProblem(_ variable: TemplateVariable) -> Problem? {
        if hasMisspeltParent, !isWithinRecord { return nil }
        guard isWithinRecord || stream.parent != nil else {
            return Problem(
                kind: .missingKey,
                detail: "`{{ \(variable.path) }}` needs the key `parent` of the stream `\(stream.name)`.",
                help: "For example: `parent: {stream: repos}`")
        }
        // Without an entity something else is wrong, and said.
        guard let parent, let name = variable.member else { return nil }
        guard let field = parent.fields.first(where: { $0.name == name }) else {
            let names = parent.fields.filter(\.hasText).map(\.name)
            return Problem(
                kind: .unknownField,
                detail: "`{{ \(variable.path) }}` names `\(name)`, which is no field of `\(parent.name)`.",
                suggestion: Suggestion.nearest(to: name, among: names), help: "The fields are \(names.quotedList).")
        }
        if field.redaction != nil {
            return Problem(
                kind: .conflictingKeys,
                detail: "`{{ \(variable.path) }}` is redacted, so its value is not stored and cannot be sent.",
                help: "Name a field of the parent without `redact`.")
        }
        if field.hasText { return nil }
        return Problem(
            kind: .conflictingKeys,
            detail:
                "`{{ \(variable.path) }}` is of type `\(field.type.rawValue)`, whose values cannot be filled in.",
            help: "Name a field of another type.")
    }

    private func itemProblem(_ variable: TemplateVariable) -> Problem? {
        if hasMisspeltItems { return nil }
        if stream.items.isEmpty {
            return Problem(
                kind: .missingKey,
                detail: "`{{ \(variable.path) }}` needs the key `for_each` of the stream `\(stream.name)`.",
                help: "For example: `for_each: [open, closed]`")
        }
        if stream.items.contains(where: { $0.name == variable.member }) { return nil }
        let names = stream.items.map { $0.name.map { "item.\($0)" } ?? "item" }
        return Problem(
            kind: .conflictingKeys, detail: "`{{ \(variable.path) }}` is not one of the lists of `for_each`.",
            suggestion: Suggestion.nearest(to: variable.path, among: names),
            help: "There is \(names.map { "`{{ \($0) }}`" }.joined(separator: ", ")).")
    }
}
