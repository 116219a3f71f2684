extension Store {
    /// All rows of the models and of their pairs, by table, for a test that compares two states.
    ///
    /// - Returns: The rows of each table as text, sorted.
    /// - Throws: ``SluiceError``.
    package func contents() async throws -> [String: [String]] {
        let names = writer.tables
        return try await write { tx in
            var contents: [String: [String]] = [:]
            for name in names {
                let all = SQL(unchecked: "SELECT * FROM \(SQLIdentifier.quoted(name))")
                contents[name] = try tx.rows(all).map { "\($0.values)" }.sorted()
            }
            return contents
        }
    }
}
