/// A table whose rows say which records of one entity belong to which of another; all its columns are its key.
package struct LinkDefinition: Sendable, Hashable {
    /// The table's name.
    package var table: String
    /// The columns of the owner's key, in the order of its primary key.
    package var ownerColumns: [String]
    /// The columns of the target's key, in the order of its primary key.
    package var targetColumns: [String]

    /// Makes a table.
    package init(table: String, ownerColumns: [String], targetColumns: [String]) {
        self.table = table
        self.ownerColumns = ownerColumns
        self.targetColumns = targetColumns
    }
}
