internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// The tables of a schema that pipelines can adopt; nothing of it is changed.
struct PostgresAdoptableTables: AdoptableTables {
    private let database: PostgresDatabase

    init(_ database: PostgresDatabase) { self.database = database }

    private func objects(_ condition: String, _ values: [PostgresValue]) throws -> [(name: String, kind: String)] {
        try database.catalogRows(
            """
            SELECT c.relname::text, c.relkind::text FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND \(condition) ORDER BY c.relname
            """, [PostgresValue(database.session.schema)] + values
        ).map { ($0[0].string ?? "", $0[1].string ?? "") }
    }

    func names() throws -> [String] {
        // A partition belongs to its table.
        try objects(
            "c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT starts_with(lower(c.relname), '_sluice_')", []
        ).map(\.name)
    }

    func find(_ name: String) throws -> AdoptableFinding {
        let found = try objects("lower(c.relname) = lower($2)", [PostgresValue(name)])
        guard let object = found.first(where: { $0.name == name }) ?? found.first else { return .nothing }
        if object.name.lowercased().hasPrefix("_sluice_") { return .other("a table of the store itself") }
        switch object.kind {
        case "v", "m": return .other("a view")
        case "f": return .other("a foreign table")
        default: return .table(try AdoptableTableReading(database, object.name, PostgresColumnTypes()).table())
        }
    }
}

/// A column's type says what it holds.
private struct PostgresColumnTypes: AdoptableColumns {
    func fieldType(of column: SQLColumn, isKey: Bool) -> FieldType? {
        let type: FieldType? =
            switch PostgresColumnType(column.declared).form {
            case .int: .int
            case .double, .real: .double
            case .numeric: .decimal
            case .bool: .bool
            case .uuid: .uuid
            case .timestamp: .datetime
            case .date: .date
            case .bytes: .bytes
            case .jsonb, .json: .json
            case .text, .other: .string
            }
        guard let type, PostgresTableColumn.fits(declared: column.declared, type, isKey: isKey) else { return nil }
        return isKey && [.json, .double, .bytes].contains(type) ? nil : type
    }

    /// References are followed by values, and these are compared by value.
    func keepsSentForm(_ column: SQLColumn, _ type: FieldType) -> Bool { true }
}
