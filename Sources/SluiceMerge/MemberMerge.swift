/// The three-way merge of a value name by name, as deep as all sides have names.
package struct MemberMerge: Sendable {
    /// Both sides' changes together; where they diverge, the local part.
    package let result: MergeTree
    /// The names that lead to each part which both sides changed, each to something else; an empty path is the whole.
    package let divergences: [[[UInt8]]]

    /// Merges a value that both sides have.
    ///
    /// Names keep the order of the local side; what only the remote side has comes behind them, in its order there. A
    /// part that one side took away and the other changed diverges.
    ///
    /// - Parameters:
    ///   - base: What the source said before; nil where it never did, so that every part is new on both sides.
    ///   - local: What the store holds.
    ///   - remote: What the source says now.
    package init(base: MergeTree?, local: MergeTree, remote: MergeTree) {
        var walk = Walk()
        result = walk.merge(base, local, remote) ?? local
        divergences = walk.divergences
    }

    private struct Walk {
        var path: [[UInt8]] = []
        var divergences: [[[UInt8]]] = []

        /// Merges what stands at one place; nil stands for nothing there.
        mutating func merge(_ base: MergeTree?, _ local: MergeTree?, _ remote: MergeTree?) -> MergeTree? {
            if local == remote || remote == base { return local }
            if local == base { return remote }
            guard case .members(let ours)? = local, case .members(let theirs)? = remote,
                let known = Self.members(base)
            else {
                divergences.append(path)
                return local
            }
            return .members(merge(MergeTree.byName(known), ours, theirs))
        }

        private mutating func merge(
            _ base: [[UInt8]: MergeTree], _ local: [MergeTree.Member], _ remote: [MergeTree.Member]
        ) -> [MergeTree.Member] {
            let here = MergeTree.byName(local)
            let there = MergeTree.byName(remote)
            var merged: [MergeTree.Member] = []
            for name in local.map(\.name) + remote.map(\.name).filter({ here[$0] == nil }) {
                path.append(name)
                if let value = merge(base[name], here[name], there[name]) {
                    merged.append(MergeTree.Member(name: name, value: value))
                }
                path.removeLast()
            }
            return merged
        }

        /// The members of a base, none where there is no base; nil where it cannot be taken apart.
        private static func members(_ base: MergeTree?) -> [MergeTree.Member]? {
            switch base {
            case nil: []
            case .members(let members): members
            case .whole: nil
            }
        }
    }
}
