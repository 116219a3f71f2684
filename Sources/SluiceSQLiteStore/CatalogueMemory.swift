internal import SluiceSQLStore
internal import SluiceSQLite

/// What the database's catalogue says of tables, read once as long as nobody changes a schema.
struct CatalogueMemory {
    /// The versions of the schemas that say it: the database's and that of temporary tables, which may hide its tables.
    private var versions: [Int64?] = []
    /// What tables demand of their rows, by their names in small letters.
    private var demands: [String: TableDemands] = [:]
    /// The columns of tables, in the same way.
    private var columns: [String: [SQLColumn]] = [:]

    /// Has all be read anew: a version of a schema that is taken back is given again.
    mutating func forget() { self = CatalogueMemory() }

    /// What a table demands of its rows.
    mutating func demands(of table: String, _ connection: Connection) throws(SQLiteError) -> TableDemands {
        try check(connection)
        let name = table.lowercased()
        if let known = demands[name] { return known }
        let read = try TableDemands(of: table, connection)
        demands[name] = read
        return read
    }

    /// The columns of a table, which `read` reads where they are not known.
    mutating func columns(
        of table: String, _ connection: Connection, read: () throws(SQLiteError) -> [SQLColumn]
    ) throws(SQLiteError) -> [SQLColumn] {
        try check(connection)
        let name = table.lowercased()
        if let known = columns[name] { return known }
        let found = try read()
        columns[name] = found
        return found
    }

    private mutating func check(_ connection: Connection) throws(SQLiteError) {
        let now = [
            try connection.integer("PRAGMA main.schema_version"), try connection.integer("PRAGMA temp.schema_version"),
        ]
        if now == versions { return }
        forget()
        versions = now
    }
}
