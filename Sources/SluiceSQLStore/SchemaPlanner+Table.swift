internal import SluiceModel
internal import SluiceStore

/// The table of an entity: made, or extended where it is there.
extension SchemaPlanner {
    func existingColumns() throws -> [SQLColumn] {
        try existingColumns(of: schema.table, holding: "records", key: "table")
    }

    /// The columns of a table that is there.
    ///
    /// - Parameters:
    ///   - table: Its name.
    ///   - content: What it is to hold, in words.
    ///   - key: The key of pipelines that names it.
    /// - Returns: None where there is no table, or where the view of conflicts made way for one.
    /// - Throws: ``StoreError`` where a view stands there.
    func existingColumns(of table: String, holding content: String, key: String) throws -> [SQLColumn] {
        if try database.object(table) == .view {
            if try ConflictView.giveUp(table, database) { return [] }
            throw StoreError(.mismatch, "`\(table)` is a view; \(content) need a table. Name another with `\(key):`.")
        }
        return try database.columns(of: table)
    }

    mutating func createTable() throws {
        let definitions = schema.columnFields.map { index in
            let field = schema.fields[index]
            let definition = "\(SQLText.quoted(field.column)) \(database.columnType(field.type))"
            if hasIntegerKey && index == schema.keyFields[0] { return definition + " PRIMARY KEY" }
            return schema.keyFields.contains(index) ? definition + " NOT NULL" : definition
        }
        let key = hasIntegerKey ? [] : ["PRIMARY KEY (\(SQLText.list(keyColumns)))"]
        let all = try definitions + markDefinitions + key + foreignKeys()
        try apply(
            .createTable, table: schema.table,
            sql: "CREATE TABLE \(database.table(schema.table)) (\(all.joined(separator: ", ")))\(database.tableSuffix)")
        try database.recordMade(schema.table)
        try addAwaitedKeys()
    }

    mutating func extendTable(_ columns: [SQLColumn]) throws {
        var problems: [String] = []
        var changedTypes: [Int] = []
        for index in schema.columnFields {
            let field = schema.fields[index]
            if let column = columns.first(where: { $0.name.lowercased() == field.column.lowercased() }) {
                if column.isGenerated {
                    problems.append("column `\(column.name)` is generated, so no field can fill it")
                } else if !database.fits(column, field.type, isKey: schema.keyFields.contains(index)) {
                    changedTypes.append(index)
                    problems.append(
                        "column `\(column.name)` is \(column.type), and `\(field.name): \(field.type.rawValue)` needs \(database.columnType(field.type))"
                    )
                } else if let (slot, other) = try sharedSlot(of: field) {
                    changedTypes.append(index)
                    problems.append(
                        "column `\(column.name)` holds values of the type `\(slot.type.rawValue)`, and `\(field.name): \(field.type.rawValue)` would write those of `\(other.path)` in another form"
                    )
                }
            }
        }
        let ofKey = try keyProblems(schema.table, columns: keyColumns, columns)
        problems += ofKey
        problems += markProblems(columns)
        let ofReferences = try referenceProblems(columns)
        problems += ofReferences.map(\.words)
        let mapped = Set(schema.fields.map { $0.column.lowercased() })
        let lacksKey = keyColumns.contains { name in !columns.contains { ColumnName.areSame($0.name, name) } }
        // Where a column of the key is missing, another one may be that under a new name.
        for column in columns
        where !lacksKey && column.isRequired && !column.isGenerated && column.keyPosition == 0
            && !mapped.contains(column.name.lowercased())
        {
            problems.append(
                "column `\(column.name)` is NOT NULL without a default, and no field fills it: add a field with a `default`, as in `\(column.name): {default: …}`, or give the column a default"
            )
        }
        guard problems.isEmpty else {
            let isWhole = problems.count == ofReferences.count && ofReferences.allSatisfy(\.isWhole)
            let ways = isWhole ? "" : " " + (try remedy(changedTypes, hasOtherKey: !ofKey.isEmpty))
            throw StoreError(
                .mismatch,
                "The table `\(schema.table)` does not fit the entity `\(schema.entity)`: \(problems.joined(separator: "; ")).\(ways)",
                about: changedTypes.first.map { PipelineKey(.type(field: schema.fields[$0].name), of: schema.entity) }
                    ?? (ofKey.isEmpty ? nil : PipelineKey(.identifier, of: schema.entity)))
        }
        try database.recordForms(of: schema, columns)
        let references = schema.references
        try checkForms(of: references.flatMap(\.fields) + (references.isEmpty ? [] : schema.keyFields))
        if try !EntityRegistry(database: database).knows(table: schema.table) {
            record(adopted: schema.table)
        }
        for index in schema.columnFields {
            let field = schema.fields[index]
            if columns.contains(where: { $0.name.lowercased() == field.column.lowercased() }) { continue }
            newColumns.insert(field.name)
            let key = try foreignKey(of: index)
            try apply(
                .addColumn, table: schema.table,
                sql:
                    "ALTER TABLE \(database.table(schema.table)) ADD COLUMN \(SQLText.quoted(field.column)) \(database.columnType(field.type))\(key)"
            )
            try record(added: field.column, field.type, field: field.name)
        }
        try addForeignKeys()
        try addMark(to: columns)
    }

