/// What goes with a column of a table when the column is dropped, and the statement that makes it again.
package struct ColumnPart: Sendable {
    /// What it is among all that the table has, such as `rule beds_check`; nil where the type of the column makes no difference to its
    /// words.
    package let name: String?
    /// The statement.
    package var statement: String
    /// The columns without which it means nothing.
    package let columns: [String]

    /// Describes a part.
    package init(_ name: String?, _ statement: String, columns: [String] = []) {
        (self.name, self.statement, self.columns) = (name, statement, columns)
    }
}
