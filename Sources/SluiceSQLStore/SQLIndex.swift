/// An index of a table.
package struct SQLIndex: Sendable {
    package let name: String
    /// The columns, in lower case; an expression is an empty name.
    package let columns: [String]
    package let isUnique: Bool
    /// Whether it is that of the primary key.
    package let isPrimary: Bool
    /// Whether a constraint of the table made it.
    package let isOfConstraint: Bool
    /// Whether every row is in it.
    package let isWhole: Bool
    /// Whether it only leaves out rows that are marked as deleted.
    package let leavesOutMarked: Bool
    /// How it compares its columns, where that is not byte by byte.
    package let looseCollations: [String]

    /// Makes an index.
    package init(
        name: String, columns: [String], isUnique: Bool, isPrimary: Bool, isOfConstraint: Bool, isWhole: Bool,
        leavesOutMarked: Bool,
        looseCollations: [String]
    ) {
        (self.name, self.isOfConstraint) = (name, isOfConstraint)
        (self.columns, self.isUnique, self.isPrimary) = (columns, isUnique, isPrimary)
        (self.isWhole, self.leavesOutMarked) = (isWhole, leavesOutMarked)
        self.looseCollations = looseCollations
    }
}
