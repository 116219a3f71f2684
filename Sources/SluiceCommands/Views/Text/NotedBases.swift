internal import SluiceMerge
internal import SluiceModel
internal import SluiceReview
internal import SluiceStore

/// Records of which a run noted something and changed no row, counted by entity.
struct NotedBases {
    /// What was noted of a record.
    enum Fact {
        /// What the source says of it.
        case said
        /// That the source misses it.
        case unseen
        /// That the source no longer has it either: its row was deleted before.
        case goneToo

        init(_ change: HistoryChange) {
            switch change.kind.flatMap(RowKind.init) {
            case .unseen: self = .unseen
            case .converged: self = .goneToo
            default: self = .said
            }
        }

        /// What follows "noted", of one or several records.
        func words(isOne: Bool) -> String {
            switch self {
            case .said: "what the source says"
            case .unseen: "that \(isOne ? "it is" : "they are") missing"
            case .goneToo: "that \(isOne ? "it is" : "they are") gone from the source as well"
            }
        }
    }

    /// Those of one entity of which the same was noted.
    struct Group {
        let entity: String
        let fact: Fact
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
        let fact = Fact(change)
        let entity = change.mapping.entity
        if let known = groups.firstIndex(where: { $0.entity == entity && $0.fact == fact }) {
            groups[known].count += 1
        } else {
            groups.append(Group(entity: entity, fact: fact, firstKey: change.key))
        }
        return true
    }
}
