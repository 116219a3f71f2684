package import SluiceModel
package import SluiceStore

/// What an attempt found out of references that must not be empty, or that a table does not let be: which records have to stay,
/// since others lead to them, and which cannot be taken, since what they lead to is not there.
package struct UnmetNeeds: Sendable {
    /// What is known of the records of one table.
    package struct Stream: Sendable {
        /// The records that stay, each with what leads to it.
        package fileprivate(set) var needed: [RecordKey: UnmetReference] = [:]
        /// The records that cannot be taken, each with what it leads to.
        package fileprivate(set) var refused: [RecordKey: UnmetReference] = [:]

        /// Nothing.
        package init() {}
    }

    private var streams: [String: Stream] = [:]

    /// Nothing.
    package init() {}

    /// What is known of a table's records.
    package subscript(_ table: String) -> Stream { streams[table.lowercased()] ?? Stream() }

    /// Takes in what an attempt found out. What a record leads to stays, if the attempt has it go; where that was known and did not
    /// help, the record cannot be taken. Many may lead to one: what an attempt tells of one of them does not bear on the others.
    ///
    /// - Parameters:
    ///   - found: The references.
    ///   - tables: The tables whose records the attempt merges.
    /// - Returns: Whether a further attempt knows more than this one.
    package mutating func accept(_ found: [UnmetReference], merging tables: [String]) -> Bool {
        let tables = Set(tables.map { $0.lowercased() })
        let known = self
        var isNews = false
        for reference in found {
            let (target, owner) = (reference.target.lowercased(), reference.table.lowercased())
            if reference.leadsToKey, tables.contains(target), known[target].needed[reference.targetKey] == nil {
                if self[target].needed[reference.targetKey] != nil { continue }
                streams[target, default: Stream()].needed[reference.targetKey] = reference
                isNews = true
            } else if tables.contains(owner), self[owner].refused[reference.owner] == nil {
                streams[owner, default: Stream()].refused[reference.owner] = reference
                isNews = true
            }
        }
        return isNews
    }
}
