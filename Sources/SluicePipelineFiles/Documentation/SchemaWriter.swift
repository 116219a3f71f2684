/// Writes specifications as JSON Schema; sections become definitions, so that each is written once.
struct SchemaWriter {
    typealias Members = [(name: String, value: SchemaValue)]

    /// What stands for a value that is filled in when the file is loaded.
    static let references: Members = [
        (
            "reference",
            .object([
                ("description", .text("Filled in when the file is loaded.")),
                ("type", .text("string")),
                ("pattern", .text("(^|[^$])(\\$\\$)*\\$\\{(env|file|var):[^}]+\\}")),
            ])
        ),
        (
            "sent_json",
            .object([
                ("description", .text("Any value; in its texts variables are filled in.")),
                ("anyOf", .list(sentJSON)),
            ])
        ),
    ]

    private static let sentJSON: [SchemaValue] = [
        .object([("type", .texts(["number", "boolean", "null"]))]), reference,
        .object([("type", .text("string")), ("pattern", .text(StringRule.anyTemplate.expression ?? ""))]),
        .object([("type", .text("array")), ("items", .object([("$ref", .text("#/$defs/sent_json"))]))]),
        .object([
            ("type", .text("object")), ("additionalProperties", .object([("$ref", .text("#/$defs/sent_json"))])),
        ]),
    ]

    private static let reference = SchemaValue.object([("$ref", .text("#/$defs/reference"))])

    /// The sections that were met, by name.
    private(set) var definitions: Members = []

    /// A key's value with what the key says of it.
    mutating func schema(of key: KeySpec) -> SchemaValue {
        var members: Members = [("description", .text(Self.description(of: key)))]
        members += schema(of: key.value)
        if let value = key.defaultValue { members.append(("default", value)) }
        if let example = SchemaValue(yaml: key.example) { members.append(("examples", .list([example]))) }
        return .object(members)
    }

    private static func description(of key: KeySpec) -> String {
        guard let words = key.defaultText, key.defaultValue == nil else { return key.documentation }
        return "\(key.documentation) Default: \(words)."
    }

    /// The keywords for a section: its keys, those that must be there, and no others.
    mutating func members(of section: SectionSpec) -> Members {
        var properties: Members = []
        for key in section.keys { properties.append((key.name, schema(of: key))) }
        var members: Members = [("type", .text("object")), ("properties", .object(properties))]
        let required = section.keys.filter(\.isRequired)
        let alone = required.filter { $0.substitute == nil }
        if !alone.isEmpty { members.append(("required", .texts(alone.map(\.name)))) }
        for key in required {
            guard let substitute = key.substitute else { continue }
            let forms = [key.name, substitute].map { SchemaValue.object([("required", .texts([$0]))]) }
            members.append(("anyOf", .list(forms)))
        }
        members.append(("additionalProperties", .false))
        return members
    }

    private mutating func schema(of spec: ValueSpec) -> Members {
        switch spec {
        case .boolean: return orReference([("type", .text("boolean"))])
        case .integer(let range): return orReference(Self.integer(range))
        case .duration: return orReference(Self.pattern("^[0-9]+(ms|s|m|h|d)$"))
        case .size(let range):
            return Self.anyOf([
                Self.integer(range), Self.pattern("^[0-9]+(B|KB|MB|GB|KiB|MiB|GiB)?$"),
                [("$ref", .text("#/$defs/reference"))],
            ])
        case .rowLimit:
            return Self.anyOf([
                [("type", .text("integer")), ("minimum", .number(0))],
                Self.pattern("^([0-9]+|0*(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)%)$"),
                [("$ref", .text("#/$defs/reference"))],
            ])
        case .status:
            return Self.anyOf([
                Self.integer(100...599), Self.pattern("^[1-5]([0-9]{2}|xx)$"),
                [("$ref", .text("#/$defs/reference"))],
            ])
        case .string(let rule):
            guard let expression = rule.expression else { return [("type", .text("string"))] }
            return orReference(Self.pattern(expression))
        case .text(let rule):
            // The pattern speaks of texts only: of a number it says nothing.
            var members: Members = [("type", .texts(["string", "number", "boolean"]))]
            if let expression = rule.expression { members.append(("pattern", .text(expression))) }
            return orReference(members)
        case .scalar: return [("type", .texts(["string", "number", "boolean", "null"]))]
        case .json: return [("$ref", .text("#/$defs/sent_json"))]
        case .choice(let choice): return orReference([("enum", .texts(choice.values))])
        case .list(let element, let minimumCount):
            var members: Members = [("type", .text("array")), ("items", .object(schema(of: element)))]
            if minimumCount > 0 { members.append(("minItems", .number(minimumCount))) }
            return members
        case .mapping(let keys, let values, let minimumCount):
            var members: Members = [("type", .text("object"))]
            if let expression = keys.expression {
                members.append(("propertyNames", .object([("pattern", .text(expression))])))
            }
            members.append(("additionalProperties", .object(schema(of: values))))
            if minimumCount > 0 { members.append(("minProperties", .number(minimumCount))) }
            return members
        case .section(let section): return definition(of: section)
        case .variants(let variants): return schema(of: variants)
        case .anyOf(let forms): return Self.anyOf(forms.map { schema(of: $0) })
        }
    }

