internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// What the history keeps of the records of a model, besides what taking a run back needs.
public enum HistoryRule: Sendable {
    /// Nothing.
    case none
    /// The values of records that are new.
    case changes
}

/// What makes two values of a property equal for the merge.
public enum AttributeComparison: Sendable {
    /// All of it.
    case exact
    /// The same letters, capital or small.
    case ci
    /// The same elements of a list that is stored as JSON, in any order; additions and removals of both sides are merged.
    case set
    /// The same JSON; changes of both sides are merged key by key.
    case json
}

/// How much is kept of what a source said of a property, for conflicts and undo.
public enum BaseRule: Sendable {
    /// Texts and bytes up to 1 KiB; of longer ones a digest.
    case short
    /// Every value.
    case full
    /// A digest, for the smallest store: conflicts do not show what the source said before.
    case digest
}

/// What it means that a source's record lacks the key of a property.
public enum MissingKeyRule: Sendable {
    /// Nothing: the source does not speak of it.
    case keep
    /// The same as null.
    case setNull
    /// The property's initial value, also where the source said another one before, unless people changed that. Where nothing is said
    /// of an absent key, the initial value is for new records alone.
    case `default`
    /// The record is kept aside.
    case fail
}

/// What a null of a source means.
public enum NullRule: Sendable {
    /// The value is null.
    case setNull
    /// Nothing, as if the key were absent.
    case keep
    /// The record is kept aside.
    case fail
}

/// How the records that a source's list leads to are merged with what people added and removed.
public enum LinkMergeRule: Sendable {
    /// Additions and removals of both sides count.
    case set
    /// The source's list counts, and nothing else.
    case replace
    /// What the source adds is added, and what it removes stays.
    case addOnly
}

/// How records are merged, as a model says it in the words of pipeline files.
struct MergeWords: Sendable, Hashable {
    private let words: [String: String]

    /// Reads what the macro wrote; nothing where it wrote nothing.
    init(_ described: JSONValue) {
        var words: [String: String] = [:]
        for key in Self.keys { words[key] = described.member(named: "rules")?.text(key) }
        self.words = words
    }

    /// Nothing is said.
    init() { words = [:] }

    private static let keys = [
        "on_conflict", "newest", "history", "owner", "compare", "keep_base", "on_missing", "on_null", "merge",
    ]

    private func word<Rule: RawRepresentable<String>>(_ key: String) -> Rule? { words[key].flatMap(Rule.init) }

    /// Who may change a property.
    var owner: FieldOwner { word("owner") ?? .shared }
    /// What decides conflicts; nil where nothing is said.
    var onConflict: ConflictPolicy? { word("on_conflict") }
    /// What makes two values equal.
    var comparison: FieldComparison { word("compare") ?? .exact }
    /// The property that says when a record was changed last.
    var newest: String? { words["newest"] }
    /// How lists of records are merged.
    var merge: ReferenceDefinition.MergeRule { word("merge") ?? .set }

    /// Whether it is said what an absent key means.
    var saysWhatIsMissing: Bool { words["on_missing"] != nil }

    /// Gives an entity what is said of it.
    func apply(to entity: inout EntityDefinition, _ fields: [ModelDescription.Field]) {
        entity.conflictRules = ConflictRules(fallback: onConflict)
        entity.newestField = fields.first { $0.property == newest }?.name
        entity.history = word("history") ?? .none
    }

    /// Gives a field what is said of it.
    func apply(to field: inout FieldDefinition) {
        field.owner = owner
        field.onConflict = onConflict
        field.comparison = comparison
        field.keepsBase = word("keep_base")
        if let rule: FieldDefinition.MissingRule = word("on_missing") { field.onMissing = rule }
        if let rule: FieldDefinition.NullRule = word("on_null") { field.onNull = rule }
    }

    /// What keeps values of a type from being compared so; nil where nothing does.
    func problem(with type: StoredType?) -> String? {
        guard let type else { return nil }
        let allowed: [StoredType] =
            switch comparison {
            case .exact: [type]
            case .ignoringCase: [.string, .url]
            case .set, .json: [.json]
            }
        return allowed.contains(type)
            ? nil : "`compare: .\(comparison.rawValue)` does not compare what a column of the type `\(type.name)` holds"
    }
}
