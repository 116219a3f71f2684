/// A word out of a few.
public struct ChoiceSpec: Sendable {
    /// The words.
    public let values: [String]
    /// Words of other tools, and ours for them.
    public let synonyms: [String: String]

    /// Makes a choice.
    public init(_ values: [String], synonyms: [String: String] = [:]) {
        self.values = values
        self.synonyms = synonyms
    }
}
