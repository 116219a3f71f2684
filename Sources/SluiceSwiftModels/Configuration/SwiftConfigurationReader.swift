package import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSwift

/// Reads a configuration of models, and checks what can be checked without pipelines.
package struct SwiftConfigurationReader {
    /// What the file says; nil where it has errors.
    package private(set) var configuration: SwiftConfiguration?
    /// What is wrong with it, by position.
    package private(set) var problems: [Diagnostic]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file; what it names is relative to its folder.
    ///   - environment: What `${env:}` may name.
    package init(path: String, environment: [String: String]) {
        let file = SpecifiedFile(path: path, SwiftConfiguration.specification, environment: environment)
        problems = file.problems
        guard let root = file.root else { return }
        let result = read(root, in: FilePath.folder(of: path))
        if !problems.contains(where: { $0.severity == .error }) { configuration = result }
    }

    private mutating func read(_ root: SpecifiedFile.Value, in folder: String) -> SwiftConfiguration {
        func path(_ text: String) -> String { FilePath.join(folder, text) }
        var result = SwiftConfiguration()
        if let pipelines = root.member("pipelines") { result.pipelines = pipelines.texts.map(path) }
        if let store = root.member("store") {
            if root.member("pipelines") != nil {
                problems.append(
                    store.problem(
                        "conflicting_keys", "Keys that do not go together",
                        "`pipelines` and `store` both say what the models are like.", help: "Leave one of the two out.")
                )
            }
            result.store = store.text.map { StorePathText.resolve($0, in: folder) }
        }
        result.sources = root.member("sources")?.text.map(path)
        if let include = root.member("include") { result.include = include.texts }
        result.exclude = root.member("exclude")?.texts ?? []
        result.isExact = root.member("level")?.text == "exact"
        result.isSingleFile = root.member("single_file")?.flag ?? false
        result.header = root.member("header")?.text.map(path)
        result.options = options(root)
        for (name, value) in root.member("types")?.members ?? [] {
            guard let type = FieldType(rawValue: name), let text = swiftType(value, for: type) else { continue }
            result.types[type] = text
        }
        for (name, value) in root.member("entities")?.members ?? [] { result.entities.append(entity(name, value)) }
        return result
    }

    private func options(_ root: SpecifiedFile.Value) -> SwiftModelOptions {
        var options = SwiftModelOptions()
        func choice<Choice: RawRepresentable<String>>(_ key: String, _ usual: Choice) -> Choice {
            root.member(key)?.text.flatMap { Choice(rawValue: $0) } ?? usual
        }
        options.access = choice("access", options.access)
        options.names = choice("names", options.names)
        options.saidPolicy = root.member("policy")?.text.flatMap { SwiftModelOptions.FailurePolicy(rawValue: $0) }
        options.hasInitializer = root.member("initializer")?.flag ?? options.hasInitializer
        options.hasCounts = root.member("counts")?.flag ?? options.hasCounts
        options.hasOrigin = root.member("origin")?.flag ?? options.hasOrigin
        return options
    }

    // MARK: Rules

    private mutating func entity(_ name: String, _ value: SpecifiedFile.Value) -> SwiftConfiguration.EntityRule {
        var rule = SwiftConfiguration.EntityRule(name: name, place: value)
        rule.swiftName = value.member("swift_name").flatMap { identifier($0) }
        for (name, value) in value.member("fields")?.members ?? [] { rule.fields.append(field(name, value)) }
        for (name, value) in value.member("relationships")?.members ?? [] {
            var relationship = SwiftConfiguration.RelationshipRule(name: name, place: value)
            relationship.swiftName = value.member("swift_name").flatMap { property($0) }
            relationship.deleteRule = value.member("delete_rule")?.text
            rule.relationships.append(relationship)
        }
        return rule
    }

    private mutating func field(_ name: String, _ value: SpecifiedFile.Value) -> SwiftConfiguration.FieldRule {
        var rule = SwiftConfiguration.FieldRule(name: name, place: value)
        rule.swiftName = value.member("swift_name").flatMap { property($0) }
        rule.swiftType = value.member("swift_type").flatMap { swiftType($0) }
        rule.ignoresOptionality = value.member("optional") != nil
        rule.isSkipped = value.member("skip")?.flag ?? false
        let transform = value.member("transform").flatMap { swiftType($0) }
        switch value.member("storage")?.text {
        case "raw": rule.storage = .raw
        case "codable": rule.storage = .codable
        case "transformed": rule.storage = transform.map { .transformed($0) }
        default: break
        }
        if let problem = conflict(of: value) { problems.append(problem) }
        return rule
    }

    /// The keys of a field that do not go together.
    private func conflict(of value: SpecifiedFile.Value) -> Diagnostic? {
        let summary = "Keys that do not go together"
        let storage = value.member("storage")
        let isTransformed = storage?.text == "transformed"
        if let transform = value.member("transform"), !isTransformed {
            return transform.problem(
                "conflicting_keys", summary, "`transform` goes with `storage: transformed`.",
                help: "Add `storage: transformed`, or leave `transform` out.")
        }
        if let storage, isTransformed, value.member("transform") == nil {
            return storage.problem(
                "missing_key", "Missing key", "`storage: transformed` needs `transform`, the type that does it.",
                help: "For example: `transform: RGB`")
        }
        if let storage, value.member("swift_type") == nil {
            return storage.problem(
                "missing_key", "Missing key", "`storage` says how a type of your own is stored: `swift_type` names it.",
                help: "For example: `swift_type: BookStatus`")
        }
        if value.member("skip")?.flag == true, let other = value.members.first(where: { $0.name != "skip" }) {
            return other.value.problem(
                "conflicting_keys", summary, "The struct leaves the field out, so `\(other.name)` says nothing.",
                help: "Leave out `skip` or `\(other.name)`.")
        }
        if let skip = value.member("skip"), skip.flag == false {
            return skip.problem(
                "idle_rule", "Rule without an effect", "`skip: false` says what holds anyway.", severity: .warning,
                help: "Leave it out.")
        }
        return nil
    }

    // MARK: Words of Swift

    /// The name of a property.
    private mutating func property(_ value: SpecifiedFile.Value) -> String? {
        guard let name = identifier(value) else { return nil }
        if SwiftWord.members.contains(name) {
            problems.append(
                value.problem(
                    "invalid_value", "Invalid value", "`\(name)` is a member of each model.",
                    help: "Give the property another name."))
            return nil
        }
        return name
    }

    /// A name, which is written with backticks where it is a word of the language.
    private mutating func identifier(_ value: SpecifiedFile.Value) -> String? {
        guard let text = value.text else { return nil }
        let isName = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && text.first?.isNumber == false
        if isName && text != "_" { return text }
        problems.append(
            value.problem(
                "invalid_value", "Invalid value", "`\(text)` is no name of Swift.",
                help: "A name consists of letters, digits and `_`, and does not begin with a digit."))
        return nil
    }

    /// A type, which holds the values of a type of fields where that is said.
    private mutating func swiftType(_ value: SpecifiedFile.Value, for type: FieldType? = nil) -> String? {
        guard let text = value.text else { return nil }
        let signs = Set("_.<>[]:, ")
        if SwiftType.isOptional(text) || !text.allSatisfy({ $0.isLetter || $0.isNumber || signs.contains($0) }) {
            problems.append(
                value.problem(
                    "invalid_value", "Invalid value", "`\(text)` is no type that a property may have here.",
                    help: "Write its name alone, as in `BookStatus`; the pipeline says what is optional."))
            return nil
        }
        if let type, let problem = SwiftFieldType.misfit(text, type) {
            problems.append(
                value.problem("invalid_value", "Invalid value", problem.detail, help: problem.help))
            return nil
        }
        return text
    }
}
