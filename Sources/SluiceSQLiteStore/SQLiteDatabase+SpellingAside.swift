internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// Identifiers in another spelling as those who only look see them: nothing of the file is changed for that.
extension SQLiteDatabase {
    /// Has the rows of a table, and of those that refer to it, be read with identifiers as they are compared. Where people
    /// wrote another spelling, copies stand in the place of the tables, which this connection alone sees: a temporary table
    /// goes before one of the file. See: sqlite.org/lang_naming.html
    ///
    /// - Parameter schema: The records.
    /// - Throws: What the database throws.
    func spellKeysAside(of schema: RecordSchema) throws {
        guard try hasOtherSpellings(schema) else { return }
        var seen: Set<String> = []
        try copyAside(schema.table, &seen)
        _ = try spellKeys(of: schema)
    }

    /// Copies a table and those that refer to it.
    private func copyAside(_ table: String, _ seen: inout Set<String>) throws {
        guard seen.insert(table.lowercased()).inserted else { return }
        let isThere = "SELECT 1 FROM temp.sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE"
        let definition = try rows(
            "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE", [FieldValue(table)]
        ).first?[0].string
        let head = "CREATE TABLE "
        if let definition, definition.hasPrefix(head), try !hasRow(isThere, [FieldValue(table)]) {
            let name = SQLName.quoted(table)
            let columns = try columns(of: table).filter { !$0.isGenerated }.map { SQLName.quoted($0.name) }
                .joined(separator: ", ")
            try execute("CREATE TEMP TABLE " + definition.dropFirst(head.utf8.count))
            try connection.withoutForeignKeys {
                try execute("INSERT INTO temp.\(name) (\(columns)) SELECT \(columns) FROM main.\(name)")
            }
        }
        for (referrer, _) in try referrers(to: table) { try copyAside(referrer, &seen) }
    }
}
