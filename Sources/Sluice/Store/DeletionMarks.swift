internal import SluiceSQLite

/// The columns that say which rows are marked as deleted, by table in lower case. A source may be the first to mark some while the
/// store is open, so they are looked at again once the database's schema is another.
struct DeletionMarks {
    private let tables: [String]
    private var known: (version: Int64, columns: [String: String])?

    /// Makes a look at the tables of models.
    init(_ schema: Schema) { tables = schema.models.map { $0.modelDescription.table } }

    /// The columns as they are now.
    ///
    /// - Throws: ``SluiceError``.
    mutating func columns(_ connection: Connection) throws -> [String: String] {
        try SluiceError.translating {
            let version = try connection.integer("PRAGMA schema_version") ?? 0
            if let known, known.version == version { return known.columns }
            var columns: [String: String] = [:]
            for table in tables {
                let count = try connection.integer(
                    "SELECT count(*) FROM pragma_table_info(?1) WHERE name = '_deleted_at' COLLATE NOCASE",
                    [SQLiteValue(table)])
                if count == 1 { columns[table.lowercased()] = "_deleted_at" }
            }
            known = (version, columns)
            return columns
        }
    }
}
