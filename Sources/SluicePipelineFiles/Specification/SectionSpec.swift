/// A mapping with known keys, such as a stream.
package struct SectionSpec: Sendable {
    /// What it is called within a sentence: "a stream", "`source`".
    package let title: String
    /// What it is for, in one sentence, where its key does not say it.
    package let documentation: String?
    /// Its keys, in the order of the documentation.
    package let keys: [KeySpec]
    /// What to write for keys that people may know from elsewhere: the key of this place, and what it is for.
    package let keysElsewhere: [String: (name: String, help: String)]

    /// Makes a specification.
    package init(
        title: String, documentation: String? = nil, keys: [KeySpec],
        elsewhere: [String: (name: String, help: String)] = [:]
    ) {
        self.title = title
        self.documentation = documentation
        self.keys = keys
        keysElsewhere = elsewhere
    }

    /// The specification of a key.
    package func key(_ name: String) -> KeySpec? { keys.first { $0.name == name } }
}
