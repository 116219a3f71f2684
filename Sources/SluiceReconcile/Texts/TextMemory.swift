internal import SluiceModel
internal import SluiceStore

/// Which hashes of records' texts a store has are to be believed.
///
/// A hash says that what a text holds, under a mapping, is in the store and settled. Whatever makes that doubtful for
/// records that it does not look at, as undo does, goes on to the next generation: hashes of another one fit no text.
package struct TextMemory: StateValue {
    /// Counts the times that all hashes became void.
    package var generation = 0
    /// The hash of the mapping, empty where the next run has to renew the hashes.
    package var fingerprint = ""

    /// How this program decodes and hashes; a change of it voids what older ones kept.
    private static let version = 3

    package init() {}

    package init?(stateText: String) {
        let words = stateText.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, let generation = Int(words[0]), words[2] == String(Self.version) else { return nil }
        self.generation = generation
        fingerprint = String(words[1])
    }

    package var stateText: String? { text }

    private var text: String { "\(generation) \(fingerprint) \(Self.version)" }

    /// The same without a mapping, which voids all hashes: the next generation is another one.
    package var voided: TextMemory? {
        var memory = self
        memory.fingerprint = ""
        return memory
    }

    /// The memory of the next generation.
    ///
    /// - Parameter fingerprint: The hash of the mapping.
    /// - Returns: The memory.
    package func renewed(_ fingerprint: String) -> TextMemory {
        var memory = self
        memory.generation &+= 1
        memory.fingerprint = fingerprint
        return memory
    }

    /// What the hashes of texts begin with.
    package var seed: UInt64 { FieldDigest.text(Array(text.utf8)) }
}
