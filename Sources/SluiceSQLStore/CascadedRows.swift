internal import SluiceModel

/// How many rows foreign keys and triggers of the database delete along with others, by table.
package final class CascadedRows {
    private var counts: [String: Int] = [:]
    /// What was noted before each part that is open, the innermost last.
    private var parts: [[String: Int]] = []

    /// None yet.
    package init() {}

    /// Forgets those of a transaction that is over.
    package func forget() { (counts, parts) = ([:], []) }

    /// Begins a part that can be taken back alone.
    package func beginPart() { parts.append(counts) }

    /// Ends that part: what it noted stays.
    package func endPart() { _ = parts.popLast() }

    /// Forgets what that part noted, and nothing of before.
    package func revertPart() { counts = parts.popLast() ?? [:] }

    /// Notes the rows that the deletion of one row deleted in all, by table.
    package func note(_ deleted: [String: Int], alongWith table: String) {
        for (name, count) in deleted {
            let isOwn = ColumnName.areSame(name, table)
            let others = isOwn ? count - 1 : count
            if others > 0 { counts[name, default: 0] += others }
        }
    }

    /// Gives the rows that went along, and forgets them.
    package func take() -> [String: Int] {
        defer { counts = [:] }
        return counts
    }
}
