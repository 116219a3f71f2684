internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// The table of an entity: made, or extended where it is there.
extension SQLiteSchemaPlanner {
    /// A column that a table has.
    struct Column {
        let name: String
        /// The declared type as it is written.
        let declared: String
        let keyPosition: Int64
        let isNotNull: Bool
        /// What the table gives a row that says nothing, as SQL; nil for null.
        let defaultSQL: String?
        let isGenerated: Bool
        let affinity: ColumnAffinity
        var hasDefault: Bool { defaultSQL != nil }
        var isRequired: Bool { isNotNull && !hasDefault }
        /// The declared type in capitals.
        var type: String { declared.uppercased() }

        /// Whether it keeps values of a STRICT table's type as they are. Types that are not said to hold numbers, such as
        /// DECIMAL, are left alone.
        func fits(_ sqliteType: String) -> Bool {
            let isNumber = ["INT", "BOOL"].contains { type.contains($0) } || type.isEmpty || type == "ANY"
            return affinity.keeps(sqliteType) && (sqliteType != "INTEGER" || isNumber)
                && (sqliteType == "BLOB" ? affinity == .none : !type.contains("BLOB"))
        }
    }

    func existingColumns() throws -> [Column] {
        let kind = try connection.rows(
            "SELECT type FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')",
            [SQLiteValue(schema.table)])
        if kind.first?.first == SQLiteValue("view") {
            if try ConflictView.giveUp(schema.table, connection) { return [] }
            throw StoreError(
                .mismatch, "`\(schema.table)` is a view; records need a table. Name another with `table:`.")
        }
        let isStrict =
            try connection.integer("SELECT max(strict) FROM pragma_table_list(?1)", [SQLiteValue(schema.table)]) == 1
        let statement = try connection.prepare(
            "SELECT name, type, pk, \"notnull\", dflt_value, hidden FROM pragma_table_xinfo(?1)")
        statement.bind(schema.table, at: 1)
        var columns: [Column] = []
        while try statement.step() {
            columns.append(
                Column(
                    name: statement.string(0) ?? "", declared: statement.string(1) ?? "",
                    keyPosition: statement.integer(2), isNotNull: statement.integer(3) != 0,
                    defaultSQL: statement.isNull(4) ? nil : statement.string(4), isGenerated: statement.integer(5) > 1,
                    affinity: ColumnAffinity(statement.string(1) ?? "", isStrict: isStrict)))
        }
        return columns
    }

    mutating func createTable() throws {
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

    mutating func extendTable(_ columns: [Column]) throws {
        var problems: [String] = []
        var changedTypes: [Int] = []
        for index in schema.columnFields {
            let field = schema.fields[index]
            if let column = columns.first(where: { $0.name.lowercased() == field.column.lowercased() }) {
                if column.isGenerated {
                    problems.append("column `\(column.name)` is generated, so no field can fill it")
                } else if !column.fits(field.type, isKey: schema.keyFields.contains(index)) {
                    changedTypes.append(index)
                    problems.append(
                        "column `\(column.name)` is \(column.type), and `\(field.name): \(field.type.rawValue)` needs \(field.type.sqliteType)"
                    )
                }
            }
        }
        let ofKey = try keyProblems(schema.table, columns: keyColumns, columns)
        problems += ofKey
        problems += markProblems(columns)
        problems += try referenceProblems(columns)
        let mapped = Set(schema.fields.map { $0.column.lowercased() })
        for column in columns
        where column.isRequired && !column.isGenerated && column.keyPosition == 0
            && !mapped.contains(column.name.lowercased())
        {
            problems.append(
                "column `\(column.name)` is NOT NULL without a default, and no field fills it: add a field with a `default`, as in `\(column.name): {default: …}`, or give the column a default"
            )
        }
        guard problems.isEmpty else {
            throw StoreError(
                .mismatch,
                "The table `\(schema.table)` does not fit the entity `\(schema.entity)`: \(problems.joined(separator: "; ")). \(try remedy(changedTypes, hasOtherKey: !ofKey.isEmpty))"
            )
        }
        try noteForms(columns)
        let references = schema.references
        try checkForms(of: references.flatMap(\.fields) + (references.isEmpty ? [] : schema.keyFields))
        if try !EntityRegistry(connection: connection).knows(table: schema.table) {
            note(adopted: schema.table)
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
        noteForeignKeysLeftOut()
        try addMark(to: columns)
    }

    /// What to do about a table that does not fit.
    private func remedy(_ changedTypes: [Int], hasOtherKey: Bool) throws -> String {
        guard try EntityRegistry(connection: connection).knows(table: schema.table) else {
            return "Change the mapping or the table, or name another table with `table:`."
        }
        if hasOtherKey || changedTypes.contains(where: { schema.keyFields.contains($0) }) { return keyRemedy }
        guard let first = changedTypes.first else {
            return "Change the mapping or the table, or give the entity another name and another `table:`."
        }
        let field = schema.fields[first]
        return
            "The type of a column cannot change in place. Put `type` of `\(field.name)` back, and add a field of the new type beside it, such as `\(field.name)_2: {from: \(field.name), type: \(field.type.rawValue)}`, with the other keys of the new definition (such as `format`): the next run fills it, and `\(field.name)` keeps what was edited in it."
    }

    /// What to do about another identifier than the one by which the base is kept.
    var keyRemedy: String {
        "The identifier of a table cannot change in place. To go on with the new one, give the entity another name and another `table:`, and run once with `--allow-schema drop`; `\(schema.table)` then stays as it is, with what was edited in it. To go on with the old one, put `primary_key` and its types back."
    }
}