    /// What to do about a table that does not fit.
    private func remedy(_ changedTypes: [Int], hasOtherKey: Bool) throws -> String {
        guard try EntityRegistry(database: database).knows(table: schema.table) else {
            let column =
                hasOtherKey && schema.isOwned
                ? " Where another column holds the parent's key, name it with `column` of the list in `children`." : ""
            return "Change the mapping or the table, or name another table with `table:`.\(column)"
        }
        if hasOtherKey, let remedy = try keyRemedy(without: changedTypes) { return remedy }
        if hasOtherKey || changedTypes.contains(where: { schema.keyFields.contains($0) }) { return keyRemedy }
        guard let first = changedTypes.first else {
            return "Change the mapping or the table, or give the entity another name and another `table:`."
        }
        let field = schema.fields[first]
        let slot = try EntityRegistry(database: database).slots(of: EntityRegistry.name(schema.source)).first {
            !$0.isRetired && ColumnName.areSame($0.column, field.column)
        }
        guard let slot else {
            if schema.pipeline.isEmpty { return migrationRemedy(field) }
            return
                "This source has not filled `\(field.column)` yet. Give the column that type, give `\(field.name)` another `column`, or leave it out."
        }
        if slot.type == field.type {
            return "The column had another type when it was filled last. Give it one again that fits."
        }
        let otherField =
            "Leave `\(field.name)` out and have a field of another name take the key (`from`); where people changed values of `\(slot.field)`, run once with `--allow-schema drop`, which leaves these in `\(field.column)`. Or keep the type `\(slot.type.rawValue)`."
        let isHeld = try database.foreignKeys(of: schema.table).contains { key in
            key.columns.contains { ColumnName.areSame($0, field.column) }
        }
        if isHeld {
            return "A foreign key leads from `\(field.column)`, so that the column keeps its type. \(otherField)"
        }
        if let other = try otherFiller(of: field.column) {
            return "`\(other.path)` fills `\(field.column)` too, so that the column keeps its type. \(otherField)"
        }
        return
            "An import changes no type of a table that is there. A run of a pipeline does, and keeps what was edited in the column: write the import's with `--write-pipeline`, give `\(field.name)` the type `\(field.type.rawValue)` there, and run it once; imports go on from there. Or keep the type, and correct the values in the document."
    }

    /// A source of another pipeline that fills a column; nil where there is none.
    private func otherFiller(of column: String) throws -> RecordMapping? {
        try EntityRegistry(database: database).filler(of: column, in: schema.table, besides: schema.pipeline)
    }

