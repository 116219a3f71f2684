internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline

/// Makes a stream's rule for asking only for changes, and checks that its requests follow it.
struct IncrementalBuilder {
    /// The stream's keys, those of `defaults` among them.
    let node: ConfigNode
    /// The stream as far as it is built.
    let stream: StreamDefinition
    /// What its records are, nil where that is not known.
    let entity: EntityDefinition?
    let hasFiles: Bool
    let reporter: Reporter

    /// The rule, nil where the stream has none.
    func build() -> IncrementalRule? {
        let used = variables
        guard let rule = node.member("incremental") else {
            if let variable = used.first(where: { $0.name.isOfCursor }) {
                reporter.report(
                    .missingKey, "`{{ \(variable.name.rawValue) }}` needs the key `incremental` of the stream.",
                    at: node.start,
                    help: "For example: `incremental: {cursor_field: updated_at, initial_value: 2020-01-01T00:00:00Z}`")
            }
            return nil
        }
        if rule.member("token") != nil {
            if let variable = used.first(where: { $0.name.isOfCursor }) {
                reporter.report(
                    .conflictingKeys,
                    "`{{ \(variable.name.rawValue) }}` needs a `cursor_field`, but `incremental` has a `token`.",
                    at: rule.start, help: "Remove the variable: Sluice sends the token itself.")
            }
            return nil
        }
        if rule.member("token_param") != nil {
            reporter.report(
                .missingKey, "`token_param` needs the key `token` beside it.", at: rule.start,
                help: "For example: `incremental: {token: nextSyncToken, token_param: syncToken}`")
        }
        if rule.member("cursor_field") == nil {
            reporter.report(
                .missingKey, "`incremental` needs the key `cursor_field`, or the key `token`.", at: rule.start,
                help:
                    "For example: `incremental: {cursor_field: updated_at, initial_value: 2020-01-01T00:00:00Z}`, or `incremental: {token: deltaLink}`"
            )
            return nil
        }
        var built = IncrementalRule(field: rule.member("cursor_field")?.string ?? "")
        built.lookback = rule.member("lookback")?.duration ?? .zero
        built.order = rule.member("order")?.choice(IncrementalRule.Order.self) ?? .none
        built.step = rule.member("step")?.duration
        built.isClientSide = rule.member("client_side")?.bool ?? false
        built.onMissing = rule.member("on_cursor_missing")?.choice(IncrementalRule.MissingRule.self) ?? .fail
        built.format = (rule.member("format")?.elements?.first ?? rule.member("format"))?.string
        built.asksForEnd = used.contains { $0.name == .cursorEnd }
        checkUse(built, rule, used)
        guard let entity, let place = rule.member("cursor_field") else { return built }
        guard let field = entity.fields.first(where: { $0.name == built.field }) else {
            reporter.report(
                .unknownField, "`\(entity.name)` has no field `\(built.field)`.", at: place.start,
                suggestion: Suggestion.nearest(to: built.field, among: entity.fields.map(\.name)),
                help: "The cursor is a column of the table: add a field for it.")
            return built
        }
        check(built, rule, field, used)
        if let initial = rule.member("initial_value"), let scalar = initial.scalar, !scalar.isPlaceholder {
            do throws(TextProblem) {
                // It may be written as the store does, whatever the source's format is.
                var plain = field
                plain.formats = []
                if let literal = try? FieldLiteral(field: plain).json(scalar) {
                    built.initialJSON = literal
                } else {
                    built.initialJSON = try FieldLiteral(field: field).json(scalar)
                }
            } catch {
                let detail = "`initial_value` does not fit the field `\(field.name)`. \(error.message)"
                reporter.report(.invalidValue, detail, at: initial.start, help: error.help)
            }
        }
        return built
    }

    private var variables: [TemplateVariable] {
        let texts = [stream.path].compactMap { $0 } + stream.parameters.map(\.value) + stream.headers.map(\.value)
        return (texts + (stream.body?.texts ?? [])).flatMap(\.parts).compactMap(\.variable)
    }

    /// What is asked for must depend on the cursor, or it is for nothing.
    private func checkUse(_ built: IncrementalRule, _ rule: ConfigNode, _ used: [TemplateVariable]) {
        let asks = used.contains { $0.name.isOfCursor }
        if !asks && !built.isClientSide {
            let help =
                hasFiles
                ? "Add `client_side: true`."
                : "For example: `params: {since: \"{{ cursor.start }}\"}`, or `client_side: true`."
            reporter.report(
                .conflictingKeys,
                "No request of the stream uses `{{ cursor.start }}`, so each run would read everything.",
                at: rule.start, help: help)
        }
        if asks, rule.member("initial_value") == nil {
            reporter.report(
                .missingKey,
                "`incremental` needs the key `initial_value`: the first run starts there.",
                at: rule.start, help: "For example: `initial_value: 2020-01-01T00:00:00Z`")
        }
        if built.step != nil, !used.contains(where: { $0.name == .cursorEnd }), let step = rule.member("step") {
            reporter.report(
                .conflictingKeys, "`step` divides time into windows, but no request uses `{{ cursor.end }}`.",
                at: step.start, help: "For example: `params: {until: \"{{ cursor.end }}\"}`")
        }
    }

    private func check(
        _ built: IncrementalRule, _ rule: ConfigNode, _ field: FieldDefinition, _ used: [TemplateVariable]
    ) {
        let place = rule.member("cursor_field")?.start ?? rule.start
        switch field.type {
        case .date, .datetime: break
        case .int:
            for key in ["lookback", "step", "format"] where rule.member(key) != nil {
                reporter.report(
                    .conflictingKeys, "`\(key)` is about time, but `\(field.name)` is an `int`.",
                    at: rule.member(key)?.start ?? place,
                    help: "Make it a `datetime` with `format: unix`, or leave `\(key)` out.")
            }
            if used.contains(where: { $0.name == .cursorEnd || ($0.name == .cursorStart && $0.filter != nil) }) {
                reporter.report(
                    .conflictingKeys,
                    "`{{ cursor.end }}` and filters are about time, but `\(field.name)` is an `int`.", at: place)
            }
        default:
            reporter.report(
                .invalidValue, "`\(field.name)` is `\(field.type.rawValue)`, which has no order in time.", at: place,
                help: "A cursor is an `int`, a `date` or a `datetime`.")
        }
        if field.redaction != nil {
            reporter.report(
                .conflictingKeys, "`\(field.name)` is redacted, so it cannot be the cursor.", at: place)
        }
    }
}
