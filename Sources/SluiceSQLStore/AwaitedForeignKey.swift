/// A foreign key that leads to a table which is not there yet.
package struct AwaitedForeignKey {
    /// The table that has it.
    package let table: String
    /// The table to which it leads.
    package let target: String
    /// What stands in a statement.
    package let definition: String

    /// Makes a foreign key.
    package init(table: String, target: String, definition: String) {
        (self.table, self.target, self.definition) = (table, target, definition)
    }
}
