internal import SluiceModel
internal import SluiceSQLite
package import SluiceStore

/// Compares the columns of tables with what pipelines want of them.
struct ColumnDriftReader {
    private let connection: Connection
    /// What the store knows of its tables, by their names in lower case.
    private let known: [String: StoredTable]

    init(connection: Connection) throws(SQLiteError) {
        self.connection = connection
        let tables = try StoredTableReader(connection: connection).tables()
        known = Dictionary(tables.map { ($0.name.lowercased(), $0) }) { first, _ in first }
    }

    /// What differs in the tables, each column once, in the order of the tables.
    func drift(of tables: [WantedTable]) throws -> [ColumnDrift] {
        var names: [String] = []
        for table in tables where !names.contains(table.schema.table.lowercased()) {
            names.append(table.schema.table.lowercased())
        }
        return try names.flatMap { name in
            try driftOfOne(tables.filter { $0.schema.table.lowercased() == name })
        }
    }

    /// What differs in one table, which several streams may fill.
    private func driftOfOne(_ wanted: [WantedTable]) throws -> [ColumnDrift] {
        guard let schema = wanted.first?.schema else { return [] }
        if try isView(schema.table) { return [ColumnDrift(.view, table: schema.table)] }
        let columns = try SQLiteSchemaPlanner(connection: connection, schema: schema).existingColumns()
        if columns.isEmpty { return [ColumnDrift(.missingTable, table: schema.table)] }
        var found: [ColumnDrift] = []
        for drift in wanted.flatMap({ Self.drift(of: $0, columns) }) where !found.contains(drift) {
            found.append(drift)
        }
        let mapped = Set(wanted.flatMap(\.schema.fields).map { $0.column.lowercased() })
        let sources = Set(wanted.map(\.schema.source))
        return found
            + columns.filter { !mapped.contains($0.name.lowercased()) }.compactMap { unmapped($0, schema, sources) }
    }

    private func isView(_ table: String) throws(SQLiteError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type = 'view'",
            [SQLiteValue(table)]) != 0
    }

    // MARK: Columns of fields

    private static func drift(of wanted: WantedTable, _ columns: [SQLiteSchemaPlanner.Column]) -> [ColumnDrift] {
        let schema = wanted.schema
        return schema.columnFields.compactMap { index in
            let field = schema.fields[index]
            func drift(_ kind: ColumnDrift.Kind, _ column: SQLiteSchemaPlanner.Column?) -> ColumnDrift {
                ColumnDrift(
                    kind, table: schema.table, column: column?.name ?? field.column, declared: column?.declared,
                    field: field.name, type: field.type)
            }
            let found = columns.first { $0.name.lowercased() == field.column.lowercased() }
            guard let found else { return drift(.missing, nil) }
            let isKey = schema.keyFields.contains(index)
            if found.isGenerated { return drift(.generated, found) }
            if !found.fits(field.type, isKey: isKey) { return drift(.type, found) }
            let takesNull = !found.isNotNull || isKey || wanted.requiredFields.contains(index)
            return takesNull ? nil : drift(.required, found)
        }
    }

    // MARK: Other columns

    /// What is said of a column that no field of the pipeline fills; nil where something else does that it belongs to.
    private func unmapped(
        _ column: SQLiteSchemaPlanner.Column, _ schema: RecordSchema, _ sources: Set<RecordMapping>
    ) -> ColumnDrift? {
        func drift(_ kind: ColumnDrift.Kind, _ field: StoredTable.Field? = nil) -> ColumnDrift {
            ColumnDrift(
                kind, table: schema.table, column: column.name, declared: column.declared, field: field?.name,
                type: field?.type)
        }
        let stored = known[schema.table.lowercased()]?.columns.first {
            $0.name.lowercased() == column.name.lowercased()
        }
        switch stored?.origin ?? .own {
        case .fields(let fields):
            let own = fields.filter { sources.contains($0.mapping) }
            return own.count == fields.count ? drift(.left, own.first) : nil
        case .given(let fields): return drift(.left, fields.first)
        case .link, .mark: return nil
        case .own:
            let refusesRows = column.isRequired && !column.isGenerated && column.keyPosition == 0
            return drift(refusesRows ? .required : .own)
        }
    }
}

/// Looks for stored values that are none of their fields' types, as people and other programs may write them.
struct StoredMisfitReader {
    let connection: Connection

