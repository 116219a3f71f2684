/// A mapping with known keys, such as a stream.
public struct SectionSpec: Sendable {
    /// What it is called within a sentence: "a stream", "`source`".
    public let title: String
    /// What it is for, in one sentence, where its key does not say it.
    public let documentation: String?
    /// Its keys, in the order of the documentation.
    public let keys: [KeySpec]

    /// Makes a specification.
    public init(title: String, documentation: String? = nil, keys: [KeySpec]) {
        self.title = title
        self.documentation = documentation
        self.keys = keys
    }

    /// The specification of a key.
    public func key(_ name: String) -> KeySpec? { keys.first { $0.name == name } }
}
