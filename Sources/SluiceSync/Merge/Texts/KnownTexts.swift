/// Records that are known by their texts to be as they were.
struct KnownTexts {
    /// What the hashes of the run are made with.
    let memory: TextMemory
    /// Whether the store has hashes that were made with it.
    let isKnown: Bool
}
