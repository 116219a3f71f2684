package import SluiceModel
internal import SluiceSQLStore
package import SluiceSQLite
package import SluiceStore

/// Tables of a program's records, which sources may fill besides.
extension SQLiteRecordStore {
    /// Has the table of a program's records go on under its names of now.
    ///
    /// - Parameters:
    ///   - schema: The records.
    ///   - tables: The tables of all records of the program, in lower case, which are nobody's earlier ones.
    /// - Returns: What was renamed.
    /// - Throws: ``StoreError``.
    package func followNames(
        ofUnsourced schema: RecordSchema, apartFrom tables: Set<String>
    ) throws -> [SchemaChange] {
        try planning(schema) { try $0.followNamesUnsourced(apartFrom: tables) }
    }

    /// Notes that a table of pairs was renamed, or columns of it: for the sources that fill it, and for what programs wrote to it.
    ///
    /// - Parameters:
    ///   - old: The name of the table before.
    ///   - new: Its name of now.
    ///   - columns: The names of the columns of its key, before and now.
    /// - Throws: ``StoreError``.
    package func recordPairs(_ old: String, is new: String, columns: [(old: String, new: String)]) throws {
        try translated { try NameChange(database: database).recordPairs(old, is: new, columns: columns) }
    }

    /// Makes or extends a table that no source fills, or that sources fill besides: what a program keeps of its own.
    ///
    /// - Parameter schema: What the table holds.
    /// - Returns: What had to be changed.
    /// - Throws: ``StoreError``, with ``StoreError/Code/mismatch`` where a table that is there does not fit.
    package func prepareUnsourced(_ schema: RecordSchema) throws -> [SchemaChange] {
        try planning(schema) { try $0.prepareUnsourced() }
    }

    /// The references that must not be empty and whose records are not there.
    package func unmetReferences() throws -> [UnmetReference] {
        try translated {
            try database.unchecked.settle()
            return try RequiredReferences(database).unmet(
                hasWritten: connection.totalChanges != changesBefore, mayBeBroken: connection.mayHideOpenForeignKeys)
        }
    }

    /// Finds by its key a row of a table of which a foreign key leads to none.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - keyColumns: The columns of the row's key, to which its values are bound.
    /// - Returns: The statement, with whether a row that comes into the table may mend references of others; nil where the table
    ///   has no foreign key.
    /// - Throws: ``StoreError``.
    package func leadingToNone(
        _ table: String, by keyColumns: [String]
    ) throws -> (statement: Statement, mayMend: Bool)? {
        try translated {
            guard let sql = try database.leadingToNone(table, by: keyColumns) else { return nil }
            return (try connection.prepare(sql), try database.isLedTo(table, wasEmpty: false))
        }
    }

    private func planning(
        _ schema: RecordSchema, _ body: (inout SchemaPlanner) throws -> Void
    ) throws -> [SchemaChange] {
        do {
            var planner = SchemaPlanner(database: database, schema: schema)
            try body(&planner)
            return planner.changes
        } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}
