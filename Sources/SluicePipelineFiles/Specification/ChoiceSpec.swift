/// A word out of a few.
package struct ChoiceSpec: Sendable {
    /// The words.
    package let values: [String]
    /// Words of other tools, and ours for them.
    package let synonyms: [String: String]
    /// What must be there for some of the words to work.
    package let features: [String: KeyFeature]

    /// Makes a choice.
    package init(_ values: [String], synonyms: [String: String] = [:], features: [String: KeyFeature] = [:]) {
        self.values = values
        self.synonyms = synonyms
        self.features = features
    }
}
