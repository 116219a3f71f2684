/// Makes a model of a struct's declaration, or says what keeps it from being one.
package struct ModelReader {
    private let declaration: TypeDeclaration
    var model = ModelDeclaration()
    private(set) var problems: [SourceProblem] = []
    private var isSnakeCase = false

    private init(_ declaration: TypeDeclaration) { self.declaration = declaration }

    /// Reads a model.
    ///
    /// - Parameter declaration: The declaration of a type with the attribute `@PersistentModel`.
    /// - Returns: The model, and all that is wrong with it.
    package static func read(_ declaration: TypeDeclaration) -> (model: ModelDeclaration, problems: [SourceProblem]) {
        var reader = ModelReader(declaration)
        reader.read()
        return (reader.model, reader.problems)
    }

    mutating func complain(_ message: String, at offset: Int, fixIt: SourceProblem.FixIt? = nil) {
        problems.append(SourceProblem(message, at: offset, fixIt: fixIt))
    }

    /// The generated members that no property may have the name of, and what their types have of their own.
    private static let generated: Set = ["path", "model", "identifier", "savedIdentifier", "storedOrigin", "scope"]

    private mutating func read() {
        guard declaration.keyword == "struct" else {
            let article = "aeiou".contains(declaration.keyword.first ?? "x") ? "an" : "a"
            return complain(
                "@PersistentModel is for structs; `\(declaration.name)` is \(article) \(declaration.keyword)",
                at: declaration.nameRange.lowerBound)
        }
        if declaration.isGeneric {
            complain("@PersistentModel: a generic type cannot be a model", at: declaration.nameRange.lowerBound)
        }
        model.type = declaration.name
        model.access = declaration.access
        model.functions = declaration.members
        model.members = declaration.members.union(declaration.properties.map(\.name))
        model.entity = declaration.name
        readModelArguments()
        nameTables()
        problems += AttributePlacement.problems(in: declaration, of: "PersistentModel")
        model.properties = declaration.storedProperties.map(\.name)
        if model.properties.isEmpty {
            return complain(
                "@PersistentModel: `\(declaration.name)` has no stored property",
                at: declaration.nameRange.lowerBound)
        }
        for property in declaration.storedProperties { read(property) }
        checkIdentifier()
        settleRules(at: declaration.nameRange.lowerBound)
        checkNames()
        checkUnique()
    }

    // MARK: The model

    private mutating func readModelArguments() {
        guard let attribute = declaration.attributes.first(where: { $0.name == "PersistentModel" }) else { return }
        for argument in attribute.arguments {
            switch argument.label {
            case "entity": if let text = name(argument) { model.entity = text }
            case "table": if let text = name(argument) { model.table = text }
            case "renamedFrom": model.formerEntity = formerName(argument, of: model.entity)
            case "tableRenamedFrom": model.formerTable = formerName(argument, of: model.table)
            case "identifier":
                let word = word(
                    argument, of: "ModelIdentifier", among: ["property", "content", "none"],
                    "@PersistentModel: `identifier`")
                if let word, let identification = ModelDeclaration.Identification(rawValue: word) {
                    model.identification = identification
                }
            case "unboxing":
                let word = word(
                    argument, of: "ModelUnboxing", among: ["generated", "custom"], "@PersistentModel: `unboxing`")
                if word == "custom" { model.functions.insert("init(unboxing:)") }
            case "unique": model.unique = groups(argument)
            case "names":
                let word = word(
                    argument, of: "NameStyle", among: ["verbatim", "snakeCase"], "@PersistentModel: `names`")
                isSnakeCase = word == "snakeCase"
            case "initializer": model.wantsInitializer = flag(argument)
            case "counts": model.wantsCounts = flag(argument)
            default:
                if let rules = rules(argument, of: .model) {
                    model.rules.merge(rules) { $1 }
                } else {
                    refuse(argument, of: .model)
                }
            }
        }
    }

    /// A table is called after its entity, and so it was, where nothing else is said.
    private mutating func nameTables() {
        if !model.table.isEmpty { return }
        model.table = SnakeCaseName.of(model.entity)
        if model.formerTable == nil { model.formerTable = model.formerEntity.map(SnakeCaseName.of) }
    }

    /// The name that something had before.
    ///
    /// - Parameters:
    ///   - argument: What says it.
    ///   - name: The name of today.
    /// - Returns: Nil where the argument is no name, or that of today.
    mutating func formerName(
        _ argument: TypeDeclaration.Attribute.Argument, of name: String
    ) -> String? {
        guard let former = self.name(argument), former != name else {
            if argument.text != "nil" && SwiftLiteral.string(argument.text) == name {
                complain(
                    "`\(argument.label ?? "")` is the name of before, and `\(name)` is that of today",
                    at: argument.range.lowerBound)
            }
            return nil
        }
        return former
    }

    /// A path into JSON.
    ///
    /// - Parameters:
    ///   - argument: What says it.
    ///   - attribute: The attribute with its sign.
    /// - Returns: Nil where it is no literal, or no path.
    mutating func path(_ argument: TypeDeclaration.Attribute.Argument, _ attribute: String) -> String? {
        guard let text = name(argument), !text.allSatisfy(\.isWhitespace) else { return nil }
        if JSONPathGrammar.accepts(text) { return text }
        complain(
            "\(attribute): `\(text)` is no path; write it as in `author.name` or `labels[*]`",
            at: argument.range.lowerBound)
        return nil
    }

    /// A name that an argument gives as a literal.
    mutating func name(_ argument: TypeDeclaration.Attribute.Argument) -> String? {
        let label = argument.label.map { "`\($0)`" } ?? "the argument"
        guard let text = SwiftLiteral.string(argument.text) else {
            if argument.text != "nil" {
                complain("\(label) must be a string literal without interpolation", at: argument.range.lowerBound)
            }
            return nil
        }
        if text.allSatisfy(\.isWhitespace) { complain("\(label) must not be empty", at: argument.range.lowerBound) }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            complain("\(label) must be one line without control characters", at: argument.range.lowerBound)
        }
        return text
    }

    private mutating func flag(_ argument: TypeDeclaration.Attribute.Argument) -> Bool {
        if argument.text != "true" && argument.text != "false" {
            complain("`\(argument.label ?? "")` must be true or false, as a literal", at: argument.range.lowerBound)
        }
        return argument.text == "true"
    }

    /// One of the words that an argument may say.
    ///
    /// - Parameters:
    ///   - argument: The argument.
    ///   - type: The type whose members they are.
    ///   - words: The words.
    ///   - subject: What the message calls the argument.
    /// - Returns: Nil, and a problem, where it is none of them, or no literal.
    mutating func word(
        _ argument: TypeDeclaration.Attribute.Argument, of type: String, among words: [String], _ subject: String
    ) -> String? {
        let member = SwiftLiteral.member(argument.text, of: type)
        if let member, member.arguments == nil, words.contains(member.name) { return member.name }
        let choices = words.map { "`.\($0)`" }
        let literal = member == nil ? ", as a literal" : ""
        complain(
            "\(subject) is \(choices.dropLast().joined(separator: ", ")) or \(choices.last ?? "")\(literal)",
            at: argument.range.lowerBound)
        return nil
    }

    private mutating func groups(_ argument: TypeDeclaration.Attribute.Argument) -> [[String]] {
        let groups = SwiftLiteral.elements(argument.text)?.map { group in
            SwiftLiteral.elements(group)?.map { SwiftLiteral.string($0) ?? "" } ?? []
        }
        if let groups, !groups.contains(where: { $0.isEmpty || $0.contains("") }) { return groups }
        complain(
            "@PersistentModel: `unique` takes groups of names as literals, as in `[[\"repo\", \"number\"]]`",
            at: argument.range.lowerBound)
        return []
    }

    // MARK: Properties

    private mutating func read(_ property: TypeDeclaration.Property) {
        if property.name == "origin",
            SwiftType.wrapped(property.type ?? property.initialValue ?? "").hasPrefix("Origin")
        {
            model.hasOrigin = true
            return
        }
        if property.attribute("Ignore") != nil {
            if property.initialValue == nil && !SwiftType.isOptional(property.type ?? "")
                && !model.functions.contains("init(unboxing:)")
            {
                complain(
                    "@Ignore: `\(property.name)` needs an initial value, or the struct an `init(unboxing:)` of its own",
                    at: property.nameRange.lowerBound)
            }
            model.ignored.append(property)
            return
        }
        guard let type = checkedType(property) else { return }
        if let target = SwiftType.members(of: type) {
            if let relationship = relationship(property, type, target) { model.relationships.append(relationship) }
            return
        }
        if let target = SwiftType.element(of: type), let attribute = property.attribute("Relationship") {
            if !mayBeModel(target, attribute, of: property) { return }
            if var relationship = relationship(property, type, target) {
                relationship.isByValue = true
                model.relationships.append(relationship)
            }
            return
        }
        let isList = property.attribute("Relationship") != nil && SwiftType.element(of: SwiftType.wrapped(type)) != nil
        if isList || SwiftType.members(of: SwiftType.wrapped(type)) != nil {
            return complain(
                "@Relationship: what leads to several records is empty rather than nil",
                at: property.nameRange.lowerBound,
                fixIt: property.typeFixIt(SwiftType.wrapped(type), "remove `?`"))
        }
        if let field = field(property, type) { model.fields.append(field) }
    }

    /// Whether what a relationship leads to by value may be a model.
    private mutating func mayBeModel(
        _ type: String, _ attribute: TypeDeclaration.Attribute, of property: TypeDeclaration.Property
    ) -> Bool {
        if !Self.plainTypes.contains(type) && !type.contains("<") && !type.hasPrefix("[") { return true }
        complain(
            "@Relationship: `\(property.name)` must lead to a model: as `Ref<…>`, `Ref<…>?`, `Refs<…>` or `OrderedRefs<…>`, which are read when they are asked for, or by value",
            at: attribute.range.lowerBound)
        return false
    }

    /// The type of a property that can be stored.
    private mutating func checkedType(_ property: TypeDeclaration.Property) -> String? {
        let place = property.nameRange.lowerBound
        if property.isOneOfSeveral {
            complain(
                "@PersistentModel: declare each stored property on its own", at: place, fixIt: property.splittingFixIt)
            return nil
        }
        if let modifier = property.modifiers.first(where: { ["lazy", "weak", "unowned"].contains($0) }) {
            complain("@PersistentModel: a `\(modifier)` property cannot be stored; mark it @Ignore", at: place)
            return nil
        }
        if property.isConstant && property.initialValue != nil {
            complain(
                "@PersistentModel: a constant with an initial value cannot be read back", at: place,
                fixIt: property.variableFixIt)
            return nil
        }
        guard let type = property.type ?? property.initialValue.flatMap(SwiftLiteral.type) else {
            complain(
                "@PersistentModel needs the type of `\(property.name)`", at: place,
                fixIt: .init(
                    message: "add a type", range: property.nameRange.upperBound..<property.nameRange.upperBound,
                    text: ": <#Type#>"))
            return nil
        }
        if type.hasPrefix("(") || type.contains("->") || type.hasPrefix("any ") || type.hasPrefix("some ") {
            complain(
                "@PersistentModel: a tuple, a closure, `any` or `some` cannot be stored; mark `\(property.name)` @Ignore",
                at: place)
            return nil
        }
        return type
    }

    private mutating func field(_ property: TypeDeclaration.Property, _ type: String) -> ModelDeclaration.Field? {
        var options = AttributeOptions()
        if let attribute = property.attribute("Attribute") { read(attribute, of: property, type, into: &options) }
        if options.isComposition {
            if let composition = composition(property, type, options) { model.compositions.append(composition) }
            return nil
        }
        var reference: ModelDeclaration.Relationship?
        if let target = SwiftType.argument(of: SwiftType.wrapped(type), "Ref") {
            guard let found = relationship(property, type, target) else { return nil }
            reference = found
        } else if let attribute = property.attribute("Relationship") {
            let target = SwiftType.wrapped(type)
            if !mayBeModel(target, attribute, of: property) { return nil }
            guard var found = relationship(property, type, target) else { return nil }
            found.isByValue = true
            reference = found
        }
        if reference == nil, options.storage == .value, SwiftType.isCollection(type) {
            complain(
                "@PersistentModel: the type of `\(property.name)` has no column; store it as JSON by `@Attribute(storageMethod: .codable)`, lead to other records by @Relationship, or mark it @Ignore",
                at: property.typeRange?.lowerBound ?? property.nameRange.lowerBound,
                fixIt: property.attribute("Attribute") == nil
                    ? .init(
                        message: "store it as JSON", range: property.range.lowerBound..<property.range.lowerBound,
                        text: "@Attribute(storageMethod: .codable) ") : nil)
            return nil
        }
        let isIdentifier = options.traits.contains("identifier")
        let name = reference?.name ?? options.name ?? storeName(property.name)
        let former = options.former.flatMap { formerName($0, of: name) }
        if options.traits.contains("generated"), !isIdentifier || SwiftType.wrapped(type) != "Int" || type == "Int" {
            complain(
                "@Attribute: `.generated` is for an identifier of type `Int?`", at: property.nameRange.lowerBound)
        }
        let field = ModelDeclaration.Field(
            property: property.name, type: type, name: name,
            formerName: former.map(storeName) ?? reference?.formerName, column: options.column,
            json: reference?.json ?? json(of: property, options.json), access: property.access,
            initialValue: property.initialValue, storage: options.storage, failurePolicy: options.failurePolicy,
            isConstant: property.isConstant, isIdentifier: isIdentifier,
            isGenerated: options.traits.contains("generated"),
            isUnique: options.traits.contains("unique"), isIndexed: options.traits.contains("indexed"),
            rules: options.rules, checks: options.checks, reference: reference)
        check(options.rules, of: property, field)
        return field
    }

    /// Where JSON has the value: at the path that the attribute names, else under the coding key.
    func json(of property: TypeDeclaration.Property, _ path: String?) -> ModelDeclaration.JSONPlace? {
        if let path { return .path(path) }
        if let keys = declaration.codingKeys { return keys[property.name].map { .key($0) } }
        return .key(storeName(property.name))
    }

    func storeName(_ property: String) -> String { isSnakeCase ? SnakeCaseName.of(property) : property }

    // MARK: Relationships

    private mutating func relationship(
        _ property: TypeDeclaration.Property, _ type: String, _ target: String
    ) -> ModelDeclaration.Relationship? {
        guard let attribute = property.attribute("Relationship") else {
            complain(
                "`\(property.name)` leads to `\(target)`: say how with @Relationship",
                at: property.nameRange.lowerBound,
                fixIt: .init(
                    message: "add @Relationship", range: property.range.lowerBound..<property.range.lowerBound,
                    text: "@Relationship(inverse: .none, deleteRule: .nullify) "))
            return nil
        }
        var storeName = storeName(property.name)
        var former: TypeDeclaration.Attribute.Argument?
        var (inverse, rule, via, path): (String?, String?, String?, String?)
        var (saysInverse, saysRule) = (false, false)
        var rules: MergeRules = [:]
        for argument in attribute.arguments {
            switch argument.label {
            case "persistentName": storeName = name(argument) ?? storeName
            case "renamedFrom": former = argument
            case "inverse":
                saysInverse = true
                if SwiftLiteral.member(argument.text, of: "InverseName")?.name != "none" { inverse = name(argument) }
            case "deleteRule":
                saysRule = true
                rule = word(
                    argument, of: "DeleteRule", among: ["nullify", "cascade", "deny"], "@Relationship: `deleteRule`")
            case "via": via = name(argument)
            case "json": path = self.path(argument, "@Relationship")
            default:
                if let said = self.rules(argument, of: .relationship) {
                    rules.merge(said) { $1 }
                } else {
                    refuse(argument, of: .relationship)
                }
            }
        }
        let end = attribute.range.upperBound
        if !saysInverse || !saysRule {
            let missing = [saysInverse ? nil : "inverse: .none", saysRule ? nil : "deleteRule: .nullify"]
            let text = missing.compactMap { $0 }.joined(separator: ", ")
            complain(
                "@Relationship needs \(text.replacing(": .none", ":").replacing(": .nullify", ":"))",
                at: attribute.range.lowerBound,
                fixIt: attribute.arguments.isEmpty
                    ? .init(
                        message: "add it", range: attribute.range, text: "@Relationship(\(text))")
                    : .init(message: "add it", range: end - 1..<end - 1, text: ", \(text)"))
            return nil
        }
        guard let rule else { return nil }
        if via != nil && SwiftType.members(of: type) == nil && SwiftType.element(of: type) == nil {
            complain(
                "@Relationship: `via` names the table of `Refs<…>` and `OrderedRefs<…>`", at: attribute.range.lowerBound
            )
        }
        if !rules.isEmpty, path == nil || SwiftType.argument(of: SwiftType.wrapped(type), "Ref") != nil {
            complain(
                "@Relationship: `merge` is for several records that a source sends: name their place with `json`",
                at: attribute.range.lowerBound)
        }
        if let value = property.initialValue, !["nil", "[]"].contains(value) {
            complain(
                "@Relationship: the initial value of `\(property.name)` can only be nil or []",
                at: property.nameRange.lowerBound)
        }
        return ModelDeclaration.Relationship(
            property: property.name, type: type, target: target, name: storeName,
            formerName: former.flatMap { formerName($0, of: storeName) }.map(self.storeName),
            json: path.map { .path($0) }, access: property.access,
            inverse: inverse, deleteRule: rule, via: via, rules: rules, isConstant: property.isConstant)
    }

    // MARK: The whole

    private mutating func checkIdentifier() {
        if model.identification != .property { return checkIdentification() }
        if !model.identifiers.isEmpty { return }
        if let index = model.fields.firstIndex(where: { $0.property == "id" }) {
            return model.fields[index] = model.fields[index].asIdentifier
        }
        // What is wrong with the property that identifies records is said already.
        if declaration.storedProperties.contains(where: \.isMeantToIdentify) { return }
        let first = declaration.storedProperties.first
        complain(
            "@PersistentModel: `\(declaration.name)` has no identifier: name a property `id`, or mark one with `@Attribute(.identifier)`",
            at: first?.nameRange.lowerBound ?? declaration.nameRange.lowerBound,
            fixIt: first.map {
                .init(
                    message: "mark `\($0.name)`", range: $0.range.lowerBound..<$0.range.lowerBound,
                    text: "@Attribute(.identifier) ")
            })
    }

    /// Records that no property identifies have none that does, and lead to others by their own columns alone.
    private mutating func checkIdentification() {
        let word = model.identification.rawValue
        let place = declaration.nameRange.lowerBound
        if let field = model.identifiers.first {
            complain(
                "@PersistentModel: with `identifier: .\(word)`, `\(field.property)` cannot identify records", at: place)
        }
        if model.identification == .none, let relationship = model.relationships.first {
            complain(
                "@PersistentModel: `\(relationship.property)` needs records that have an identifier; a `Ref` does not",
                at: place)
        }
    }

    private mutating func checkNames() {
        var seen: Set<String> = []
        for part in model.stored where !seen.insert(part.name.lowercased()).inserted {
            complain("@PersistentModel: two properties are stored as `\(part.name)`", at: place(of: part.property))
        }
        for part in model.stored {
            guard let former = part.formerName, seen.contains(former.lowercased()) else { continue }
            complain("`renamedFrom` names `\(former)`, which is a property of today", at: place(of: part.property))
        }
        for property in declaration.storedProperties where Self.generated.contains(property.name) {
            complain(
                "@PersistentModel: `\(property.name)` is the name of a generated member; call the property something else",
                at: property.nameRange.lowerBound)
        }
    }

    private func place(of property: String) -> Int {
        let found = declaration.storedProperties.first { $0.name == property }
        return (found?.nameRange ?? declaration.nameRange).lowerBound
    }

    private mutating func checkUnique() {
        let known = Set(model.fields.map(\.property))
        for name in model.unique.joined() where !known.contains(name) && !name.isEmpty {
            complain(
                "@PersistentModel: `unique` names `\(name)`, which is no property", at: declaration.nameRange.lowerBound
            )
        }
    }
}

