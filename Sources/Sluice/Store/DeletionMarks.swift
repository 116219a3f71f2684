internal import SluiceSQLite

/// Which columns of models' tables say that rows are marked as deleted. A source may be the first to mark some while the store is open, so
/// they are looked for again once the database's schema is another.
struct DeletionMarks {
    private let home: StoreHome
    private let models: [ModelDescription]
    /// What has the records of tables as parts, by these tables in lower case.
    let holders: [String: [PartHolder]]
    private var known: (version: Int64, tables: ModelTables)?

    /// Makes a look at the tables of models.
    init(_ schema: Schema, in home: StoreHome) {
        self.home = home
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
            for model in models {
                let count = try connection.integer(
                    "SELECT count(*) FROM pragma_table_info(?1) WHERE name = '_deleted_at' COLLATE NOCASE",
                    [SQLiteValue(model.table)])
                if count == 1 { columns[model.lowercasedTable] = "_deleted_at" }
            }
            let found = ModelTables(
                home: home, names: Set(models.map(\.lowercasedTable)), marks: columns, holders: holders)
            known = (version, found)
            return found
        }
    }

    /// Has them looked for anew: a version of a schema that is taken back is given again.
    mutating func forget() { known = nil }
}