    /// Kinds are told apart by `type`; one that is filled in later says nothing of the other keys.
    private mutating func schema(of spec: VariantSpec) -> Members {
        var forms: [Members] = []
        for variant in spec.variants {
            guard let section = spec.section(of: variant.name) else { continue }
            forms.append(definition(of: section, type: variant))
        }
        let type = SchemaValue.object([("type", Self.reference)])
        forms.append([("type", .text("object")), ("properties", type), ("required", .texts(["type"]))])
        return Self.anyOf(forms)
    }

    private mutating func definition(of section: SectionSpec, type variant: VariantSpec.Variant? = nil) -> Members {
        let name = Self.name(of: section)
        let reference: Members = [("$ref", .text("#/$defs/\(name)"))]
        if definitions.contains(where: { $0.name == name }) { return reference }
        let index = definitions.count
        definitions.append((name, .object([])))
        var members = members(of: section)
        if let documentation = section.documentation {
            members.insert(("description", .text(documentation)), at: 0)
        }
        if let variant {
            members = members.map { $0.name == "properties" ? ("properties", $0.value.with(type: variant.name)) : $0 }
        }
        definitions[index].value = .object(members)
        return reference
    }

    /// `auth.bearer` of "`auth` of type `bearer`", `stream` of "a stream".
    static func name(of section: SectionSpec) -> String {
        let quoted = section.title.split(separator: "`", omittingEmptySubsequences: false)
        let names = quoted.indices.filter { $0 % 2 == 1 }.map { String(quoted[$0]) }
        if !names.isEmpty { return names.joined(separator: ".") }
        let words = section.title.split(separator: " ").drop { ["a", "an", "the"].contains($0) }
        return words.joined(separator: "_")
    }

    private func orReference(_ members: Members) -> Members {
        Self.anyOf([members, [("$ref", .text("#/$defs/reference"))]])
    }

    private static func anyOf(_ forms: [Members]) -> Members {
        // Forms of forms are forms.
        let flat = forms.flatMap { form -> [SchemaValue] in
            if form.count == 1, form[0].name == "anyOf", case .list(let inner) = form[0].value { return inner }
            return [.object(form)]
        }
        var known: Set<String> = []
        return [("anyOf", .list(flat.filter { known.insert($0.pretty()).inserted }))]
    }

    private static func pattern(_ expression: String) -> Members {
        [("type", .text("string")), ("pattern", .text(expression))]
    }

    private static func integer(_ range: ClosedRange<Int>) -> Members {
        if range.lowerBound == range.upperBound { return [("const", .number(range.lowerBound))] }
        var members: Members = [("type", .text("integer")), ("minimum", .number(range.lowerBound))]
        if range.upperBound < Int.max { members.append(("maximum", .number(range.upperBound))) }
        return members
    }
}

extension SchemaValue {
    /// The properties with a `type` that is this word alone.
    fileprivate func with(type name: String) -> SchemaValue {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.name == "type" ? ("type", .object([("const", .text(name))])) : $0 })
    }
}
