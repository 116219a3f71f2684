/// A word out of a few.
package struct ChoiceSpec: Sendable {
    /// The words.
    package let values: [String]
    /// Words of other tools, and ours for them.
    package let synonyms: [String: String]
    /// Words that may mean several of ours, and what to write.
    package let hints: [String: String]
    /// What must be there for some of the words to work.
    package let features: [String: KeyFeature]
    /// The key of the longer form that a text which is none of the words is probably meant for; nil for none.
    package private(set) var longForm: (key: String, rule: StringRule)?

    /// Makes a choice.
    package init(
        _ values: [String], synonyms: [String: String] = [:], hints: [String: String] = [:],
        features: [String: KeyFeature] = [:]
    ) {
        self.values = values
        self.synonyms = synonyms
        self.hints = hints
        self.features = features
    }

    /// The choice as the short form of a mapping.
    ///
    /// - Parameters:
    ///   - key: The key of the mapping that people may give the value of instead.
    ///   - rule: What its value must be.
    /// - Returns: The choice.
    func short(for key: String, _ rule: StringRule) -> ChoiceSpec {
        var choice = self
        choice.longForm = (key, rule)
        return choice
    }

    /// The choice with some of the words alone.
    func keeping(_ isKept: (String) -> Bool) -> ChoiceSpec {
        let values = values.filter(isKept)
        var choice = ChoiceSpec(
            values, synonyms: synonyms.filter { values.contains($0.value) }, hints: hints, features: features)
        choice.longForm = longForm
        return choice
    }
}
