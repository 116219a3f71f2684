internal import SluiceModel
internal import SluiceReview
internal import SluiceStore

/// Records of which a run noted something and changed no row, counted by entity.
struct NotedBases {
    /// Those of one entity of which the same was noted.
    struct Group {
        let entity: String
        /// Whether it was noted that the source misses them, rather than what it says of them.
        let isUnseen: Bool
        let firstKey: String
        var count = 1
    }

    private(set) var groups: [Group] = []

    /// How many there are.
    var count: Int { groups.reduce(0) { $0 + $1.count } }

    /// Counts a change that changed no row.
    ///
    /// - Parameter change: The change.
    /// - Returns: Whether it was one.
    mutating func accept(_ change: HistoryChange) -> Bool {
        guard change.action == .base else { return false }
        let isUnseen = change.kind == "unseen"
        let entity = change.mapping.entity
        if let known = groups.firstIndex(where: { $0.entity == entity && $0.isUnseen == isUnseen }) {
            groups[known].count += 1
        } else {
            groups.append(Group(entity: entity, isUnseen: isUnseen, firstKey: change.key))
        }
        return true
    }
}
