/// Where values stood that foreign keys of the database made null along with rows that were deleted.
package struct EmptiedPlace: Hashable, Sendable {
    /// What is known of such values.
    package enum Standing: Hashable, Sendable {
        /// A source gives them: the history has them, and null counts as an edit.
        case given
        /// They stand beside what sources give, in rows of records: the history has them.
        case beside
        /// They are of a table of people's own: nothing has them.
        case foreign
    }

    /// The table.
    package let table: String
    /// The columns.
    package let columns: [String]
    /// What is known of them.
    package let standing: Standing

    /// Names a place.
    package init(table: String, columns: [String], standing: Standing) {
        (self.table, self.columns, self.standing) = (table, columns, standing)
    }

    /// The place as messages name it.
    package var name: String { "\(table).\(columns.joined(separator: ", "))" }
}
