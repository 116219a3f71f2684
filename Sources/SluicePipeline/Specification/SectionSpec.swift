/// A mapping with known keys, such as a stream.
public struct SectionSpec: Sendable {
    /// What it is called within a sentence: "a stream", "`source`".
    public let title: String
    /// Its keys, in the order of the documentation.
    public let keys: [KeySpec]

    /// Makes a specification.
    public init(title: String, keys: [KeySpec]) {
        self.title = title
        self.keys = keys
    }

    /// The specification of a key.
    public func key(_ name: String) -> KeySpec? { keys.first { $0.name == name } }
}
