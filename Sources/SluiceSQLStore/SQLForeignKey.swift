/// A foreign key of a table.
package struct SQLForeignKey: Sendable, Equatable {
    package let columns: [String]
    package let target: String
    /// The columns of the target; none where the table means the target's primary key.
    package let targetColumns: [String]
    /// What becomes of its rows where a row of the target goes, such as `CASCADE`.
    package let onDelete: String
    /// What becomes of its rows where the columns of a row of the target change.
    package let onUpdate: String

    /// Makes a foreign key.
    package init(
        columns: [String], target: String, targetColumns: [String], onDelete: String = "NO ACTION",
        onUpdate: String = "NO ACTION"
    ) {
        (self.columns, self.target, self.targetColumns) = (columns, target, targetColumns)
        (self.onDelete, self.onUpdate) = (onDelete, onUpdate)
    }

    /// What becomes of its rows, as its definition says it; empty where nothing does.
    package var actions: String {
        [("DELETE", onDelete), ("UPDATE", onUpdate)].filter { $0.1 != "NO ACTION" }
            .map { " ON \($0.0) \($0.1)" }.joined()
    }
}

extension [SQLForeignKey] {
    /// The table that columns refer to together, nil where they refer to none.
    package func target(of columns: [String]) -> String? {
        let wanted = Set(columns.map { $0.lowercased() })
        return first { Set($0.columns.map { $0.lowercased() }) == wanted }?.target
    }
}
