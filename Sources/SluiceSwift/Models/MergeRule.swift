/// What a model says of how its records are merged, in words that pipeline files have as well: `onConflict: .remoteWins` is
/// `on_conflict: remote_wins`.
package enum MergeRule: String, Sendable, CaseIterable {
    case onConflict, newest, history, owner, compare, keepBase, onMissing, onNull, merge

    /// What may say it.
    package enum Place: String, Sendable {
        case model = "PersistentModel"
        case attribute = "Attribute"
        case relationship = "Relationship"
    }

    /// What may say it.
    package var places: Set<Place> {
        switch self {
        case .onConflict, .owner: [.model, .attribute]
        case .newest, .history: [.model]
        case .compare, .keepBase, .onMissing, .onNull: [.attribute]
        case .merge: [.relationship]
        }
    }

    /// What it may say, in Swift; nil where it names a property.
    package var words: [String]? {
        switch self {
        case .onConflict: ["manual", "localWins", "remoteWins", "newestWins", "fail"]
        case .newest: nil
        case .history: ["none", "changes"]
        case .owner: ["shared", "remote", "local"]
        case .compare: ["exact", "ci", "set", "json"]
        case .keepBase: ["short", "full", "digest"]
        case .onMissing: ["keep", "setNull", "default", "fail"]
        case .onNull: ["setNull", "keep", "fail"]
        case .merge: ["set", "replace", "addOnly"]
        }
    }

    /// The type in Swift that has its words, without those that it stands in.
    package var type: String {
        switch self {
        case .onConflict: "ConflictPolicy"
        case .newest: "String"
        case .history: "HistoryRule"
        case .owner: "AttributeOwner"
        case .compare: "AttributeComparison"
        case .keepBase: "BaseRule"
        case .onMissing: "MissingKeyRule"
        case .onNull: "NullRule"
        case .merge: "LinkMergeRule"
        }
    }

    /// What holds where nothing is said, in the words of pipeline files; nil where that depends on something else.
    package var usual: String? {
        switch self {
        case .onConflict, .newest, .keepBase, .onMissing: nil
        case .history: "none"
        case .owner: "shared"
        case .compare: "exact"
        case .onNull: "set_null"
        case .merge: "set"
        }
    }

    /// The key in pipeline files.
    package var key: String { SnakeCaseName.of(rawValue) }

    /// What Swift calls a word of pipeline files, as an argument has it.
    ///
    /// - Parameter word: The word; of ``newest`` the name of a property.
    /// - Returns: Swift.
    package func argument(_ word: String) -> String {
        guard let words else { return SwiftLiteral.quoted(word) }
        return "." + (words.first { SnakeCaseName.of($0) == word } ?? word)
    }
}

/// What is said of merging, by rules, in the words of pipeline files.
package typealias MergeRules = [MergeRule: String]

extension ModelReader {
    /// Reads a rule of merging.
    ///
    /// - Parameters:
    ///   - argument: What says it.
    ///   - place: Where it stands.
    /// - Returns: What it says, nothing where that is none of its words; nil where the argument is no such rule.
    mutating func rules(
        _ argument: TypeDeclaration.Attribute.Argument, of place: MergeRule.Place
    ) -> MergeRules? {
        guard let rule = argument.label.flatMap(MergeRule.init), rule.places.contains(place) else { return nil }
        if argument.text == "nil" { return [:] }
        guard let words = rule.words else { return name(argument).map { [rule: $0] } ?? [:] }
        let subject = "@\(place.rawValue): `\(rule.rawValue)`"
        return word(argument, of: rule.type, among: words, subject).map { [rule: SnakeCaseName.of($0)] } ?? [:]
    }

    /// Whether rules of merging can hold for a property.
    mutating func check(_ rules: MergeRules, of property: TypeDeclaration.Property, _ field: ModelDeclaration.Field) {
        let place = property.attribute("Attribute")?.range.lowerBound ?? property.nameRange.lowerBound
        let type = SwiftType.wrapped(field.type)
        let isText = ["String", "URL"].contains(type) || Self.isPlausibleRaw(type)
        if rules[.compare] == "ci", field.storage == .codable || !isText {
            complain("@Attribute: `compare: .ci` is for texts, and `\(property.name)` is a `\(type)`", at: place)
        }
        if let word = rules[.compare], ["set", "json"].contains(word), Self.plainTypes.contains(type),
            field.storage != .codable, !type.hasPrefix("[")
        {
            complain("@Attribute: `compare: .\(word)` is for what is stored as JSON, as with `.codable`", at: place)
        }
        if rules[.onMissing] == "default", !field.hasDefault {
            complain("@Attribute: `onMissing: .default` needs an initial value that is a literal", at: place)
        }
    }

    /// Gives the rules of the model to its properties where these say nothing, and checks those of the whole.
    mutating func settleRules(at place: Int) {
        let own: Set<MergeRule> = [.onConflict, .owner, .compare]
        for index in model.fields.indices {
            let field = model.fields[index]
            if field.isIdentifier {
                if let rule = MergeRule.allCases.first(where: { own.contains($0) && field.rules[$0] != nil }) {
                    complain(
                        "@Attribute: `\(field.property)` identifies records, so it cannot have `\(rule.rawValue)`",
                        at: place)
                }
            } else if let owner = model.rules[.owner] {
                model.fields[index].rules[.owner] = field.rules[.owner] ?? owner
            }
        }
        if let owner = model.rules[.owner] {
            for index in model.compositions.indices where model.compositions[index].rules[.owner] == nil {
                model.compositions[index].rules[.owner] = owner
            }
        }
        if let newest = model.rules[.newest], !model.fields.contains(where: { $0.property == newest }) {
            complain("@PersistentModel: `newest` names `\(newest)`, which is no property", at: place)
        }
        let rules = [model.rules] + model.fields.map(\.rules) + model.compositions.map(\.rules)
        if model.rules[.newest] == nil, rules.contains(where: { $0[.onConflict] == "newest_wins" }) {
            complain(
                "@PersistentModel: `.newestWins` needs `newest`, the name of the property that says when a record was changed last",
                at: place)
        }
    }
}
