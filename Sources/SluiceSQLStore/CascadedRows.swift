internal import SluiceModel

/// How many rows foreign keys and triggers of the database delete along with others, by table.
package final class CascadedRows {
    private var counts: [String: Int] = [:]

    /// None yet.
    package init() {}

    /// Forgets those of a transaction that is over.
    package func forget() { counts = [:] }

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
