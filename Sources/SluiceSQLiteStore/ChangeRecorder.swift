internal import SluiceMerge
internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// Writes down what a run changes in a store on SQLite, see ``ChangeNoting``.
final class ChangeRecorder: ChangeNoting {
    private let connection: Connection
    /// The run whose changes are written down; nil where none are.
    private(set) var run: Int64?
    private var naming: (RecordKey, RecordSchema) -> String = { _, _ in "" }
    private var insertion: KeptStatement

    init(connection: Connection) {
        self.connection = connection
        insertion = KeptStatement(
            """
            INSERT INTO _sluice_changes (run, kind, pipeline, stream, entity, key, action, field, class, old, new, row)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """, connection)
    }

    func start(run: Int64, naming: @escaping (RecordKey, RecordSchema) -> String) {
        self.run = run
        self.naming = naming
    }

    func stop() { run = nil }

    // MARK: Records

    func record(_ notes: [RecordNote], _ schema: RecordSchema) throws(SQLiteError) {
        for note in notes { try self.record(note, schema) }
    }

    /// Writes down what happened to one record.
    func record(_ note: RecordNote, _ schema: RecordSchema) throws(SQLiteError) {
        let key = SQLiteValue(naming(note.key, schema))
        let action = SQLiteValue(note.action.rawValue)
        let (old, new) = note.images
        try insert(
            "record", schema, key: key, action: action, field: SQLiteValue(note.page),
            fieldClass: SQLiteValue(note.kind),
            old: old.map { .blob($0) } ?? .null, new: new.map { .blob($0) } ?? .null,
            row: note.row.map { .blob($0.encoded) } ?? .null)
        for column in note.columns {
            try insert(
                column.isField ? "field" : "column", schema, key: key, action: action,
                field: SQLiteValue(column.name), fieldClass: SQLiteValue(column.fieldClass),
                old: column.old.sqliteValue, new: column.new.sqliteValue, row: .null)
        }
    }

    private func insert(
        _ kind: String, _ schema: RecordSchema, key: SQLiteValue, action: SQLiteValue, field: SQLiteValue,
        fieldClass: SQLiteValue, old: SQLiteValue, new: SQLiteValue, row: SQLiteValue
    ) throws(SQLiteError) {
        guard let run else { return }
        let statement = try insertion.taken()
        statement.bind(run, at: 1)
        statement.bind(kind, at: 2)
        statement.bind(schema.pipeline, at: 3)
        statement.bind(schema.stream, at: 4)
        statement.bind(schema.entity, at: 5)
        for (index, value) in [key, action, field, fieldClass, old, new, row].enumerated() {
            statement.bind(value, at: index + 6)
        }
        try statement.run()
    }

    /// Writes down what became of rows that stand for records.
    func record(
        stubs rows: [RowImage], of reference: EntityRegistry.Reference, _ action: RecordedChange.Action
    ) throws(SQLiteError) {
        guard let run, let mapping = EntityRegistry.mapping(reference.mapping) else { return }
        for row in rows {
            try connection.run(
                """
                INSERT INTO _sluice_changes (run, kind, pipeline, stream, entity, action, field, new, row)
                VALUES (?1, 'stub', ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """,
                [
                    .integer(run), SQLiteValue(mapping.pipeline), SQLiteValue(mapping.stream),
                    SQLiteValue(mapping.entity), SQLiteValue(action.rawValue), SQLiteValue(reference.target),
                    SQLiteValue(reference.targetColumns.joined(separator: "\n")), .blob(row.encoded),
                ])
        }
    }

    // MARK: Conflicts and quarantine

    /// Writes down what happened to entries of ledgers.
    func record(_ entries: [RecordedEntry]) throws(SQLiteError) {
        for entry in entries { try record(entry) }
    }

    private func record(_ entry: RecordedEntry) throws(SQLiteError) {
        guard let run else { return }
        try connection.run(
            """
            INSERT INTO _sluice_changes (run, kind, pipeline, stream, entity, key, action, field, class, entry, old, new)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """,
            [
                .integer(run), SQLiteValue(entry.subject.rawValue), SQLiteValue(entry.mapping.pipeline),
                SQLiteValue(entry.mapping.stream), SQLiteValue(entry.mapping.entity), SQLiteValue(entry.key),
                SQLiteValue(entry.action), SQLiteValue(entry.field), SQLiteValue(entry.kind), .integer(entry.entry),
                SQLiteValue(entry.old), SQLiteValue(entry.new),
            ])
    }
}
