package import SluiceModel
package import SluiceStore

/// Makes or extends the tables that a stream's records need, and says what it did.
package struct SchemaPlanner {
    let database: any SQLDatabase
    /// Writes down what can be taken back; nil where nothing is written down.
    let recorder: (any ChangeNoting)?
    package internal(set) var schema: RecordSchema
    /// What was changed, in order.
    package private(set) var changes: [SchemaChange] = []
    private(set) var madeTable = false
    /// The fields whose columns are new.
    var newColumns: Set<String> = []
    /// Whether references that waited are to be settled by another rule once the transaction ends.
    package internal(set) var asksAnew = false

    /// Prepares for the tables of a schema.
    package init(database: any SQLDatabase, schema: RecordSchema, recorder: (any ChangeNoting)? = nil) {
        self.database = database
        self.schema = schema
        self.recorder = recorder
    }

    /// Writes down that an index of a table that was there came or went.
    func record(_ kind: SchemaChange.Kind, index name: String, _ sql: String, columns: [String]) throws {
        guard let recorder, recorder.isRecording, !madeTable else { return }
        try recorder.record(
            RecordedEntry(
                subject: .schema, entry: 0, mapping: schema.source, key: columns.joined(separator: "\n"), field: name,
                kind: kind.rawValue, action: "changed", old: kind == .dropIndex ? sql : nil,
                new: kind == .createIndex ? sql : nil))
    }

    /// Writes down that a table that was there got a column.
    func record(added column: String, _ type: FieldType, field: String?) throws {
        guard let recorder, recorder.isRecording else { return }
        try recorder.record(
            RecordedEntry(
                subject: .schema, entry: 0, mapping: schema.source, key: column, field: field,
                kind: SchemaChange.Kind.addColumn.rawValue, action: "changed", old: schema.table,
                new: database.columnType(type)))
    }

    /// Writes down that something goes on under another name, which stays where the run is taken back.
    ///
    /// - Parameters:
    ///   - kind: What has the name.
    ///   - old: What it was called; of a field its name and its column.
    ///   - new: What it is called.
    ///   - field: The field.
    /// - Throws: What the database throws.
    func record(_ kind: SchemaChange.Kind, from old: [String], to new: String, field: String? = nil) throws {
        guard let recorder, recorder.isRecording else { return }
        try recorder.record(
            RecordedEntry(
                subject: .schema, entry: 0, mapping: schema.source, key: nil, field: field, kind: kind.rawValue,
                action: "changed", old: old.joined(separator: "\t"), new: new))
    }

    /// Brings the entity's table, its indexes and the base table in line with the schema.
    package mutating func prepare() throws -> TableLayout {
        try followNames()
        let columns = try existingColumns()
        madeTable = columns.isEmpty
        if !database.foldsNames { try reserveNames(of: columns) }
        if columns.isEmpty {
            try createTable()
        } else {
            try extendTable(columns)
            if let change = try database.spellKeys(of: schema) { record(change) }
        }
        try createIndexes()
        try prepareLinks()
        let baseTable = try makeBaseTable()
        let fieldOfSlot = try assignSlots(baseTable)
        let view = ConflictView(database: database, table: schema.table)
        if try view.refresh() == .nameIsTaken {
            record(SchemaChange(table: view.name, kind: .leaveOutView, sql: ""))
        }
        let registry = EntityRegistry(database: database)
        try registry.record(deletesSoftly: schema.deletesSoftly, of: mappingName)
        try followRules()
        try registry.record(schema.references, schema: schema, of: mappingName)
        var complete = schema
        complete.unique += try ownUniqueGroups()
        return TableLayout(
            schema: complete, baseTable: baseTable,
            baseKeyColumns: keyColumns.map(TableLayout.baseColumn(for:)), fieldOfSlot: fieldOfSlot,
            keptSlots: try keptSlots(),
            mark: DeletionMark(columns: try database.columnNames(of: schema.table)))
    }

    /// Makes the entity's table where it is missing; one that is there must have the key as others refer to it.
    package mutating func prepareTarget() throws {
        let columns = try existingColumns()
        if columns.isEmpty { return try createTable() }
        try database.recordForms(of: schema, columns)
        try checkForms(of: schema.keyFields)
        let problems = try keyProblems(schema.table, columns: keyColumns, columns)
        if problems.isEmpty { return }
        throw StoreError(
            .mismatch,
            "The table `\(schema.table)`, which others refer to, has no fitting key: \(problems.joined(separator: "; ")). Change the mapping or the table, or name another table with `table:`."
        )
    }

    /// Has fields fill the columns that a table has, where the database tells capital from small letters in names and the
    /// pipeline does not.
    ///
    /// - Throws: ``StoreError`` where a table has two for one field.
    private mutating func reserveNames(of columns: [SQLColumn]) throws {
        for index in schema.fields.indices where !schema.fields[index].isLink {
            let name = schema.fields[index].column
            let found = columns.filter { ColumnName.areSame($0.name, name) }
            if found.count > 1 {
                let names = found.map { "`\($0.name)`" }.joined(separator: " and ")
                throw StoreError(
                    .mismatch,
                    "The table `\(schema.table)` has the columns \(names), whose names differ in capital and small letters alone, and `\(schema.fields[index].name)` of `\(schema.entity)` would fill one of them. Rename one of them, or have the field fill another (`column`)."
                )
            }
            if let column = found.first { schema.fields[index].column = column.name }
        }
    }

    /// Makes or extends the entity's table and its indexes, without a source that fills it.
    package mutating func prepareUnsourced() throws {
        let columns = try existingColumns()
        if columns.isEmpty { try createTable() } else { try extendTable(columns) }
        try createIndexes(isSourced: false)
        try EntityRegistry(database: database).recordModelReferences(of: schema)
    }

    var keyColumns: [String] { schema.keyFields.map { schema.fields[$0].column } }
    var mappingName: String { EntityRegistry.name(schema.pipeline, schema.stream, schema.entity) }
    var hasIntegerKey: Bool { schema.keyFields.count == 1 && schema.fields[schema.keyFields[0]].type == .int }

    /// Tells a change; one that says no statements ran none.
    mutating func record(_ change: SchemaChange) {
        var change = change
        change.statements = change.statements ?? []
        changes.append(change)
    }

    mutating func record(adopted table: String) { record(SchemaChange(table: table, kind: .adoptTable, sql: "")) }

    mutating func record(_ kind: SchemaChange.Kind, _ words: String) {
        record(SchemaChange(table: schema.table, kind: kind, sql: words))
    }

    mutating func record(leftOut constraint: String) {
        record(SchemaChange(table: schema.table, kind: .leaveOutForeignKey, sql: constraint))
    }

    mutating func apply(_ kind: SchemaChange.Kind, table: String, sql: String) throws {
        try database.execute(sql)
        var change = SchemaChange(table: table, kind: kind, sql: sql)
        change.statements = [sql]
        // Their rows have the column, or the name, from now on.
        if [.addColumn, .renameColumn, .renameTable].contains(kind) { change.rows = try database.count(of: table) }
        record(change)
    }
}
