internal import SluiceSQLite

/// The columns that say which rows are marked as deleted. A source may be the first to mark some while the store is open, so they
/// are looked at again once the database's schema is another.
struct DeletionMarks {
    private let tables: [String]
    /// What has the records of tables as parts, by these tables in lower case.
    let holders: [String: [PartHolder]]
    private var known: (version: Int64, tables: ModelTables)?

    /// Makes a look at the tables of models.
    init(_ schema: Schema) {
        tables = schema.models.map { $0.modelDescription.table }
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
            for table in tables {
                let count = try connection.integer(
                    "SELECT count(*) FROM pragma_table_info(?1) WHERE name = '_deleted_at' COLLATE NOCASE",
                    [SQLiteValue(table)])
                if count == 1 { columns[table.lowercased()] = "_deleted_at" }
            }
            let found = ModelTables(names: Set(tables.map { $0.lowercased() }), marks: columns, holders: holders)
            known = (version, found)
            return found
        }
    }
}
