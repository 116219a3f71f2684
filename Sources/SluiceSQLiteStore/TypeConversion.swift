internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// Gives columns the types that their fields have now, with all that they hold.
///
/// It does so for columns of tables that are STRICT, as those that this program makes are, and that one pipeline alone
/// fills. Keys, references and what is redacted keep their types: the next step refuses them, as it does all others.
struct TypeConversion {
    /// A source of the column: its field, and the slot by which the store knows it.
    struct Source {
        let mapping: RecordMapping
        let base: String
        let slot: EntityRegistry.Slot
        let field: RecordSchema.Field
    }

    /// A column whose type changes.
    struct Target {
        let table: String
        let column: String
        /// All that fill it; their fields have one type.
        var sources: [Source]
        var now: RecordSchema.Field { sources[0].field }
        var before: RecordSchema.Field { sources[0].slot.schemaField }
        /// What the column is called until it takes the place of the other one.
        var interim: String { "_sluice_\(column)" }
    }

    static let pace = 500
    let connection: Connection
    let conversion: FieldConversion
    var registry: EntityRegistry { EntityRegistry(connection: connection) }

    /// Does it for all that a pipeline fills.
    ///
    /// - Parameter schemas: What the pipeline fills.
    /// - Returns: What was done.
    /// - Throws: ``StoreError`` where something would be lost, with the first of these values, and `SQLiteError`.
    func perform(_ schemas: [RecordSchema]) throws -> [SchemaChange] {
        guard try StoreFormat.hasHistory(connection) else { return [] }
        var changes: [SchemaChange] = []
        for target in try targets(schemas) {
            // A trigger has no business with what follows, and an index of the old column could not stay.
            let objects = try takeDown(target)
            let rows = try fill(target)
            for source in target.sources { try convertBase(source, of: target) }
            try replace(target, objects)
            for source in target.sources { try convertRecords(source) }
            var change = SchemaChange(table: target.table, kind: .changeType, sql: words(target))
            change.rows = rows
            changes.append(change)
        }
        return changes
    }

    // MARK: What changes

    private func targets(_ schemas: [RecordSchema]) throws -> [Target] {
        var found: [Target] = []
        for schema in schemas {
            let mapping = EntityRegistry.name(schema.source)
            guard let tables = try registry.tables(of: mapping),
                tables.table.lowercased() == schema.table.lowercased(), try isStrict(tables.table)
            else { continue }
            let slots = try registry.slots(of: mapping)
            if slots.allSatisfy({ slot in schema.fields.allSatisfy { $0.name != slot.field || $0.type == slot.type } })
            {
                continue
            }
            let referring = Set(schema.references.flatMap(\.fields))
            let columns = try SQLiteSchemaPlanner(connection: connection, schema: schema).existingColumns()
            for index in schema.columnFields where !referring.contains(index) && !schema.keyFields.contains(index) {
                let field = schema.fields[index]
                guard let slot = slots.first(where: { $0.field == field.name }), slot.type != field.type,
                    slot.keyPosition == nil, slot.redaction == nil, field.redaction == nil,
                    let column = columns.first(where: { $0.name.lowercased() == field.column.lowercased() }),
                    slot.column.lowercased() == field.column.lowercased(), !column.isGenerated,
                    column.keyPosition == 0, !column.fits(field.type, isKey: false)
                else { continue }
                let source = Source(mapping: schema.source, base: tables.base, slot: slot, field: field)
                if let known = found.firstIndex(where: { ($0.table, $0.column) == (schema.table, column.name) }) {
                    found[known].sources.append(source)
                } else {
                    found.append(Target(table: schema.table, column: column.name, sources: [source]))
                }
            }
        }
        return try found.filter(isWhole)
    }

    private func isStrict(_ table: String) throws(SQLiteError) -> Bool {
        try connection.integer(
            """
            SELECT strict AND NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE
            """, [SQLiteValue(table)]) == 1
    }

    /// Whether all that fill a column want the same type for it, and no foreign key leads from it.
    private func isWhole(_ target: Target) throws -> Bool {
        let ours = Set(target.sources.map(\.mapping))
        let types = Set(target.sources.flatMap { [$0.field.type, $0.slot.type] })
        if types.count != 2 || Set(target.sources.map(\.field.type)).count != 1 { return false }
        for other in try registry.sources(of: target.table) where !ours.contains(other) {
            let slots = try registry.slots(of: EntityRegistry.name(other))
            if slots.contains(where: { !$0.isRetired && $0.column.lowercased() == target.column.lowercased() }) {
                return false
            }
        }
        return try connection.integer(
            "SELECT count(*) FROM pragma_foreign_key_list(?1) WHERE \"from\" = ?2 COLLATE NOCASE",
            [SQLiteValue(target.table), SQLiteValue(target.column)]) == 0
    }

    // MARK: Rows

