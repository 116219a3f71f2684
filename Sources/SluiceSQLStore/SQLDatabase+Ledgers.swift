package import SluiceModel

/// Several rows of the store's own tables at a time.
extension SQLDatabase {
    /// How many values a statement asks for at a time: any database takes as many.
    private var pace: Int { 500 }

    /// The rows of a query that asks for one of several values, some at a time.
    ///
    /// - Parameters:
    ///   - values: The values, none of them twice.
    ///   - first: The values of the query that come before them.
    ///   - query: The query, given a list of places such as `?1, ?2`.
    /// - Returns: The rows of all of them.
    /// - Throws: What the database throws.
    func rows(
        ofAny values: [FieldValue], after first: [FieldValue] = [], _ query: (_ places: String) throws -> String
    ) throws -> [[FieldValue]] {
        var found: [[FieldValue]] = []
        for start in stride(from: 0, to: values.count, by: pace) {
            let some = Array(values[start..<min(start + pace, values.count)])
            found += try rows(query(SQLText.parameters(some.count, from: first.count + 1)), first + some)
        }
        return found
    }

    /// Deletes rows of a table of the store itself by their numbers.
    func deleteRows(_ ids: [Int64], of ledger: String) throws {
        for start in stride(from: 0, to: ids.count, by: pace) {
            let some = ids[start..<min(start + pace, ids.count)]
            try run(
                "DELETE FROM \(self.ledger(ledger)) WHERE id IN (\(SQLText.parameters(some.count)))",
                some.map { .integer($0) })
        }
    }

    // One by one: a statement that stays prepared takes rows fastest where no network is between.

    package func insertRows(_ rows: [[FieldValue]], _ columns: [String], into ledger: String) throws {
        let sql = """
            INSERT INTO \(self.ledger(ledger)) (\(columns.joined(separator: ", ")))
            VALUES (\(SQLText.parameters(columns.count)))
            """
        for row in rows { try run(sql, row) }
    }

    package func overwriteRows(_ rows: [[FieldValue]], _ columns: [String], of ledger: String) throws {
        let assignments = columns.enumerated().dropFirst().map { "\($1) = ?\($0 + 1)" }
        let sql = """
            UPDATE \(self.ledger(ledger)) SET \(assignments.joined(separator: ", ")) WHERE \(columns[0]) = ?1
            """
        for row in rows { try run(sql, row) }
    }
}
