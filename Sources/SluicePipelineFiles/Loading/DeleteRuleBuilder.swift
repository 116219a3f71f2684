internal import SluiceDiagnostics
internal import SluicePipeline

/// Makes a stream's rule for records that are missing, and checks that it can be followed.
struct DeleteRuleBuilder {
    /// `delete_missing`: a mode, or a mapping.
    let node: ConfigNode?
    let reporter: Reporter

    func build() -> DeleteRule {
        guard let node else { return DeleteRule() }
        var rule = DeleteRule()
        if let mode = (node.scalar == nil ? node.member("mode") : node)?.choice(DeleteRule.Mode.self) {
            rule.mode = mode
        }
        if let limit = node.member("max_delete")?.string.flatMap(RowLimitText.limit) { rule.maximum = limit }
        if let minimum = node.member("min_records")?.int { rule.minimumRecords = minimum }
        if let scans = node.member("confirm")?.int { rule.confirmation = .scans(scans) }
        if let path = node.member("confirm")?.member("path")?.text {
            rule.confirmation = .request(path.template(ConfigurationText.recordVariables))
        }
        return rule
    }

    /// Checks `confirm` once all is known of the stream.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - entity: What its records are, nil where that is not known.
    ///   - hasFiles: Whether the source gets no requests.
    func check(_ stream: StreamDefinition, of entity: EntityDefinition?, hasFiles: Bool) {
        guard let place = node?.member("confirm"), let confirmation = stream.deleteMissing.confirmation else { return }
        if stream.deleteMissing.mode == .ignore {
            let detail = "`delete_missing` ignores missing records, so `confirm` has nothing to confirm."
            let help = "Add `mode: hard`, `soft` or `report`, or leave `confirm` out."
            reporter.report(.conflictingKeys, detail, at: place.start, help: help, severity: .warning)
        }
        switch confirmation {
        case .scans(0) where stream.paginator.rule.isCounted:
            let detail =
                "While counted pages are read, a record that goes shifts another one to a page that was read already. With `confirm: 0` that one is deleted at once."
            let help = "Remove `confirm`, or set it to 1 or more."
            reporter.report(.conflictingKeys, detail, at: place.start, help: help, severity: .warning)
        case .scans: break
        case .request where hasFiles:
            let detail = "A `file:` source gets no requests, so it cannot be asked for a record."
            reporter.report(.conflictingKeys, detail, at: place.start, help: "Set `confirm` to a number of scans.")
        case .request(let path):
            guard let entity, let node = place.member("path"), path.parts.allSatisfy({ !$0.isSecret }),
                StringRule.recordPath.problem(in: path.revealed) == nil,
                path.templateProblem(ConfigurationText.recordVariables) == nil
            else { return }
            check(path, at: node.start, entity)
        }
    }

    /// The path must name each field of the identifier, or something else of the record, since it would lead to another
    /// record without it.
    private func check(_ path: ConfigurationText, at place: SourcePlace, _ entity: EntityDefinition) {
        let help = "Set `confirm` to a number of scans."
        let variables = path.parts.compactMap(\.variable)
        let ofRecord = variables.filter { $0.name == .record }
        if entity.hasContentKey, ofRecord.isEmpty {
            let detail =
                "`\(entity.name)` has no identifier that the source sends, so the source cannot be asked for one record."
            return reporter.report(.conflictingKeys, detail, at: place, help: help)
        }
        for variable in variables {
            guard let name = variable.member else { continue }
            check(variable, naming: name, at: place, entity)
        }
        if !ofRecord.isEmpty { return }
        let named = variables.compactMap(\.member)
        for name in entity.primaryKey where !named.contains(name) {
            let detail = "The path lacks `{{ key.\(name) }}`, so it does not name one record."
            reporter.report(.missingKey, detail, at: place)
        }
    }

    private func check(
        _ variable: TemplateVariable, naming name: String, at place: SourcePlace, _ entity: EntityDefinition
    ) {
        let isKey = variable.name == .key
        let fields = entity.fields.filter { isKey ? entity.primaryKey.contains($0.name) : $0.hasText }
        guard let field = fields.first(where: { $0.name == name }) else {
            let other = entity.fields.first { $0.name == name }
            let names = fields.map(\.name)
            let what = isKey ? "is no field of the primary key of" : other == nil ? "is no field of" : "has no text in"
            reporter.report(
                .unknownField, "`\(name)` \(what) `\(entity.name)`.", at: place,
                suggestion: Suggestion.nearest(to: name, among: names),
                help: isKey && other?.hasText == true
                    ? "Write `{{ record.\(name) }}`; the primary key is \(names.quotedList)."
                    : "\(isKey ? "Its primary key is" : "The fields are") \(names.quotedList).")
            return
        }
        if field.redaction != nil {
            reporter.report(
                .conflictingKeys, "`\(field.name)` is redacted, so its source cannot be asked for it.", at: place,
                help: "Set `confirm` to a number of scans.")
        }
    }
}
