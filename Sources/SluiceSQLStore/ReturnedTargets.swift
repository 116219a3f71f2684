package import SluiceModel

/// The rows that a transaction puts back where a run had deleted them: what referred to one of them leads to it again,
/// whatever the reference's rule is.
package final class ReturnedTargets {
    private let database: any SQLDatabase
    /// The table as statements name it.
    private let table: String
    private let preparation: String
    private var isMade = false

    /// Notes rows in a table.
    ///
    /// - Parameters:
    ///   - database: The store's database.
    ///   - table: The table as statements name it, with the columns `table` and `key`.
    ///   - preparation: What makes it, or empties it.
    package init(_ database: any SQLDatabase, table: String, preparation: String) {
        (self.database, self.table, self.preparation) = (database, table, preparation)
    }

    /// Forgets the rows of a transaction that is over.
    package func forget() {
        // A table that was made within a transaction that is rolled back is gone.
        isMade = false
    }

    /// Leaves no row of a transaction behind that is to be committed.
    ///
    /// - Throws: What the database throws.
    package func clear() throws {
        guard isMade else { return }
        try database.execute("DELETE FROM \(table)")
        isMade = false
    }

    /// Notes that a row has been put back.
    ///
    /// - Parameters:
    ///   - key: Its key, as the table has it.
    ///   - columns: The columns of the key.
    ///   - name: The table.
    /// - Throws: What the database throws.
    package func note(_ key: [FieldValue], _ columns: [String], of name: String) throws {
        if !isMade {
            try database.execute(preparation)
            isMade = true
        }
        let values = columns.map { "t." + SQLText.quoted($0) }
        let isMeant = zip(values, key.indices).map { "\($0) = ?\($1 + 1)" }
        try database.run(
            """
            INSERT INTO \(table) ("table", key) SELECT \(SQLText.literal(name.lowercased())), \(database.jsonArray(values))
            FROM \(database.table(name)) AS t WHERE \(isMeant.joined(separator: " AND ")) ON CONFLICT DO NOTHING
            """, key)
    }

    /// Whether a target is one of these rows; nil where there is none.
    ///
    /// - Parameters:
    ///   - key: The expression of the target's key.
    ///   - name: Its table.
    /// - Returns: A condition.
    func condition(_ key: String, of name: String) -> String? {
        if !isMade { return nil }
        return
            "EXISTS (SELECT 1 FROM \(table) AS r WHERE r.\"table\" = \(SQLText.literal(name.lowercased())) AND r.key = \(key))"
    }
}