    /// The columns of a table with such values.
    func misfits(of wanted: WantedTable) throws(SQLiteError) -> [StoredMisfit] {
        let schema = wanted.schema
        let registry = EntityRegistry(connection: connection)
        let columns = Set(try registry.columns(of: schema.table))
        let forms = try registry.forms(of: schema.table)
        var lists: [SQLiteValue] = []
        let rules = schema.columnFields.compactMap { index -> (index: Int, column: String, rule: String)? in
            let field = schema.fields[index]
            let name = field.column.lowercased()
            // What stands for a redacted value is text of its own, and other programs have forms of their own.
            guard columns.contains(name), field.redaction == nil, forms[name].map({ $0 == .own }) ?? true else {
                return nil
            }
            let column = SQLName.quoted(field.column)
            var rule = Self.rule(column, field.type)
            if let choices = wanted.choices[index], !choices.isEmpty {
                lists.append(SQLiteValue.list(of: Set(choices)))
                rule += " AND \(column) IN (SELECT value FROM json_each(?\(lists.count)))"
            }
            return (index, column, rule)
        }
        if rules.isEmpty { return [] }
        let table = SQLName.quoted(schema.table)
        let sums = rules.map { "coalesce(sum(\($0.column) IS NOT NULL AND NOT (\($0.rule))), 0)" }
        let counts = try connection.rows("SELECT \(sums.joined(separator: ", ")) FROM \(table)", lists).first ?? []
        var found: [StoredMisfit] = []
        for (part, count) in zip(rules, counts) {
            guard case .integer(let rows) = count, rows > 0 else { continue }
            let first = try connection.rows(
                """
                SELECT \(part.column) FROM \(table) WHERE \(part.column) IS NOT NULL AND NOT (\(part.rule)) LIMIT 1
                """, lists)
            let type = schema.fields[part.index].type
            found.append(
                StoredMisfit(
                    mapping: schema.source, column: schema.fields[part.index].column,
                    isChoice: type == .enumeration, rows: Int(clamping: rows),
                    sample: first.first?.first.map { FieldJSON.text(FieldValue($0), type: .string) }))
        }
        return found
    }

    /// What is true of the values of a type as they are stored.
    ///
    /// - Parameters:
    ///   - column: The column in quotes.
    ///   - type: The type.
    /// - Returns: An expression.
    private static func rule(_ column: String, _ type: FieldType) -> String {
        switch type {
        case .int: return "typeof(\(column)) = 'integer'"
        case .bool: return "typeof(\(column)) = 'integer' AND \(column) IN (0, 1)"
        case .double: return "typeof(\(column)) IN ('real', 'integer')"
        case .bytes: return "typeof(\(column)) = 'blob'"
        case .json: return "typeof(\(column)) = 'text' AND json_valid(\(column))"
        case .date: return "typeof(\(column)) = 'text' AND \(column) GLOB '\(dayPattern)'"
        case .datetime: return "typeof(\(column)) = 'text' AND \(column) GLOB '\(dayPattern)T*'"
        // As JSON writes numbers, so that `1e3` is one, and `n/a`, `1,5` and `007` are none.
        case .decimal:
            return "typeof(\(column)) = 'text' AND \(column) NOT GLOB '*[^-+0-9.eE]*' AND json_valid(\(column))"
        case .uuid: return "typeof(\(column)) = 'text' AND \(column) GLOB '\(uuidPattern)'"
        case .url:
            return
                "typeof(\(column)) = 'text' AND \(column) GLOB '[a-zA-Z]*:?*' AND \(column) NOT GLOB '*[ <>\"]*'"
        case .string, .enumeration: return "typeof(\(column)) = 'text'"
        }
    }

    private static let uuidPattern = [8, 4, 4, 4, 12].map { String(repeating: "[0-9a-f]", count: $0) }
        .joined(separator: "-")

    private static let dayPattern =
        String(repeating: "[0-9]", count: 4) + "-[0-9][0-9]-[0-9][0-9]"
}

extension SQLiteRecordStore {
    /// What differs between tables and what pipelines want of them.
    ///
    /// - Parameter tables: What they want.
    /// - Returns: The columns that differ, and those with values that are none of their fields' types.
    /// - Throws: `StoreError`.
    package func drift(of tables: [WantedTable]) throws -> (columns: [ColumnDrift], misfits: [StoredMisfit]) {
        do {
            let columns = try ColumnDriftReader(connection: connection).drift(of: tables)
            let reader = StoredMisfitReader(connection: connection)
            return (columns, try tables.flatMap { try reader.misfits(of: $0) })
        } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}
