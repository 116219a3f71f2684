internal import SluiceModel
internal import SluiceStore

/// The columns that mark rows as deleted: a table has them from the start, before anything is deleted.
extension SchemaPlanner {
    /// The definitions for a new table; none where rows are not marked.
    var markDefinitions: [String] {
        schema.deletesSoftly
            ? DeletionMark.columns.map { "\(SQLText.quoted($0.name)) \(database.columnType($0.type))" } : []
    }

    /// Why columns of a table that was there before cannot be the mark.
    func markProblems(_ columns: [SQLColumn]) -> [String] {
        guard schema.deletesSoftly else { return [] }
        return DeletionMark.columns.flatMap { wanted -> [String] in
            guard let column = columns.first(where: { $0.name.lowercased() == wanted.name }) else { return [] }
            var problems: [String] = []
            if !database.fits(column, wanted.type, isKey: true) {
                problems.append(
                    "column `\(column.name)` is \(column.type), and `delete_missing: soft` needs \(database.columnType(wanted.type))"
                )
            }
            if column.isNotNull {
                problems.append(
                    "column `\(column.name)` is NOT NULL, and null there says that a row is not deleted")
            }
            return problems
        }
    }

    /// Adds what a table that was there before does not have.
    mutating func addMark(to columns: [SQLColumn]) throws {
        guard schema.deletesSoftly else { return }
        for wanted in DeletionMark.columns where !columns.contains(where: { $0.name.lowercased() == wanted.name }) {
            try apply(
                .addColumn, table: schema.table,
                sql:
                    "ALTER TABLE \(database.table(schema.table)) ADD COLUMN \(SQLText.quoted(wanted.name)) \(database.columnType(wanted.type))"
            )
            try record(added: wanted.name, wanted.type, field: nil)
        }
    }
}