    /// Makes the new column beside the old one, and fills it.
    ///
    /// - Returns: How many rows have a value.
    private func fill(_ target: Target) throws -> Int {
        let (table, old, new) = (
            SQLName.quoted(target.table), SQLName.quoted(target.column), SQLName.quoted(target.interim)
        )
        try connection.execute("ALTER TABLE \(table) ADD COLUMN \(new) \(target.now.type.sqliteType)")
        let row = try rowName(target.table)
        let keys = try registry.slots(of: EntityRegistry.name(target.sources[0].mapping))
            .filter { $0.keyPosition != nil }.sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
        let names = ([row] + [old] + keys.map { SQLName.quoted($0.column) }).joined(separator: ", ")
        let update = try connection.prepare("UPDATE \(table) SET \(new) = ?1 WHERE \(row) = ?2")
        var lost = LostValues()
        var count = 0
        var last = SQLiteValue.integer(.min)
        while true {
            let rows = try connection.rows(
                "SELECT \(names) FROM \(table) WHERE \(row) > ?1 AND \(old) IS NOT NULL ORDER BY \(row) LIMIT \(Self.pace)",
                [last])
            for found in rows {
                count += 1
                if let value = conversion.value(FieldValue(found[1]), target.before, target.now) {
                    try update.run([value.sqliteValue, found[0]])
                } else {
                    let key = zip(keys, found.dropFirst(2)).map {
                        "\(FieldJSON.quoted($0.field)):\(FieldJSON.text(FieldValue($1), type: $0.type))"
                    }
                    lost.note(FieldJSON.text(FieldValue(found[1]), type: target.before.type), of: key)
                }
            }
            guard let next = rows.last, rows.count == Self.pace else { break }
            last = next[0]
        }
        if lost.count > 0 { throw refusal(target, lost, of: count, entity: target.sources[0].mapping.entity) }
        return count
    }

    /// Values that cannot pass without loss.
    private struct LostValues {
        private(set) var count = 0
        private(set) var first: [String] = []

        mutating func note(_ value: String, of key: [String]) {
            count += 1
            let short = value.count > 40 ? value.prefix(40) + "…" : value[...]
            if first.count < 5 { first.append("\(short) in {\(key.joined(separator: ","))}") }
        }
    }

    private func refusal(_ target: Target, _ lost: LostValues, of count: Int, entity: String) -> StoreError {
        let name = target.now.name
        let more = lost.count > lost.first.count ? " and \(lost.count - lost.first.count) more" : ""
        return StoreError(
            .mismatch,
            "`\(name)` of `\(entity)` is now \(target.now.type.rawValue), and \(lost.count) of the \(count) values of the column `\(target.column)` of `\(target.table)`, which is \(target.before.type.rawValue), cannot become one without loss: \(lost.first.joined(separator: ", "))\(more). Correct them in the table, or put `type` of `\(name)` back and add a field of the new type beside it, such as `\(name)_2: {from: \(name), type: \(target.now.type.rawValue)}`."
        )
    }

    /// A name for the number of a row that no column has.
    private func rowName(_ table: String) throws -> String {
        let columns = try registry.columns(of: table)
        guard let name = ["rowid", "_rowid_", "oid"].first(where: { !columns.contains($0) }) else {
            throw StoreError(
                .mismatch,
                "The table `\(table)` has columns of the names rowid, _rowid_ and oid, so the types of its columns cannot change."
            )
        }
        return name
    }

    // MARK: The column

    /// Something of the schema that goes for a while: its type, its name and the statement that makes it.
    private typealias SchemaObject = [String]

    /// Takes away the indexes of the table, and all triggers and views.
    private func takeDown(_ target: Target) throws -> [SchemaObject] {
        let objects = try connection.rows(
            """
            SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND (type IN ('trigger', 'view')
            OR type = 'index' AND tbl_name = ?1 COLLATE NOCASE) ORDER BY type = 'index' DESC, type = 'view' DESC, rowid
            """, [SQLiteValue(target.table)]
        ).map { $0.map { EntityRegistry.text($0) } }
        for object in objects.reversed() { try connection.execute("DROP \(object[0]) \(SQLName.quoted(object[1]))") }
        return objects
    }

    /// What is done to a column, with the clauses of the statements.
    private func words(_ target: Target) -> String {
        "\(SQLName.quoted(target.column)) from \(target.before.type.sqliteType) to \(target.now.type.sqliteType) (ADD COLUMN, UPDATE, DROP COLUMN, RENAME COLUMN)"
    }

    /// Has the new column take the place of the old one, and puts back what was taken away.
    private func replace(_ target: Target, _ objects: [SchemaObject]) throws {
        let (table, old, new) = (
            SQLName.quoted(target.table), SQLName.quoted(target.column), SQLName.quoted(target.interim)
        )
        let statements = [
            "ALTER TABLE \(table) DROP COLUMN \(old)", "ALTER TABLE \(table) RENAME COLUMN \(new) TO \(old)",
        ]
        do throws(SQLiteError) {
            for statement in statements { try connection.execute(statement) }
            for object in objects { try connection.execute(object[2]) }
        } catch {
            throw StoreError(
                .mismatch,
                "The type of the column `\(target.column)` of `\(target.table)` cannot change to \(target.now.type.sqliteType): \(error.message). Nothing was written. Put `type` of `\(target.now.name)` back, or remove what stands against it."
            )
        }
    }
}
