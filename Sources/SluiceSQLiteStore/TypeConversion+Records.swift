internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// What is kept beside rows whose column changes its type: what sources said, conflicts and the history.
extension TypeConversion {
    /// Has the base of a source say in the new type what it said. What it kept as a digest alone is known where the row
    /// still has that value.
    func convertBase(_ source: Source, of target: Target) throws {
        let slots = try registry.slots(of: EntityRegistry.name(source.mapping))
        let keys = slots.filter { $0.keyPosition != nil }.sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
        let names = keys.map { SQLName.quoted(TableLayout.baseColumn(for: $0.column)) }
        let (base, table) = (SQLName.quoted(source.base), SQLName.quoted(target.table))
        let select = try connection.prepare(
            "SELECT \(SQLName.quoted(target.column)) FROM \(table) WHERE \(match(keys.map { SQLName.quoted($0.column) }, from: 1))"
        )
        let update = try connection.prepare(
            "UPDATE \(base) SET fields = ?1 WHERE \(match(names, from: 2))")
        let list = names.joined(separator: ", ")
        var last: [SQLiteValue] = []
        while true {
            let parameters = (1...keys.count).map { "?\($0)" }.joined(separator: ", ")
            let after = last.isEmpty ? "" : "WHERE (\(list)) > (\(parameters)) "
            let rows = try connection.rows(
                "SELECT \(list), fields FROM \(base) \(after)ORDER BY \(list) LIMIT \(Self.pace)", last)
            for row in rows {
                let key = Array(row.prefix(keys.count))
                guard case .blob(let blob) = row[keys.count],
                    var entries = BaseCoding.decode(blob, slotCount: source.slot.number + 1)
                else { continue }
                let before = entries[source.slot.number]
                entries[source.slot.number] = try converted(before, source) { try Self.value(of: select, key) }
                if entries[source.slot.number] != before {
                    try update.run([.blob(BaseCoding.encode(entries))] + key)
                }
            }
            guard let next = rows.last, rows.count == Self.pace else { break }
            last = Array(next.prefix(keys.count))
        }
    }

    private func converted(_ entry: BaseEntry, _ source: Source, local: () throws -> FieldValue?) throws -> BaseEntry {
        let before = source.slot.schemaField
        switch entry {
        case .none, .null: return entry
        case .value(let value):
            return conversion.value(value, before, source.field).map { conversion.entry($0, source.field) } ?? .none
        case .digest:
            guard let value = try local(), conversion.isSame(value, entry, before),
                let now = conversion.value(value, before, source.field)
            else { return .none }
            return conversion.entry(now, source.field)
        }
    }

    /// The value of a row's column; nil where there is no such row.
    private static func value(of select: Statement, _ key: [SQLiteValue]) throws(SQLiteError) -> FieldValue? {
        for (index, value) in key.enumerated() { select.bind(value, at: index + 1) }
        defer { select.reset() }
        return try select.step() ? FieldValue(select.value(0)) : nil
    }

    private func match(_ names: [String], from first: Int) -> String {
        names.enumerated().map { "\($1) = ?\($0 + first)" }.joined(separator: " AND ")
    }

    /// Notes the new type of a source's field, has its conflicts and the history of its values speak of it, and has all
    /// of its records looked at again.
    func convertRecords(_ source: Source) throws {
        var slot = source.slot
        slot.type = source.field.type
        try registry.note(slot, of: EntityRegistry.name(source.mapping))
        let named = [
            SQLiteValue(source.mapping.pipeline), SQLiteValue(source.mapping.stream),
            SQLiteValue(source.mapping.entity), SQLiteValue(slot.field),
        ]
        let condition = "pipeline = ?1 AND stream = ?2 AND entity = ?3 AND field = ?4"
        for row in try connection.rows(
            "SELECT id, base, local, remote FROM _sluice_conflicts WHERE status = 'open' AND \(condition)", named)
        {
            try connection.run(
                "UPDATE _sluice_conflicts SET base = ?2, local = ?3, remote = ?4 WHERE id = ?1",
                [row[0]] + row.dropFirst().map { side($0, source) })
        }
        for row in try connection.rows(
            "SELECT id, old, new FROM _sluice_changes WHERE kind = 'field' AND \(condition)", named)
        {
            let values = row.dropFirst().map { value in
                conversion.value(FieldValue(value), source.slot.schemaField, source.field)?.sqliteValue ?? value
            }
            try connection.run("UPDATE _sluice_changes SET old = ?2, new = ?3 WHERE id = ?1", [row[0]] + values)
        }
        try connection.execute("UPDATE \(SQLName.quoted(source.base)) SET row_hash = ~row_hash")
        for mapping in try registry.mappings()
        where mapping.pipeline == source.mapping.pipeline && mapping.stream == source.mapping.stream {
            guard let base = try registry.tables(of: EntityRegistry.name(mapping))?.base else { continue }
            try connection.execute("UPDATE \(SQLName.quoted(base)) SET text_hash = NULL WHERE text_hash IS NOT NULL")
        }
    }

    /// One side of a conflict in the new type; as it is where that is not possible.
    private func side(_ json: SQLiteValue, _ source: Source) -> SQLiteValue {
        guard case .text(let bytes) = json else { return json }
        return conversion.json(String(decoding: bytes, as: UTF8.self), source.slot.schemaField, source.field)
            .map { SQLiteValue($0) } ?? json
    }
}
