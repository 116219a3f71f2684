internal import SluiceModel
internal import SluiceStore

/// What the next run does to columns whose fields have another type now, looked up without a change.
extension TypeConversion {
    /// What becomes of one column.
    struct Foreseen {
        let table: String
        let column: String
        /// All that fill it.
        let sources: [RecordMapping]
        /// The type that the column gets; nil where it can hold the values of both.
        let becomes: String?
        /// How many values become others, or stand in a column of another type.
        var changed = 0
        /// How many values cannot pass.
        var lost = 0
        /// The first of these as JSON.
        var sample: String?

        /// Whether it is a column of a table.
        func isColumn(_ name: String, of table: String) -> Bool {
            ColumnName.areSame(column, name) && self.table.lowercased() == table.lowercased()
        }
    }

    /// Looks up what becomes of the columns of all that a pipeline fills.
    ///
    /// - Parameter schemas: What the pipeline fills.
    /// - Returns: The columns whose fields have another type; those with other `values` alone are none.
    /// - Throws: What the database throws.
    func foreseen(_ schemas: [RecordSchema]) throws -> [Foreseen] {
        guard try database.hasHistory() else { return [] }
        return try (targets(schemas) + targets(schemas, ofKeys: true)).filter { !$0.isOfChoices }.map(foresee)
    }

    private func foresee(_ target: Target) throws -> Foreseen {
        var found = Foreseen(
            table: target.table, column: target.column, sources: target.sources.map(\.mapping),
            becomes: target.isInPlace ? nil : database.columnType(target.now.type))
        try eachValue(of: target) { value, _ in
            if let passed = passed(value, target) {
                if !target.isInPlace || passed != value { found.changed += 1 }
            } else {
                if found.lost == 0 { found.sample = FieldJSON.text(value, type: target.before.type) }
                found.lost += 1
            }
        }
        return found
    }
}
