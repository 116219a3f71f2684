/// What the file says of which records a stream asks for and what is kept of them: how far it was read holds for that alone.
///
/// What is kept of entities whose objects may stand within its records, since fields refer to them, counts where the stream
/// gave such objects. A source that sends their keys alone sends nothing that another field would take.
package struct ContentDefinition: Sendable, Equatable {
    /// An entity that fields refer to.
    package struct Referred: Sendable, Equatable {
        /// Its name.
        package let entity: String
        /// A hash of what the file keeps of its objects.
        package let hash: String

        /// Makes a value of its parts.
        package init(entity: String, hash: String) { (self.entity, self.hash) = (entity, hash) }
    }

    /// A hash of what the file says of the stream, of its entity and of what stands within it; names are no part of it.
    package var own = ""
    /// The entities that fields of these refer to, and those that fields of theirs refer to.
    package var referred: [Referred] = []
    /// A hash of all of it together with names, as earlier versions kept it.
    package var earlier = ""

    /// Makes the definition of a stream without a file.
    package init() {}

    /// Makes a definition.
    package init(own: String, referred: [Referred], earlier: String) {
        (self.own, self.referred, self.earlier) = (own, referred, earlier)
    }

    /// The text by which it is kept.
    package var text: String {
        own + "\n" + referred.map { "\($0.entity) \($0.hash)" }.joined(separator: "\n")
    }

    /// Whether how far a stream was read holds still.
    ///
    /// - Parameters:
    ///   - kept: The ``text`` of then, or what earlier versions kept.
    ///   - hasGiven: Whether the stream ever gave objects of an entity.
    /// - Returns: Whether it does.
    /// - Throws: What `hasGiven` throws.
    package func holds(_ kept: String, hasGiven: (_ entity: String) throws -> Bool) rethrows -> Bool {
        let lines = kept.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count > 1 else { return kept == earlier }
        guard lines[0] == own else { return false }
        // An entity may have another name by now.
        let hashes = Set(lines.dropFirst().compactMap { $0.split(separator: " ").last.map(String.init) })
        return try referred.allSatisfy { try hashes.contains($0.hash) || !hasGiven($0.entity) }
    }
}
