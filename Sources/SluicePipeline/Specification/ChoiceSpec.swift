/// A word out of a few.
public struct ChoiceSpec: Sendable {
    /// The words.
    public let values: [String]
    /// Words of other tools, and ours for them.
    public let synonyms: [String: String]
    /// What must be there for some of the words to work.
    public let features: [String: KeyFeature]

    /// Makes a choice.
    public init(_ values: [String], synonyms: [String: String] = [:], features: [String: KeyFeature] = [:]) {
        self.values = values
        self.synonyms = synonyms
        self.features = features
    }
}
