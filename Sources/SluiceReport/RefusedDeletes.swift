/// Deletes that a guard refused, and what would allow them.
package struct RefusedDeletes: Codable, Sendable, Equatable {
    /// The least `--allow-deletes` that would let them happen.
    package let count: Int
    /// Whether only a run that reads everything finds them again: one that asks for changes alone is not told of them.
    package let needsFull: Bool

    /// Makes a value of its parts.
    package init(count: Int, needsFull: Bool) {
        self.count = count
        self.needsFull = needsFull
    }

    /// What allows them on the command line.
    package var options: String { (needsFull ? "--full " : "") + "--allow-deletes \(count)" }

    /// What allows these and others.
    package func and(_ other: RefusedDeletes?) -> RefusedDeletes {
        guard let other else { return self }
        return RefusedDeletes(count: max(count, other.count), needsFull: needsFull || other.needsFull)
    }
}
