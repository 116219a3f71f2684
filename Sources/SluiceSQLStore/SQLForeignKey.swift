internal import SluiceModel

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

    /// Whether it lets no row of the target go to which its rows lead.
    package var refuses: Bool { onDelete == "NO ACTION" || onDelete == "RESTRICT" }

    /// What becomes of its rows, as its definition says it; empty where nothing does.
    package var actions: String {
        [("DELETE", onDelete), ("UPDATE", onUpdate)].filter { $0.1 != "NO ACTION" }
            .map { " ON \($0.0) \($0.1)" }.joined()
    }
}

extension SQLForeignKey {
    /// Whether it alone says what some columns refer to.
    fileprivate func isOf(_ columns: [String]) -> Bool {
        Set(self.columns.map { $0.lowercased() }) == Set(columns.map { $0.lowercased() })
    }

    /// Whether each of some columns leads to another column of the target than the one beside it; what the key says nothing
    /// of leads nowhere else. The primary key of a table that is not there yet is what refers to it says.
    fileprivate func isAtOdds(_ columns: [String], _ others: [String]) -> Bool {
        zip(self.columns, targetColumns).contains { own, other in
            zip(columns, others).contains { ColumnName.areSame($0, own) && !ColumnName.areSame($1, other) }
        }
    }
}

extension [SQLForeignKey] {
    /// The table that columns refer to together, nil where they refer to none.
    package func target(of columns: [String]) -> String? { first { $0.isOf(columns) }?.target }

    /// Whether the database itself has columns refer to the very columns of a table.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - target: The table.
    ///   - others: The columns of the table, each beside the one that refers to it.
    /// - Returns: Whether a foreign key says the same.
    package func lead(_ columns: [String], to target: String, _ others: [String]) -> Bool {
        contains { $0.isOf(columns) && ColumnName.areSame($0.target, target) && !$0.isAtOdds(columns, others) }
    }

    /// The foreign key to which columns mean another row than a reference does.
    ///
    /// - Parameters:
    ///   - columns: The columns of the reference.
    ///   - target: The table to which it leads.
    ///   - others: The columns of the table, each beside the one that refers to it.
    /// - Returns: Nil where none does, or where another one says the same as the reference.
    package func contradiction(of columns: [String], to target: String, _ others: [String]) -> SQLForeignKey? {
        if lead(columns, to: target, others) { return nil }
        return first { key in
            ColumnName.areSame(key.target, target) ? key.isAtOdds(columns, others) : key.isOf(columns)
        }
    }
}

extension SQLDatabase {
    /// The foreign keys of a table, each with the columns of its target as far as that is there.
    package func completeForeignKeys(of table: String) throws -> [SQLForeignKey] {
        try foreignKeys(of: table).map { key in
            guard key.targetColumns.isEmpty else { return key }
            let primary = try columns(of: key.target).filter { $0.keyPosition > 0 }
                .sorted { $0.keyPosition < $1.keyPosition }
            return SQLForeignKey(
                columns: key.columns, target: key.target, targetColumns: primary.map(\.name), onDelete: key.onDelete,
                onUpdate: key.onUpdate)
        }
    }
}