extension ModelDeclaration.Field {
    /// The same field as the one that identifies a record.
    fileprivate var asIdentifier: ModelDeclaration.Field {
        var copy = self
        copy.isIdentifier = true
        return copy
    }
}

extension TypeDeclaration.Property {
    /// Whether it is called `id` or marked as the identifier.
    fileprivate var isMeantToIdentify: Bool {
        name == "id" || attribute("Attribute")?.arguments.contains { $0.text.hasSuffix(".identifier") } == true
    }

    /// Makes a variable of a constant.
    fileprivate var variableFixIt: SourceProblem.FixIt? {
        .init(message: "make it a variable", range: keywordRange, text: "var")
    }

    /// Gives the next property a declaration of its own; nil where this one has its type from there.
    var splittingFixIt: SourceProblem.FixIt? {
        guard let separatorRange, type != nil || initialValue != nil else { return nil }
        return .init(message: "declare it on its own", range: separatorRange, text: "\n" + opening)
    }

    fileprivate func typeFixIt(_ type: String, _ message: String) -> SourceProblem.FixIt? {
        guard initialValue == nil else { return nil }
        return .init(message: message, range: range.upperBound - 1..<range.upperBound, text: "")
    }
}

extension String {
    fileprivate func replacing(_ part: String, _ text: String) -> String {
        var result = ""
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            result += rest[..<range.lowerBound] + text
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