    /// What a field whose type changes was before, and a source of another pipeline that fills its column; nil where there is none, or
    /// where both types write values in the same form.
    private func sharedSlot(of field: RecordSchema.Field) throws -> (EntityRegistry.Slot, RecordMapping)? {
        let slot = try EntityRegistry(database: database).slots(of: EntityRegistry.name(schema.source)).first {
            !$0.isRetired && !$0.isGivenUp && $0.field == field.name && ColumnName.areSame($0.column, field.column)
        }
        let plain: Set<FieldType> = [.string, .url, .enumeration]
        guard let slot, slot.type != field.type, !plain.isSuperset(of: [slot.type, field.type]) else { return nil }
        return try otherFiller(of: field.column).map { (slot, $0) }
    }

    /// What a program does about a column of another type than its model needs.
    private func migrationRemedy(_ field: RecordSchema.Field) -> String {
        let (table, column, old) = (
            SQLText.quoted(schema.table), SQLText.quoted(field.column), SQLText.quoted(field.column + "_old")
        )
        let steps = [
            "RENAME COLUMN \(column) TO \(old)", "ADD COLUMN \(column) \(database.columnType(field.type))",
            "DROP COLUMN \(old)",
        ].map { "`ALTER TABLE \(table) \($0)`" }
        return
            "The type of a column cannot change in place. Bring its values along in a migration: \(steps[0]), \(steps[1]), `UPDATE \(table) SET \(column) = \(old)`, \(steps[2]). What sources said and what people changed goes on. Or put the property's type back."
    }

    /// What to do about a table whose key is as the entity has it, but for what covers it; nil for other keys.
    private func keyRemedy(without changedTypes: [Int]) throws -> String? {
        let mapping = EntityRegistry.name(schema.source)
        let known = try EntityRegistry(database: database).keySlots(of: mapping)
        let fields = schema.keyFields.map { schema.fields[$0] }
        guard changedTypes.isEmpty, known.map(\.type) == fields.map(\.type),
            zip(known, fields).allSatisfy({ ColumnName.areSame($0.column, $1.column) })
        else { return nil }
        let columns = try database.columnNames(of: schema.table)
        let missing = fields.filter { !columns.contains($0.column.lowercased()) }
        if !missing.isEmpty {
            let names = missing.map { "`\($0.column)`" }.joined(separator: ", ")
            return
                "If \(names) got another name in the database, give the old one back, as with `ALTER TABLE \(SQLText.quoted(schema.table)) RENAME COLUMN … TO \(SQLText.quoted(missing[0].column))`: what was edited is known by that."
        }
        let list = SQLText.list(fields.map(\.column))
        let name = SQLText.quoted(([schema.table] + fields.map(\.column)).joined(separator: "_"))
        return
            "Make one, as with `CREATE UNIQUE INDEX \(name) ON \(SQLText.quoted(schema.table)) (\(list))`, and run again: what was edited stays."
    }

    /// What to do about another identifier than the one by which the base is kept.
    var keyRemedy: String {
        "This identifier is not the one by which the table's records are known. To go on with the new one, give the entity another name and another `table:`, and run once with `--allow-schema drop`; `\(schema.table)` then stays as it is, with what was edited in it. To go on with the old one, put `primary_key` and its types back, or give columns that somebody renamed their names back."
    }

    /// Refuses references by keys that are kept in another form than that in which the source gives them.
    func checkForms(of fields: [Int]) throws {
        let forms = try database.forms(of: schema.table)
        guard
            let field = fields.map({ schema.fields[$0] }).first(where: { field in
                forms[field.column.lowercased()].map { !$0.isOwn } ?? false
            })
        else { return }
        throw StoreError(
            .mismatch,
            "The column `\(field.column)` of `\(schema.table)` keeps the `\(field.type.rawValue)` `\(field.name)` in the form of another program, so references by this key cannot be followed. Map `\(field.name)` as a `string` that `expr` makes look like those in the column, or name another table with `table:`."
        )
    }
}
