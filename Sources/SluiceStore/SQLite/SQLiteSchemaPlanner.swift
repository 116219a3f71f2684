internal import SluiceMerge
internal import SluiceSQLite

/// Makes or extends the tables that a stream's records need, and says what it did.
struct SQLiteSchemaPlanner {
    let connection: Connection
    let schema: RecordSchema
    /// What was changed, in order.
    private(set) var changes: [SchemaChange] = []
    private(set) var madeTable = false
    /// The fields whose columns are new.
    var newColumns: Set<String> = []

    init(connection: Connection, schema: RecordSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Brings the entity's table, its indexes and the base table in line with the schema.
    mutating func prepare() throws -> TableLayout {
        let columns = try existingColumns()
        madeTable = columns.isEmpty
        if columns.isEmpty { try createTable() } else { try extendTable(columns) }
        try createIndexes()
        try prepareLinks()
        let baseTable = try makeBaseTable()
        let fieldOfSlot = try assignSlots(baseTable)
        if try ConflictView(connection: connection, table: schema.table).refresh() == .nameIsTaken {
            changes.append(SchemaChange(table: ConflictView.name(for: schema.table), kind: .leaveOutView, sql: ""))
        }
        let registry = EntityRegistry(connection: connection)
        try registry.note(deletesSoftly: schema.deletesSoftly, of: mappingName)
        try registry.note(schema.references, schema: schema, of: mappingName)
        var complete = schema
        complete.unique += try ownUniqueGroups()
        return TableLayout(
            schema: complete, baseTable: baseTable,
            baseKeyColumns: keyColumns.map(TableLayout.baseColumn(for:)), fieldOfSlot: fieldOfSlot,
            mark: DeletionMark(columns: try registry.columns(of: schema.table)))
    }

    /// Makes the entity's table where it is missing; one that is there must have the key as others refer to it.
    mutating func prepareTarget() throws {
        let columns = try existingColumns()
        if columns.isEmpty { return try createTable() }
        let names = columns.map { $0.name.lowercased() }
        let missing = keyColumns.filter { !names.contains($0.lowercased()) }
        if try missing.isEmpty && hasUniqueKey(columns) { return }
        throw StoreError(
            .mismatch,
            "The table `\(schema.table)`, which others refer to, has no primary key or unique index of exactly \(keyColumns.joined(separator: ", ")). Change the mapping or the table, or name another table with `table:`."
        )
    }

    var keyColumns: [String] { schema.keyFields.map { schema.fields[$0].column } }
    private var mappingName: String { EntityRegistry.name(schema.pipeline, schema.stream, schema.entity) }
    private var hasIntegerKey: Bool { schema.keyFields.count == 1 && schema.fields[schema.keyFields[0]].type == .int }

    mutating func note(adopted table: String) {
        changes.append(SchemaChange(table: table, kind: .adoptTable, sql: ""))
    }

    mutating func apply(_ kind: SchemaChange.Kind, table: String, sql: String) throws {
        try connection.execute(sql)
        changes.append(SchemaChange(table: table, kind: kind, sql: sql))
    }

    // MARK: The entity's table

    /// A column that a table has.
    struct Column {
        let name: String
        let type: String
        let keyPosition: Int64
        let isNotNull: Bool
        let hasDefault: Bool
        let isGenerated: Bool
        var isRequired: Bool { isNotNull && !hasDefault }
    }

    private func existingColumns() throws -> [Column] {
        let kind = try connection.rows(
            "SELECT type FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')",
            [SQLiteValue(schema.table)])
        if kind.first?.first == SQLiteValue("view") {
            if try ConflictView.giveUp(schema.table, connection) { return [] }
            throw StoreError(
                .mismatch, "`\(schema.table)` is a view; records need a table. Name another with `table:`.")
        }
        let statement = try connection.prepare(
            "SELECT name, type, pk, \"notnull\", dflt_value, hidden FROM pragma_table_xinfo(?1)")
        statement.bind(schema.table, at: 1)
        var columns: [Column] = []
        while try statement.step() {
            columns.append(
                Column(
                    name: statement.string(0) ?? "", type: (statement.string(1) ?? "").uppercased(),
                    keyPosition: statement.integer(2), isNotNull: statement.integer(3) != 0,
                    hasDefault: !statement.isNull(4), isGenerated: statement.integer(5) > 1))
        }
        return columns
    }

    private mutating func createTable() throws {
        let definitions = schema.columnFields.map { index in
            let field = schema.fields[index]
            let definition = "\(SQLName.quoted(field.column)) \(field.type.sqliteType)"
            if hasIntegerKey && index == schema.keyFields[0] { return definition + " PRIMARY KEY" }
            return schema.keyFields.contains(index) ? definition + " NOT NULL" : definition
        }
        let key = hasIntegerKey ? [] : ["PRIMARY KEY (\(SQLName.list(keyColumns)))"]
        let all = definitions + markDefinitions + key + foreignKeys
        try apply(
            .createTable, table: schema.table,
            sql: "CREATE TABLE \(SQLName.quoted(schema.table)) (\(all.joined(separator: ", "))) STRICT")
    }

    private mutating func extendTable(_ columns: [Column]) throws {
        var problems: [String] = []
        for index in schema.columnFields {
            let field = schema.fields[index]
            if let column = columns.first(where: { $0.name.lowercased() == field.column.lowercased() }) {
                if column.isGenerated {
                    problems.append("column `\(column.name)` is generated, so no field can fill it")
                } else if !Self.fits(column.type, sqliteType: field.type.sqliteType) {
                    problems.append(
                        "column `\(column.name)` is \(column.type), and `\(field.name): \(field.type.rawValue)` needs \(field.type.sqliteType)"
                    )
                }
            } else if schema.keyFields.contains(index) {
                problems.append("the key column `\(field.column)` is missing")
            }
        }
        if problems.isEmpty, try !hasUniqueKey(columns) {
            problems.append("no primary key or unique index covers exactly \(keyColumns.joined(separator: ", "))")
        }
        problems += markProblems(columns)
        problems += try referenceProblems(columns)
        let mapped = Set(schema.fields.map { $0.column.lowercased() })
        for column in columns
        where column.isRequired && !column.isGenerated && column.keyPosition == 0
            && !mapped.contains(column.name.lowercased())
        {
            problems.append("column `\(column.name)` is NOT NULL without a default, and no field fills it")
        }
        guard problems.isEmpty else {
            throw StoreError(
                .mismatch,
                "The table `\(schema.table)` does not fit the entity `\(schema.entity)`: \(problems.joined(separator: "; ")). Change the mapping or the table, or name another table with `table:`."
            )
        }
        if try !EntityRegistry(connection: connection).knows(table: schema.table) {
            changes.append(SchemaChange(table: schema.table, kind: .adoptTable, sql: ""))
        }
        for index in schema.columnFields {
            let field = schema.fields[index]
            if columns.contains(where: { $0.name.lowercased() == field.column.lowercased() }) { continue }
            newColumns.insert(field.name)
            try apply(
                .addColumn, table: schema.table,
                sql:
                    "ALTER TABLE \(SQLName.quoted(schema.table)) ADD COLUMN \(SQLName.quoted(field.column)) \(field.type.sqliteType)\(foreignKey(of: index))"
            )
        }
        try addMark(to: columns)
    }

    /// Whether a declared column type keeps values of a STRICT table's type as they are. See: sqlite.org/datatype3.html
    static func fits(_ declared: String, sqliteType: String) -> Bool {
        switch sqliteType {
        case "INTEGER": declared.contains("INT") || declared.isEmpty || declared == "ANY" || declared.hasPrefix("BOOL")
        case "REAL":
            ["REAL", "FLOA", "DOUB"].contains { declared.contains($0) } || declared.isEmpty || declared == "ANY"
        case "BLOB": declared.contains("BLOB") || declared.isEmpty || declared == "ANY"
        default: ["CHAR", "CLOB", "TEXT"].contains { declared.contains($0) } || declared.isEmpty || declared == "ANY"
        }
    }

    private func hasUniqueKey(_ columns: [Column]) throws -> Bool {
        let wanted = Set(keyColumns.map { $0.lowercased() })
        if Set(columns.filter { $0.keyPosition > 0 }.map { $0.name.lowercased() }) == wanted { return true }
        return try UniqueIndexes.wholeColumns(of: schema.table, connection).contains { Set($0) == wanted }
    }

    private mutating func createIndexes() throws {
        try createReferenceIndexes()
        for group in schema.unique {
            let columns = group.map { schema.fields[$0].column }
            let wanted = Set(columns.map { $0.lowercased() })
            let known =
                try UniqueIndexes.columns(of: schema.table, connection)
                + UniqueIndexes.wholeColumns(of: schema.table, connection)
            if known.contains(where: { Set($0) == wanted }) { continue }
            let name = try freeName(([schema.table] + columns + ["key"]).joined(separator: "_"))
            // A row that is marked as deleted gives up its values.
            let rows = schema.deletesSoftly ? UniqueIndexes.condition : ""
            do {
                try apply(
                    .createIndex, table: schema.table,
                    sql:
                        "CREATE UNIQUE INDEX \(SQLName.quoted(name)) ON \(SQLName.quoted(schema.table)) (\(SQLName.list(columns)))\(rows)"
                )
            } catch let error as SQLiteError where error.code == .uniqueConstraint {
                throw StoreError(
                    .mismatch,
                    "Rows of the table `\(schema.table)` have the same \(columns.joined(separator: ", ")), which `unique` forbids. Mend the rows or leave that group out of `unique`; they are found by: SELECT \(SQLName.list(columns)), count(*) FROM \(SQLName.quoted(schema.table)) GROUP BY \(SQLName.list(columns)) HAVING count(*) > 1"
                )
            }
        }
    }

    /// What an adopted table says itself must be unique, besides what the pipeline says.
    private func ownUniqueGroups() throws -> [[Int]] {
        var known = Set(schema.unique.map(Set.init)).union([Set(schema.keyFields)])
        return try UniqueIndexes.columns(of: schema.table, connection).compactMap { columns in
            let group = columns.compactMap { name in schema.fields.firstIndex { $0.column.lowercased() == name } }
            return group.count == columns.count && known.insert(Set(group)).inserted ? group : nil
        }
    }

    // MARK: The base

    private func makeBaseTable() throws -> String {
        // A base without its table would make every row look deleted by hand, whichever source it is of.
        if madeTable { try forgetTable() }
        if let known = try EntityRegistry(connection: connection).tables(of: mappingName) {
            try checkKey(of: known.base)
            if known.table != schema.table { try forget(schema.source, base: known.base) }
            return known.base
        }
        let name = try freeName("_sluice_base_\(schema.pipeline)_\(schema.stream)_\(schema.entity)")
        let keys = schema.keyFields.map { schema.fields[$0] }
        let definitions = keys.map { field in
            "\(SQLName.quoted(TableLayout.baseColumn(for: field.column))) \(field.type.sqliteType)"
                + (hasIntegerKey ? " PRIMARY KEY" : " NOT NULL")
        }
        let names = keys.map { TableLayout.baseColumn(for: $0.column) }
        let key = hasIntegerKey ? "" : ", PRIMARY KEY (\(SQLName.list(names)))"
        try connection.execute(
            """
            CREATE TABLE \(SQLName.quoted(name)) (\(definitions.joined(separator: ", ")), row_hash INTEGER NOT NULL, \
            fields BLOB NOT NULL, state INTEGER NOT NULL, open INTEGER NOT NULL, first_run INTEGER, last_run INTEGER, \
            text_hash INTEGER, text_within BLOB\(key)) STRICT\(hasIntegerKey ? "" : ", WITHOUT ROWID")
            """)
        try EntityRegistry(connection: connection).note(base: name, table: schema.table, of: mappingName)
        return name
    }

    /// A name that no table or index has yet.
    func freeName(_ wanted: String) throws -> String {
        var name = wanted
        var suffix = 1
        while try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", [SQLiteValue(name)]) != 0
        {
            suffix += 1
            name = "\(wanted)_\(suffix)"
        }
        return name
    }

    private func forgetTable() throws {
        let registry = EntityRegistry(connection: connection)
        for source in try registry.sources(of: schema.table) {
            guard let known = try registry.tables(of: EntityRegistry.name(source)) else { continue }
            try forget(source, base: known.base)
        }
    }

    /// Has a source start anew with the table: nothing of it was synced yet, and nothing is in conflict.
    private func forget(_ source: RecordMapping, base: String) throws {
        try connection.execute("DELETE FROM \(SQLName.quoted(base))")
        try connection.run(
            """
            UPDATE _sluice_conflicts SET status = 'obsolete'
            WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open'
            """, [SQLiteValue(source.pipeline), SQLiteValue(source.stream), SQLiteValue(source.entity)])
        let mapping = EntityRegistry.name(source)
        try EntityRegistry(connection: connection).note(base: base, table: schema.table, of: mapping)
    }

    private func checkKey(of baseTable: String) throws {
        let columns = try connection.rows(
            "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk", [SQLiteValue(baseTable)])
        let wanted = keyColumns.map { SQLiteValue(TableLayout.baseColumn(for: $0)) }
        guard columns.map({ $0[0] }) == wanted else {
            let found = columns.compactMap { row -> String? in
                if case .text(let name) = row[0] { return String(decoding: name, as: UTF8.self) }
                return nil
            }
            throw StoreError(
                .mismatch,
                "The identifier of `\(schema.entity)` was \(found.joined(separator: ", ")) and is now \(keyColumns.joined(separator: ", ")). A changed `primary_key` needs a new store or another pipeline name, since the base is kept by key."
            )
        }
    }

    /// Gives each field a slot that it keeps however the pipeline is reordered, and notes what the field is.
    private func assignSlots(_ baseTable: String) throws -> [Int] {
        let registry = EntityRegistry(connection: connection)
        var fieldOfSlot: [Int] = []
        var hasRetired = false
        for slot in try registry.slots(of: mappingName) {
            // The base of a field whose column is new was another column's.
            if newColumns.contains(slot.field) {
                try registry.retire(slot, of: mappingName)
                fieldOfSlot.append(-1)
                hasRetired = true
            } else {
                fieldOfSlot.append(schema.fields.firstIndex { $0.name == slot.field } ?? -1)
            }
        }
        if hasRetired { try revisit(baseTable) }
        try retireElsewhere()
        for index in schema.fields.indices where !fieldOfSlot.contains(index) { fieldOfSlot.append(index) }
        for (slot, index) in fieldOfSlot.enumerated() where index >= 0 {
            try registry.note(EntityRegistry.Slot(number: slot, schema: schema, index: index), of: mappingName)
        }
        return fieldOfSlot
    }

    /// What other sources said of a column that is new was another column's, too.
    private func retireElsewhere() throws {
        if newColumns.isEmpty { return }
        let registry = EntityRegistry(connection: connection)
        let columns = Set(schema.fields.filter { newColumns.contains($0.name) }.map { $0.column.lowercased() })
        for source in try registry.sources(of: schema.table) where source != schema.source {
            let mapping = EntityRegistry.name(source)
            let stale = try registry.slots(of: mapping).filter { columns.contains($0.column.lowercased()) }
            guard !stale.isEmpty, let known = try registry.tables(of: mapping) else { continue }
            for slot in stale { try registry.retire(slot, of: mapping) }
            try revisit(known.base)
        }
    }

    /// Has every record of a base looked at again: none is as the base says.
    private func revisit(_ baseTable: String) throws {
        try connection.execute("UPDATE \(SQLName.quoted(baseTable)) SET row_hash = ~row_hash, text_hash = NULL")
    }
}
