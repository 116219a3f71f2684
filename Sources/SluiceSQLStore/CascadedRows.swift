internal import SluiceModel
package import SluiceStore

/// What goes along with rows that are deleted: how many rows foreign keys and triggers of the database delete, by table,
/// and the references of which they would let go.
package final class CascadedRows {
    private var counts: [String: Int] = [:]
    /// Those of them that the history has.
    private var kept: [String: Int] = [:]
    private var released = ReferenceOutcome()
    /// What was noted before each part that is open, the innermost last.
    private var parts: [(counts: [String: Int], kept: [String: Int], released: ReferenceOutcome)] = []

    /// None yet.
    package init() {}

    /// Forgets those of a transaction that is over.
    package func forget() { (counts, kept, released, parts) = ([:], [:], ReferenceOutcome(), []) }

    /// Begins a part that can be taken back alone.
    package func beginSavepoint() { parts.append((counts, kept, released)) }

    /// Ends that part: what it noted stays.
    package func releaseSavepoint() { _ = parts.popLast() }

    /// Forgets what that part noted, and nothing of before.
    package func rollBackToSavepoint() { (counts, kept, released) = parts.popLast() ?? ([:], [:], ReferenceOutcome()) }

    /// Records the rows that the deletion of one row deleted in all, by table.
    package func record(_ deleted: [String: Int], alongWith table: String) {
        for (name, count) in deleted {
            let isOwn = ColumnName.areSame(name, table)
            let others = isOwn ? count - 1 : count
            if others > 0 { counts[name, default: 0] += others }
        }
    }

    /// Records rows that go along with others and that the history has.
    package func record(_ count: Int, keptOf table: String) { kept[table, default: 0] += count }

    /// Records references that were taken away since their records go.
    package func record(_ outcome: ReferenceOutcome) { released.add(outcome) }

    /// Gives what became of references, and forgets it.
    package func takeReleased() -> ReferenceOutcome {
        defer { released = ReferenceOutcome() }
        return released
    }

    /// Gives the rows that went along and that the history has, and forgets them.
    package func takeKept() -> [String: Int] {
        defer { kept = [:] }
        return kept
    }

    /// Gives the other rows that went along, and forgets them.
    package func take() -> [String: Int] {
        defer { counts = [:] }
        return counts
    }
}
