/// What a merge key (`<<`) adds to its mapping.
///
/// See: yaml.org/type/merge.html. Own keys win over merged ones, and of several mappings the earlier wins. Merged
/// members stand where the merge key stood.
enum MergeKey {
    /// Of more merges through each other than this, only the first are remembered: a chain of thousands would hold
    /// the square of its length.
    private static let longestTrail = 8

    /// Whether a key is one: plain `<<`, for in quotes it is a name like any other.
    static func isMerge(_ key: YAMLScalar) -> Bool { key.text == "<<" && key.style == .plain }

    /// The members that a value of `<<` stands for.
    ///
    /// - Throws: ``YAMLError`` where it is neither a mapping nor a list of mappings.
    static func members(of value: YAMLNode) throws(YAMLError) -> [YAMLMember] {
        let sources = value.sequence ?? [value]
        var known: Set<String> = []
        var members: [YAMLMember] = []
        for source in sources {
            guard let own = source.mapping else {
                throw YAMLError(
                    code: .invalidMerge, message: "A merge key (`<<`) takes a mapping or a list of mappings.",
                    mark: source.usedAt ?? source.start)
            }
            // A mapping that is written out right here needs no note of where it is used.
            let marks = [source.usedAt, value.sequence == nil ? nil : value.usedAt].compactMap(\.self)
            for var member in own where known.insert(member.name).inserted {
                member.mergedAt = Array((member.mergedAt + marks).prefix(longestTrail))
                members.append(member)
            }
        }
        return members
    }

    /// The members of a mapping with its merge keys replaced by what they stand for.
    ///
    /// - Parameters:
    ///   - own: The members as they were written.
    ///   - merged: What the member of an index stands for, if it is a merge key.
    /// - Returns: Each key once, unless it was written twice.
    static func resolve(_ own: [YAMLMember], merged: [Int: [YAMLMember]]) -> [YAMLMember] {
        if merged.isEmpty { return own }
        var known = Set(own.indices.filter { merged[$0] == nil }.map { own[$0].name })
        return own.indices.flatMap { index in
            merged[index].map { members in members.filter { known.insert($0.name).inserted } } ?? [own[index]]
        }
    }
}
