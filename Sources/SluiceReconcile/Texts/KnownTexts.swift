/// Records that are known by their texts to be as they were.
package struct KnownTexts {
    /// What the hashes of the run are made with.
    package let memory: TextMemory
    /// Whether the store has hashes that were made with it.
    package let isKnown: Bool

    /// Makes a value of its parts.
    package init(memory: TextMemory, isKnown: Bool) {
        self.memory = memory
        self.isKnown = isKnown
    }
}
