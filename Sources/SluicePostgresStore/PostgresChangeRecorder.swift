internal import SluiceMerge
internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// Writes down what a run changes in a store on PostgreSQL, see ``ChangeNoting``.
///
/// The numbers of changes are given here: whoever writes to the store is alone with its ledgers.
final class PostgresChangeRecorder: ChangeNoting {
    private let database: PostgresDatabase
    private(set) var run: Int64?
    private var naming: (RecordKey, RecordSchema) -> String = { _, _ in "" }
    /// The number of the next change, once it is known in this transaction.
    private var nextID: Int64?

    init(_ database: PostgresDatabase) { self.database = database }

    func start(run: Int64, naming: @escaping (RecordKey, RecordSchema) -> String) {
        self.run = run
        self.naming = naming
    }

    func stop() {
        run = nil
        nextID = nil
    }

    // MARK: Changes

    /// A row of the ledger.
    private struct Row {
        var kind: String
        var mapping: RecordMapping
        var key: String?
        var action: String
        var field: String?
        var fieldClass: String?
        var entry: Int64?
        var old: FieldValue = .null
        var new: FieldValue = .null
        var row: [UInt8]?
    }

    func record(_ notes: [RecordNote], _ schema: RecordSchema) throws {
        if run == nil { return }
        var rows: [Row] = []
        for note in notes {
            let key = naming(note.key, schema)
            let (old, new) = note.images
            var row = Row(
                kind: "record", mapping: schema.source, key: key, action: note.action.rawValue,
                field: note.page, fieldClass: note.kind)
            row.old = old.map { .blob($0) } ?? .null
            row.new = new.map { .blob($0) } ?? .null
            row.row = note.row?.encoded
            rows.append(row)
            for column in note.columns {
                rows.append(
                    Row(
                        kind: column.isField ? "field" : "column", mapping: schema.source, key: key,
                        action: note.action.rawValue, field: column.name, fieldClass: column.fieldClass,
                        old: column.old, new: column.new))
            }
        }
        try insert(rows)
    }

    func record(_ entries: [RecordedEntry]) throws {
        if run == nil { return }
        try insert(
            entries.map { entry in
                Row(
                    kind: entry.subject.rawValue, mapping: entry.mapping, key: entry.key, action: entry.action,
                    field: entry.field, fieldClass: entry.kind, entry: entry.entry, old: FieldValue(entry.old),
                    new: FieldValue(entry.new))
            })
    }

    func record(
        stubs rows: [RowImage], of reference: EntityRegistry.Reference, _ action: RecordedChange.Action
    ) throws {
        guard run != nil, let mapping = EntityRegistry.mapping(reference.mapping) else { return }
        try insert(
            rows.map { row in
                Row(
                    kind: "stub", mapping: mapping, action: action.rawValue,
                    field: reference.target, new: FieldValue(reference.targetColumns.joined(separator: "\n")),
                    row: row.encoded)
            })
    }

    private func insert(_ rows: [Row]) throws {
        guard let run, !rows.isEmpty else { return }
        let table = database.ledger("changes")
        let first = try nextID ?? (database.integer("SELECT max(id) FROM \(table)") ?? 0) + 1
        nextID = first + Int64(rows.count)
        func texts(_ value: (Row) -> String?) -> PostgresArray {
            PostgresArray(rows.map { PostgresValue(shown: value($0)) }, of: .text)
        }
        func bytes(_ value: (Row) -> FieldValue) -> PostgresArray {
            PostgresArray(rows.map { database.packed(value($0)).bytes.map { .bytes($0) } ?? .null }, of: .bytea)
        }
        var parameters = PostgresParameters([.integer(run)])
        parameters.append(PostgresArray(rows.indices.map { .integer(first + Int64($0)) }, of: .int8))
        for column in [texts(\.kind), texts(\.mapping.pipeline), texts(\.mapping.stream), texts(\.mapping.entity)] {
            parameters.append(column)
        }
        for column in [texts(\.key), texts(\.action), texts(\.field), texts(\.fieldClass)] { parameters.append(column) }
        parameters.append(PostgresArray(rows.map { PostgresValue($0.entry) }, of: .int8))
        parameters.append(bytes(\.old))
        parameters.append(bytes(\.new))
        parameters.append(PostgresArray(rows.map { $0.row.map { .bytes($0) } ?? .null }, of: .bytea))
        _ = try database.session.translated {
            try database.session.connection.run(
                PostgresStatement(
                    """
                    INSERT INTO \(table)
                        (run, id, kind, pipeline, stream, entity, key, action, field, class, entry, old, new, row)
                    SELECT $1, u.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                        $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bytea[], $13::bytea[], $14::bytea[]) AS u
                    """, parameters))
        }
    }
}
