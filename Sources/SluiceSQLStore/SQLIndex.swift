/// An index of a table.
package struct SQLIndex: Sendable {
    /// The columns, in lower case; an expression is an empty name.
    package let columns: [String]
    package let isUnique: Bool
    /// Whether it is that of the primary key.
    package let isPrimary: Bool
    /// Whether every row is in it.
    package let isWhole: Bool
    /// Whether it only leaves out rows that are marked as deleted.
    package let leavesOutMarked: Bool
    /// How it compares its columns, where that is not byte by byte.
    package let looseCollations: [String]

    /// Makes an index.
    package init(
        columns: [String], isUnique: Bool, isPrimary: Bool, isWhole: Bool, leavesOutMarked: Bool,
        looseCollations: [String]
    ) {
        (self.columns, self.isUnique, self.isPrimary) = (columns, isUnique, isPrimary)
        (self.isWhole, self.leavesOutMarked) = (isWhole, leavesOutMarked)
        self.looseCollations = looseCollations
    }
}
