/// What `@Attribute` says of a property.
extension ModelReader {
    struct AttributeOptions {
        var traits: Set<String> = []
        var name: String?
        var former: TypeDeclaration.Attribute.Argument?
        var column: String?
        var json: String?
        var storage = ModelDeclaration.Storage.value
        var failurePolicy = ModelDeclaration.FailurePolicy.throw
        var rules: MergeRules = [:]
        var checks: [ModelDeclaration.Check] = []
        /// Whether its parts have columns of their own.
        var isComposition = false
    }

    mutating func read(
        _ attribute: TypeDeclaration.Attribute, of property: TypeDeclaration.Property, _ type: String,
        into options: inout AttributeOptions
    ) {
        // What has no label goes on with what the label before it begins: traits, or checks.
        let checks = attribute.arguments.firstIndex { $0.label == "check" } ?? attribute.arguments.count
        for (index, argument) in attribute.arguments.enumerated() {
            switch argument.label {
            case nil where index > checks, "check":
                if let check = check(argument, type) { options.checks.append(check) }
            case nil where SwiftLiteral.member(argument.text, of: "AttributeTrait")?.name == "transient":
                complain("@Attribute: what is not stored is marked @Ignore", at: attribute.range.lowerBound)
            case nil:
                let traits = ["identifier", "generated", "unique", "indexed"]
                if let trait = word(argument, of: "AttributeTrait", among: traits, "@Attribute: a trait") {
                    options.traits.insert(trait)
                }
            case "persistentName": options.name = name(argument)
            case "renamedFrom": options.former = argument
            case "column": options.column = name(argument)
            case "json": options.json = path(argument, "@Attribute")
            case "storageMethod"
            where SwiftLiteral.member(argument.text, of: "AttributeStorageMethod")?.name == "composition":
                options.isComposition = true
            case "storageMethod": if let storage = storage(argument) { options.storage = storage }
            case "decodeFailurePolicy":
                let policy = word(
                    argument, of: "DecodeFailurePolicy", among: ["throw", "fallbackToDefaultValue", "debugAssertNil"],
                    "@Attribute: `decodeFailurePolicy`")
                options.failurePolicy = policy.flatMap(ModelDeclaration.FailurePolicy.init) ?? .throw
            default:
                if let rules = rules(argument, of: .attribute) {
                    options.rules.merge(rules) { $1 }
                } else {
                    refuse(argument, of: .attribute)
                }
            }
        }
        if options.traits.contains("indexed") {
            if let reason = indexReason(options.traits, property) {
                complain("@Attribute: \(reason) has an index; leave out `.indexed`", at: attribute.range.lowerBound)
            } else if ["Decimal", "Date"].contains(SwiftType.wrapped(type)) {
                complain(
                    "@Attribute: `.indexed` is not for `\(SwiftType.wrapped(type))`, which the store has as a text and compares by its meaning",
                    at: attribute.range.lowerBound)
            }
        }
        if options.failurePolicy != .throw {
            if options.storage == .value, !Self.isPlausibleRaw(type) {
                complain(
                    "@Attribute: `decodeFailurePolicy` is for `.raw`, `.codable` and `.transformed`",
                    at: attribute.range.lowerBound)
            } else if property.initialValue == nil && !SwiftType.isOptional(type) {
                complain(
                    "@Attribute: what falls back needs an initial value, or an optional type",
                    at: attribute.range.lowerBound)
            }
        }
        if options.storage == .raw, Self.plainTypes.contains(SwiftType.wrapped(type)) {
            complain(
                "@Attribute: `\(type)` is stored as it is; leave out `.raw`", at: attribute.range.lowerBound,
                fixIt: attribute.removal(of: "storageMethod"))
        }
        // What a column is as well, a reference may be: an identifier, a column of a name, a place in JSON.
        let allowed: Set<String?> = [nil, "column", "json", "owner", "onConflict", "onMissing", "onNull"]
        if property.attribute("Relationship") != nil, !attribute.arguments.allSatisfy({ allowed.contains($0.label) }) {
            complain(
                "@Attribute: beside @Relationship it takes traits, `column`, `json`, `owner`, `onConflict`, `onMissing` and `onNull`; put the name into @Relationship",
                at: attribute.range.lowerBound)
        }
    }

    /// What has an index by itself.
    private func indexReason(_ traits: Set<String>, _ property: TypeDeclaration.Property) -> String? {
        if traits.contains("unique") { return "what is unique" }
        if traits.contains("identifier") { return "an identifier" }
        return property.attribute("Relationship") != nil ? "a reference" : nil
    }

    /// The types that are stored as they are.
    static let plainTypes: Set<String> = [
        "String", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float",
        "Double", "Decimal", "Date", "UUID", "URL", "Data", "[UInt8]",
    ]

    /// Whether a type may be an enum with raw values.
    package static func isPlausibleRaw(_ type: String) -> Bool { !plainTypes.contains(SwiftType.wrapped(type)) }

    mutating func storage(_ argument: TypeDeclaration.Attribute.Argument) -> ModelDeclaration.Storage? {
        let member = SwiftLiteral.member(argument.text, of: "AttributeStorageMethod")
        switch member?.name {
        case "default": return .value
        case "raw": return .raw
        case "codable": return .codable
        case "transformed":
            guard let inner = member?.arguments, inner.hasSuffix(".self") else {
                complain(
                    "@Attribute: `.transformed` takes a type, as in `.transformed(RGB.self)`",
                    at: argument.range.lowerBound)
                return nil
            }
            return .transformed(String(inner.dropLast(5)))
        default:
            complain(
                "@Attribute: `storageMethod` is `.default`, `.raw`, `.codable`, `.composition` or `.transformed(…)`",
                at: argument.range.lowerBound)
            return nil
        }
    }
}

extension TypeDeclaration.Attribute {
    /// The edit that leaves an argument out, and the attribute where it has no other; nil where there is no such argument.
    fileprivate func removal(of label: String) -> SourceProblem.FixIt? {
        guard let index = arguments.firstIndex(where: { $0.label == label }) else { return nil }
        if arguments.count == 1 { return .init(message: "leave out the attribute", range: range, text: "") }
        let removed =
            index > 0
            ? arguments[index - 1].range.upperBound..<arguments[index].range.upperBound
            : arguments[0].start..<arguments[1].start
        return .init(message: "leave out `\(label)`", range: removed, text: "")
    }
}
