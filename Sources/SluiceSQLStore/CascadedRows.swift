internal import SluiceModel
package import SluiceStore

/// What goes along with rows that are deleted: how many rows foreign keys and triggers of the database delete, by table,
/// the columns that foreign keys make null, and the references of which they would let go.
package final class CascadedRows {
    private struct Notes {
        var counts: [String: Int] = [:]
        /// Those of them that the history has.
        var kept: [String: Int] = [:]
        /// The values that become null.
        var emptied: [EmptiedPlace: Int] = [:]
        var released = ReferenceOutcome()
    }

    private var notes = Notes()
    /// What was noted before each part that is open, the innermost last.
    private var parts: [Notes] = []

    /// None yet.
    package init() {}

    /// Forgets those of a transaction that is over.
    package func forget() { (notes, parts) = (Notes(), []) }

    /// Begins a part that can be taken back alone.
    package func beginSavepoint() { parts.append(notes) }

    /// Ends that part: what it noted stays.
    package func releaseSavepoint() { _ = parts.popLast() }

    /// Forgets what that part noted, and nothing of before.
    package func rollBackToSavepoint() { notes = parts.popLast() ?? Notes() }

    /// Records the rows that the deletion of one row deleted in all, by table.
    package func record(_ deleted: [String: Int], alongWith table: String) {
        for (name, count) in deleted {
            let isOwn = ColumnName.areSame(name, table)
            let others = isOwn ? count - 1 : count
            if others > 0 { notes.counts[name, default: 0] += others }
        }
    }

    /// Records rows that go along with others, or of which a column becomes null, and that the history has.
    package func record(_ count: Int, keptOf place: RowsAlong.Place) {
        guard let table = place.layouts.first?.schema.table else { return }
        if place.emptied.isEmpty {
            notes.kept[table, default: 0] += count
        } else {
            notes.emptied[place.standing, default: 0] += count
        }
    }

    /// Records values of people's own tables that become null.
    package func record(_ emptied: [EmptiedPlace: Int]) { notes.emptied.merge(emptied, uniquingKeysWith: +) }

    /// Records references that were taken away since their records go.
    package func record(_ outcome: ReferenceOutcome) { notes.released.add(outcome) }

    /// Gives what became of references, and forgets it.
    package func takeReleased() -> ReferenceOutcome {
        defer { notes.released = ReferenceOutcome() }
        return notes.released
    }

    /// Gives the rows that went along and that the history has, and the values that became null, and forgets them.
    package func takeKept() -> (deleted: [String: Int], emptied: [EmptiedPlace: Int]) {
        defer { (notes.kept, notes.emptied) = ([:], [:]) }
        return (notes.kept, notes.emptied)
    }

    /// Gives the other rows that went along, and forgets them.
    package func take() -> [String: Int] {
        defer { notes.counts = [:] }
        return notes.counts
    }
}
