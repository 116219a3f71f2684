/// How far work has come that goes through whole tables, or through all that a store keeps of their records.
package struct TableWork: Sendable, Hashable {
    /// What is gone through.
    package enum Step: String, CaseIterable, Sendable {
        /// The rows of the table.
        case rows
        /// What sources said last of its records.
        case bases
        case conflicts
        case quarantine
        case history
        /// The table is made anew, or changed by one statement: nothing is counted.
        case rebuild
    }

    /// The table whose records they are.
    package var table: String
    /// What is gone through.
    package var step: Step
    /// How many of these are done.
    package var count = 0
    /// How many there are; nil where nobody counted them.
    package var total: Int?

    /// Work of which nothing is done yet.
    package init(table: String, step: Step, total: Int? = nil) {
        (self.table, self.step, self.total) = (table, step, total)
    }
}

/// Who follows work on whole tables, and may end it.
package struct TableWorkObserver {
    /// Throws where the work is to end: what it did belongs to a transaction that is taken back then.
    package let check: () throws -> Void
    /// Is told how far it has come: as a step begins, and each few hundred rows.
    package let progress: (TableWork) -> Void

    /// Makes an observer of its parts.
    package init(check: @escaping () throws -> Void, progress: @escaping (TableWork) -> Void = { _ in }) {
        (self.check, self.progress) = (check, progress)
    }
}
