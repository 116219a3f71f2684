package import SluiceModel
package import SluiceStore

/// Gives columns the types that their fields have now, with all that they hold.
///
/// It does so for columns of tables that are as this program makes them, and that one pipeline alone
/// fills. Keys, references and what is redacted keep their types: the next step refuses them, as it does all others.
package struct TypeConversion {
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
    let database: any SQLDatabase
    let conversion: FieldConversion
    var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Prepares it for a store.
    package init(database: any SQLDatabase, conversion: FieldConversion) {
        (self.database, self.conversion) = (database, conversion)
    }

    /// Does it for all that a pipeline fills.
    ///
    /// - Parameter schemas: What the pipeline fills.
    /// - Returns: What was done.
    /// - Throws: ``StoreError`` where something would be lost, with the first of these values, and what the database throws.
    package func perform(_ schemas: [RecordSchema]) throws -> [SchemaChange] {
        guard try database.hasHistory() else { return [] }
        var changes: [SchemaChange] = []
        for target in try targets(schemas) {
            // A trigger has no business with what follows, and an index of the old column could not stay.
            let objects = try database.takeDown(target.column, of: target.table)
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
                tables.table.lowercased() == schema.table.lowercased(), try database.isOurs(tables.table)
            else { continue }
            let slots = try registry.slots(of: mapping)
            if slots.allSatisfy({ slot in schema.fields.allSatisfy { $0.name != slot.field || $0.type == slot.type } })
            {
                continue
            }
            let referring = Set(schema.references.flatMap(\.fields))
            let columns = try database.columns(of: schema.table)
            for index in schema.columnFields where !referring.contains(index) && !schema.keyFields.contains(index) {
                let field = schema.fields[index]
                guard let slot = slots.first(where: { $0.field == field.name }), slot.type != field.type,
                    slot.keyPosition == nil, slot.redaction == nil, field.redaction == nil,
                    let column = columns.first(where: { $0.name.lowercased() == field.column.lowercased() }),
                    slot.column.lowercased() == field.column.lowercased(), !column.isGenerated,
                    column.keyPosition == 0, !database.fits(column, field.type, isKey: false)
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
        return try !database.foreignKeys(of: target.table).contains { key in
            key.columns.contains { ColumnName.areSame($0, target.column) }
        }
    }

    // MARK: Rows

    /// Makes the new column beside the old one, and fills it.
    ///
    /// - Returns: How many rows have a value.
    private func fill(_ target: Target) throws -> Int {
        let (table, old, new) = (
            database.table(target.table), SQLText.quoted(target.column), SQLText.quoted(target.interim)
        )
        try database.execute("ALTER TABLE \(table) ADD COLUMN \(new) \(database.columnType(target.now.type))")
        let keys = try registry.keySlots(of: EntityRegistry.name(target.sources[0].mapping))
        let names = SQLText.list(keys.map(\.column))
        let update = "UPDATE \(table) SET \(new) = ?1 WHERE \(SQLText.match(keys.map(\.column), from: 2))"
        var lost = LostValues()
        var count = 0
        var last: [FieldValue] = []
        while true {
            let after = last.isEmpty ? "" : "(\(names)) > (\(SQLText.parameters(keys.count))) AND "
            let rows = try database.rows(
                "SELECT \(old), \(names) FROM \(table) WHERE \(after)\(old) IS NOT NULL ORDER BY \(names) LIMIT \(Self.pace)",
                last)
            for found in rows {
                count += 1
                let key = Array(found.dropFirst())
                if let value = conversion.value(found[0], target.before, target.now),
                    database.holds(value, target.now.type)
                {
                    try database.run(update, [value] + key)
                } else {
                    let key = zip(keys, key).map {
                        "\(FieldJSON.quoted($0.field)):\(FieldJSON.text($1, type: $0.type))"
                    }
                    lost.note(FieldJSON.text(found[0], type: target.before.type), of: key)
                }
            }
            guard let next = rows.last, rows.count == Self.pace else { break }
            last = Array(next.dropFirst())
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

    // MARK: The column

    /// What is done to a column, with the clauses of the statements.
    private func words(_ target: Target) -> String {
        "\(SQLText.quoted(target.column)) from \(database.columnType(target.before.type)) to \(database.columnType(target.now.type)) (ADD COLUMN, UPDATE, DROP COLUMN, RENAME COLUMN)"
    }

    /// Has the new column take the place of the old one, and puts back what was taken away.
    private func replace(_ target: Target, _ objects: [String]) throws {
        let (table, old, new) = (
            database.table(target.table), SQLText.quoted(target.column), SQLText.quoted(target.interim)
        )
        let statements = [
            "ALTER TABLE \(table) DROP COLUMN \(old)", "ALTER TABLE \(table) RENAME COLUMN \(new) TO \(old)",
        ]
        if let reason = try database.failure({ for sql in statements + objects { try database.execute(sql) } }) {
            throw StoreError(
                .mismatch,
                "The type of the column `\(target.column)` of `\(target.table)` cannot change to \(database.columnType(target.now.type)): \(reason). Nothing was written. Put `type` of `\(target.now.name)` back, or remove what stands against it."
            )
        }
    }
}
