internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceYAML

/// Makes the definition of a field, and checks which of its keys go together.
struct FieldBuilder {
    let name: String
    let node: ConfigNode
    /// The keys that lead to the field, for messages.
    let path: String
    let isKey: Bool
    let hasFiles: Bool
    /// Who may change the field where it says nothing.
    var owner = FieldOwner.shared
    /// Where the field's name stands.
    let mark: SourcePlace
    let reporter: Reporter

    func build() -> FieldDefinition {
        // The short form is the type itself.
        let typeNode = node.scalar == nil ? node.member("type") : node
        let type = typeNode?.choice(FieldType.self)
        var field = FieldDefinition(
            name: name, column: node.member("column")?.string ?? name, origin: buildOrigin(), type: type ?? .string)
        field.line = (typeNode?.start ?? mark).line
        field.place = (typeNode?.start ?? mark).location
        field.redactionPlace = (node.member("redact")?.start ?? mark).location
        field.isRequired = isKey || node.member("required")?.bool ?? false
        field.formats = (node.member("format")?.names ?? []).compactMap(\.string)
        field.timezone = node.member("timezone")?.string
        field.values = (node.member("values")?.elements ?? []).compactMap(\.string)
        field.onNull = node.member("on_null")?.choice(FieldDefinition.NullRule.self) ?? .setNull
        // Without a known type there is nothing to measure the other keys by.
        if typeNode == nil || type != nil {
            checkTypeKeys(field)
            field.defaultJSON = node.member("default").flatMap { literal($0, for: field, key: "default") }
            field.map = buildMap(field)
        }
        let hasDefault = node.member("default") != nil
        let explicitRule = node.member("on_missing")?.choice(FieldDefinition.MissingRule.self)
        field.onMissing = explicitRule ?? (hasDefault ? .default : .keep)
        if explicitRule == .default, !hasDefault {
            conflict("on_missing", "`\(path)` has no `default` that `on_missing: default` could use.")
        }
        if isKey { checkKeyField() }
        for key in ["via", "merge", "upsert", "on_dangling"] where node.member(key) != nil {
            conflict(key, "`\(key)` belongs to a field with `ref` or `refs`; `\(path)` has neither.")
        }
        FieldRuleBuilder(node: node, path: path, isKey: isKey, owner: owner, reporter: reporter).build(&field)
        return field
    }

    /// Where the value comes from.
    func buildOrigin() -> FieldDefinition.Origin {
        if let program = node.member("expr")?.string {
            for key in ["from", "value"] where node.member(key) != nil {
                conflict("expr", "`\(path)` has both `expr` and `\(key)`, but only one of them can give the value.")
            }
            return .program(program)
        }
        if let value = node.member("value") {
            if node.member("from") != nil {
                conflict("value", "`\(path)` has both `from` and `value`, but only one of them can give the value.")
            }
            if let template = value.string.flatMap({ try? TemplateText.parse($0) }) {
                if template.parts.contains(.fileStem), !hasFiles {
                    let help = "Set `base_url` to `file:` and a folder."
                    conflict("value", "`{{ file.stem }}` needs a source of files.", help: help)
                }
                return .template(template)
            }
        }
        if let path = node.member("from")?.string.flatMap({ try? JSONPath(parsing: $0) }) { return .path(path) }
        return .path(JSONPath(steps: [.name(name)], text: name))
    }

    private func checkTypeKeys(_ field: FieldDefinition) {
        let type = field.type.rawValue
        if field.type == .enumeration, node.member("values") == nil {
            let help = "For example: `values: [open, closed]`"
            reporter.report(.missingKey, "The `enum` `\(path)` needs the key `values`.", at: node.start, help: help)
        }
        if field.type != .enumeration, node.member("values") != nil {
            let help = "Make the type `enum`, or leave `values` out."
            conflict("values", "`values` belongs to an `enum`; `\(path)` is of type `\(type)`.", help: help)
        }
        if case .path(let path) = field.origin, !path.isSingular, field.type != .json {
            conflict(
                "from", "`\(path.text)` may select several values, and `\(self.path)` of type `\(type)` takes one.",
                help: "Name one element, such as `[0]`, or make the type `json`, which takes them all.")
        }
        checkUnique(field.values)
        let isTime = field.type == .date || field.type == .datetime
        if node.member("format") != nil, !isTime {
            conflict("format", "`format` belongs to a `date` or `datetime`; `\(path)` is of type `\(type)`.")
        }
        let texts = field.formats.isEmpty ? ["rfc3339"] : field.formats
        let formats = texts.compactMap { try? DateFormatText($0) }
        let isNumeric = !formats.isEmpty && formats.allSatisfy(\.isNumeric)
        if node.member("timezone") != nil, field.type != .datetime || isNumeric {
            let detail = "`timezone` belongs to a `datetime` that is written as text; `\(path)` is none."
            return conflict("timezone", detail)
        }
        if field.type == .datetime, field.timezone == nil, formats.contains(where: { !$0.statesZone }) {
            reporter.report(
                .missingZone, "The `format` of `\(path)` has no offset from UTC, so it fits no value.",
                at: node.member("format")?.start ?? node.start,
                help: "Add `timezone: UTC`, or the offset that the source means.")
        }
    }

    private func checkUnique(_ values: [String]) {
        var known: Set<String> = []
        for value in node.member("values")?.elements ?? [] {
            guard let text = value.string, !known.insert(text).inserted else { continue }
            reporter.report(.duplicateName, "`\(path).values` has `\(text)` twice.", at: value.start)
        }
    }

    private func buildMap(_ field: FieldDefinition) -> [String: FieldDefinition.MappedValue] {
        var map: [String: FieldDefinition.MappedValue] = [:]
        for member in node.member("map")?.members ?? [] {
            guard let json = literal(member.value, for: field.asStored, key: "map.\(member.name)") else { continue }
            map[member.name] = json == "null" ? .null : .json(json)
        }
        return map
    }

    private func literal(_ node: ConfigNode, for field: FieldDefinition, key: String) -> String? {
        guard let scalar = node.scalar, !scalar.isPlaceholder else { return nil }
        do throws(TextProblem) {
            return try FieldLiteral(field: field).json(scalar)
        } catch {
            let detail = "`\(path).\(key)` does not fit the type `\(field.type.rawValue)`. \(error.message)"
            reporter.report(.invalidValue, detail, at: node.start, help: error.help)
            return nil
        }
    }

    /// A record without its key is no record, so nothing may stand in for it.
    func checkKeyField() {
        if let required = node.member("required"), required.bool == false { keyConflict("required: false", required) }
        if let value = node.member("default") { keyConflict("default", value) }
        for key in ["on_missing", "on_null"] {
            guard let rule = node.member(key), let text = rule.string, text != "fail" else { continue }
            if let values = SectionSpec.field.key(key)?.value, case .choice(let choice) = values,
                choice.values.contains(text)
            {
                keyConflict("\(key): \(text)", rule)
            }
        }
    }

    private func keyConflict(_ words: String, _ node: ConfigNode) {
        reporter.report(
            .unusableKeyField, "`\(path)` is in the primary key, so it cannot have `\(words)`.", at: node.start,
            help: "A record without its key goes to quarantine; remove the setting.")
    }

    func conflict(_ key: String, _ detail: String, help: String? = nil) {
        let place = node.members?.first { $0.name == key }?.mark ?? mark
        reporter.report(.conflictingKeys, detail, at: place, help: help)
    }
}

extension FieldDefinition {
    /// The field as the store sees it: what `map` yields is no longer in the source's format.
    fileprivate var asStored: FieldDefinition {
        var field = self
        field.formats = []
        return field
    }
}
