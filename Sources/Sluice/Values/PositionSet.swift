/// Some positions of a model's fields or relationships. Those of nearly all models fit into one word.
struct PositionSet: Sendable, Hashable {
    /// A bit for each of the first positions.
    private var first: UInt64 = 0
    /// The others.
    private var others: Set<Int> = []

    /// No positions.
    init() {}

    /// Whether a position is among them.
    func contains(_ position: Int) -> Bool {
        position < UInt64.bitWidth ? first & Self.bit(position) != 0 : others.contains(position)
    }

    /// Whether each of these is among others.
    func isSubset(of other: PositionSet) -> Bool { first & ~other.first == 0 && others.isSubset(of: other.others) }

    /// These and others.
    func union(_ other: PositionSet) -> PositionSet {
        var union = self
        union.first |= other.first
        union.others.formUnion(other.others)
        return union
    }

    /// Adds a position.
    mutating func insert(_ position: Int) {
        if position < UInt64.bitWidth { first |= Self.bit(position) } else { others.insert(position) }
    }

    /// Adds positions.
    mutating func formUnion(_ positions: some Sequence<Int>) { for position in positions { insert(position) } }

    private static func bit(_ position: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: position) }
}

extension PositionSet: ExpressibleByArrayLiteral {
    init(arrayLiteral positions: Int...) { formUnion(positions) }
}
