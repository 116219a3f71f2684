/// A column of a base that holds a part of the key, in a statement.
package struct BaseKey {
    /// The table of the base.
    package let base: String
    /// What the statement calls its row.
    package let row: String
    package let column: String

    /// Makes one from its parts.
    package init(base: String, row: String, column: String) { (self.base, self.row, self.column) = (base, row, column) }

    /// The column in the statement.
    package var expression: String { "\(row).\(SQLText.quoted(column))" }
}
