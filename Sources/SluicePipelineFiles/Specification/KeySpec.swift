/// All that is known about one key of the pipeline file, as data.
///
/// The checker, the JSON Schema and the reference documentation are made from it, so they cannot disagree.
package struct KeySpec: Sendable {
    /// Whether a value may come from `${env:}` or `${file:}`.
    package enum SecretRule: Sendable, Hashable {
        /// Text may not, since it is printed; numbers, durations and the like may.
        case byType
        /// It may.
        case accepted
        /// It is secret wherever it comes from.
        case always
    }

    /// The key.
    package let name: String
    /// What its value may be.
    package let value: ValueSpec
    /// Whether it must be there.
    package let isRequired: Bool
    /// What holds where it is left out, as YAML text or in words; nil where nothing does.
    package let defaultText: String?
    /// What it is for, in one sentence.
    package let documentation: String
    /// A value that passes the check, as YAML text.
    package let example: String
    /// Whether the value may come from the environment.
    package let secrets: SecretRule
    /// The first version of Sluice that knows it.
    package let since: String
    /// Another key that may be there in its stead, where it must be there.
    package let substitute: String?
    /// What must be there for the key to work; nil where it always does.
    package let feature: KeyFeature?
    /// What replaces this specification by another one of the same key.
    package let retiredBy: KeyFeature?

    /// Makes a specification.
    package init(
        _ name: String, _ value: ValueSpec, isRequired: Bool = false, default defaultText: String? = nil,
        secrets: SecretRule = .byType, example: String, since: String = "0.1", substitute: String? = nil,
        feature: KeyFeature? = nil, retiredBy: KeyFeature? = nil, _ documentation: String
    ) {
        self.name = name
        self.value = value
        self.isRequired = isRequired
        self.defaultText = defaultText
        self.secrets = secrets
        self.example = example
        self.since = since
        self.substitute = substitute
        self.feature = feature
        self.retiredBy = retiredBy
        self.documentation = documentation
    }

    /// The key with another specification of its value.
    func with(value: ValueSpec) -> KeySpec {
        KeySpec(
            name, value, isRequired: isRequired, default: defaultText, secrets: secrets, example: example,
            since: since, substitute: substitute, feature: feature, retiredBy: retiredBy, documentation)
    }
}
