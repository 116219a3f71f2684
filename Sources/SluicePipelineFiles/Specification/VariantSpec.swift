/// A mapping whose `type` decides which other keys it has, such as `auth`.
package struct VariantSpec: Sendable {
    /// One of the kinds.
    package struct Variant: Sendable {
        /// The value of `type`.
        package let name: String
        /// What it means, in one sentence.
        package let documentation: String
        /// The keys besides `type`.
        package let keys: [KeySpec]
        /// What must be there for the variant to work; nil where it always does.
        package let feature: KeyFeature?

        /// Makes a variant.
        package init(_ name: String, keys: [KeySpec] = [], feature: KeyFeature? = nil, _ documentation: String) {
            self.name = name
            self.keys = keys
            self.feature = feature
            self.documentation = documentation
        }
    }

    /// What the mapping is called within a sentence.
    package let title: String
    /// The kinds.
    package let variants: [Variant]
    /// Kinds that other tools name otherwise, and our name for them.
    package let synonyms: [String: String]
    /// What to write for keys that people may know from elsewhere, where the kind has the key.
    package let keysElsewhere: [String: (name: String, help: String)]

    /// Makes a specification.
    package init(
        title: String, variants: [Variant], synonyms: [String: String] = [:],
        elsewhere: [String: (name: String, help: String)] = [:]
    ) {
        self.title = title
        self.variants = variants
        self.synonyms = synonyms
        keysElsewhere = elsewhere
    }

    /// The specification of the key that decides.
    package var typeKey: KeySpec { typeKey(example: variants.first?.name ?? "none") }

    private func typeKey(example: String) -> KeySpec {
        KeySpec(
            "type", .choice(ChoiceSpec(variants.map(\.name), synonyms: synonyms)), isRequired: true,
            example: example, "The kind, which decides the other keys.")
    }

    /// The mapping's keys for a kind, `type` first; nil where there is no such kind.
    package func section(of type: String) -> SectionSpec? {
        guard let variant = variants.first(where: { $0.name == type }) else { return nil }
        return SectionSpec(
            title: "\(title) of type `\(type)`", documentation: variant.documentation,
            keys: [typeKey(example: type)] + variant.keys,
            elsewhere: keysElsewhere.filter { meant in variant.keys.contains { $0.name == meant.value.name } })
    }
}
