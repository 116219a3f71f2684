internal import SluiceSQLite

/// What the database says of the tables of models: which columns say that rows are marked as deleted, and which tables refuse a second row
/// of an identifier. A source may be the first to mark some while the store is open, so both are looked at again once the database's
/// schema is another.
struct DeletionMarks {
    private let models: [ModelDescription]
    /// What has the records of tables as parts, by these tables in lower case.
    let holders: [String: [PartHolder]]
    private var known: (version: Int64, tables: ModelTables)?

    /// Makes a look at the tables of models.
    init(_ schema: Schema) {
        models = schema.models.map { $0.modelDescription }
        holders = PartHolder.all(of: schema)
    }

    /// The tables as they are now.
    ///
    /// - Throws: ``SluiceError``.
    mutating func look(_ connection: Connection) throws -> ModelTables {
        try SluiceError.translating {
            let version = try connection.integer("PRAGMA schema_version") ?? 0
            if let known, known.version == version { return known.tables }
            var columns: [String: String] = [:]
            var refusing: Set<String> = []
            for model in models {
                let table = model.table
                if try Self.refuses(connection, model) { refusing.insert(model.lowercasedTable) }
                let count = try connection.integer(
                    "SELECT count(*) FROM pragma_table_info(?1) WHERE name = '_deleted_at' COLLATE NOCASE",
                    [SQLiteValue(table)])
                if count == 1 { columns[table.lowercased()] = "_deleted_at" }
            }
            let found = ModelTables(
                names: Set(models.map(\.lowercasedTable)), marks: columns, holders: holders, refusing: refusing)
            known = (version, found)
            return found
        }
    }

    /// Whether a model's identifier is the primary key of its table, which says nothing of what else becomes of a second row: another
    /// program's table may have `ON CONFLICT IGNORE`. See: sqlite.org/lang_conflict.html
    private static func refuses(_ connection: Connection, _ model: ModelDescription) throws(SQLiteError) -> Bool {
        let key = try connection.rows(
            """
            SELECT lower(c.name) FROM pragma_table_info(?1) AS c JOIN sqlite_schema AS s
            ON s.type = 'table' AND s.name = ?1 COLLATE NOCASE AND s.sql NOT LIKE '%CONFLICT%' WHERE c.pk
            """, [SQLiteValue(model.table)])
        return Set(key.map { $0[0] }) == Set(model.keyColumns.map { SQLiteValue($0.lowercased()) }) && !key.isEmpty
    }
}
