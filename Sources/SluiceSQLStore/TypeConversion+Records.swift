internal import SluiceJSON
internal import SluiceModel
internal import SluiceStore

/// What is kept beside rows whose column changes its type: what sources said, conflicts and the history.
extension TypeConversion {
    /// Has the base of a source say in the new type what it said. What it kept as a digest alone is known where the row
    /// still has that value.
    ///
    /// What cannot be said in the new type it says as before: an edit stays one, also where it went to the quarantine and
    /// when the type of before is back. Where nobody edited the row, it says what waits, so that the next value is taken.
    ///
    /// - Returns: The values of rows that cannot pass and that bases say.
    /// - Throws: What the database throws.
    func convertBase(_ source: Source, of target: Target) throws -> [LostBase] {
        var lost: [LostBase] = []
        let keys = try registry.keySlots(of: EntityRegistry.name(source.mapping))
        let keepers = try registry.keySlots(of: EntityRegistry.name(target.sources[0].mapping))
        let names = keys.map { TableLayout.baseColumn(for: $0.column) }
        let base = database.table(source.base)
        let select =
            "SELECT \(SQLText.quoted(target.column)) FROM \(database.table(target.table)) WHERE \(SQLText.match(keys.map(\.column)))"
        let update = "UPDATE \(base) SET fields = ?1 WHERE \(SQLText.match(names, from: 2))"
        let list = SQLText.list(names)
        var last: [FieldValue] = []
        try database.monitor.begin(.bases, of: target.table, total: database.count(of: source.base))
        while true {
            let after = last.isEmpty ? "" : "WHERE (\(list)) > (\(SQLText.parameters(keys.count))) "
            var updates: [[FieldValue]] = []
            let rows = try database.rows(
                "SELECT \(list), fields FROM \(base) \(after)ORDER BY \(list) LIMIT \(Self.pace)", last)
            for row in rows {
                let key = Array(row.prefix(keys.count))
                guard let blob = row[keys.count].bytes,
                    var entries = BaseCoding.decode(blob, slotCount: source.slot.number + 1)
                else { continue }
                let before = entries[source.slot.number]
                func local() throws -> FieldValue? { try database.rows(select, key).first?.first }
                if let now = try converted(before, source, local: local) {
                    entries[source.slot.number] = now
                } else if let held = try local(), isGone(before, held, target) {
                    let json = FieldJSON.text(held, type: target.before.type)
                    entries[source.slot.number] = waiting(json)
                    let parts = keepers.compactMap { keeper in
                        keys.firstIndex { ColumnName.areSame($0.column, keeper.column) }.map { key[$0] }
                    }
                    lost.append(LostBase(key: RefusedRows.key(keepers.map { ($0.field, $0.type) }, parts), json: json))
                } else if case .value(let value) = before {
                    // In no type, it is told what it was once another type can say it.
                    entries[source.slot.number] = waiting(FieldJSON.text(value, type: source.slot.type))
                }
                if entries[source.slot.number] != before {
                    updates.append([.blob(BaseCoding.encode(entries))] + key)
                }
            }
            try database.run(update, each: updates)
            try database.monitor.advance(by: rows.count)
            guard let next = rows.last, rows.count == Self.pace else { break }
            last = Array(next.prefix(keys.count))
        }
        return lost
    }

    /// Whether the value of a row cannot pass, and is what a base says: with it, what was said waits in the quarantine.
    func isGone(_ entry: BaseEntry, _ local: FieldValue?, _ target: Target) -> Bool {
        guard let local, !local.isNull, conversion.isSame(local, entry, target.before) else { return false }
        return conversion.value(local, target.before, target.now).map { !database.holds($0, target.now.type) } ?? true
    }

    /// An entry of a base in the new type; nil where it cannot say there what it says.
    private func converted(_ entry: BaseEntry, _ source: Source, local: () throws -> FieldValue?) throws -> BaseEntry? {
        let before = source.slot.schemaField
        switch entry {
        case .none, .null: return entry
        case .value(let value): return said(value, before, source.field).map { conversion.entry($0, source.field) }
        case .digest:
            guard let value = try local(), conversion.isSame(value, entry, before),
                let now = conversion.value(value, before, source.field)
            else { return nil }
            return conversion.entry(now, source.field)
        }
    }

    /// What a base says, in another type; nil where that is not possible. A value that an earlier type left passes as what
    /// it is.
    func said(_ value: FieldValue, _ before: RecordSchema.Field, _ now: RecordSchema.Field) -> FieldValue? {
        if let passed = conversion.value(value, before, now) { return passed }
        if conversion.value(value, before, before) == value { return nil }
        var plain = before
        plain.allowed = []
        switch value {
        case .integer: plain.type = .int
        case .real: plain.type = .double
        case .text: plain.type = .string
        case .null, .blob: return nil
        }
        return conversion.value(value, plain, now)
    }

    /// Notes the new type of a source's field, has its conflicts and the history of its values speak of it, and has all
    /// of its records looked at again.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - isNews: Whether any value of the column changed.
    /// - Throws: What the database throws.
    func convertRecords(_ source: Source, isNews: Bool) throws {
        var slot = source.slot
        (slot.type, slot.allowed) = (source.field.type, source.field.choices)
        try registry.record(slot, of: EntityRegistry.name(source.mapping))
        let isField = "field = \(SQLText.literal(slot.field))"
        try database.updateEntries(
            of: "conflicts", "field, base, local, remote", setting: ["base", "local", "remote"], source.mapping,
            "(field IS NULL OR \(isField))"
        ) { _, row in
            let before = Array(row.dropFirst())
            let sides = before.map { side($0, of: row[0].string, source) }
            return sides == before ? nil : sides
        }
        try HistoryImages(database).changeConflicts(of: source.mapping) { value, field in
            field == nil || field == slot.field ? side(value, of: field, source) : value
        }
        try database.updateEntries(
            of: "changes", "old, new", setting: ["old", "new"], source.mapping, "kind = 'field' AND \(isField)"
        ) { _, row in
            let values = row.map { database.packed(history(database.unpacked($0), source)) }
            return values == row ? nil : values
        }
        let images = HistoryImages(database)
        try database.updateEntries(
            of: "changes", "old, new, row", setting: ["old", "new", "row"], source.mapping, "kind = 'record'"
        ) { _, row in
            images.changed(row) { image in
                guard image.slots.indices.contains(slot.number), let value = image.slots[slot.number].value else {
                    return
                }
                image.slots[slot.number] =
                    said(value, slot.schemaField, source.field).map { conversion.entry($0, source.field) }
                    ?? waiting(FieldJSON.text(value, type: slot.type))
            } row: { image in
                for index in image.columns.indices where ColumnName.areSame(image.columns[index].name, slot.column) {
                    image.columns[index].value = history(image.columns[index].value, source)
                }
            }
        }
        if !isNews { return }
        try database.execute("UPDATE \(database.table(source.base)) SET row_hash = \(BaseImage.voidHash)")
        try registry.forgetTexts(ofStreamOf: source.mapping)
    }

    /// A value of the history in the new type. What cannot pass stays as it was written, in no type, until its type is back:
    /// nothing of what people wrote is lost, and a row that comes back has it, see ``RecordWrite/waiting``.
    private func history(_ value: FieldValue, _ source: Source) -> FieldValue {
        said(value, source.slot.schemaField, source.field)
            ?? FieldValue(untyped: FieldJSON.text(value, type: source.slot.type))
    }

    /// A record, or a list of records, with its value of the field in the new type; nil where that is the same.
    private func whole(_ json: String, _ source: Source) -> String? {
        guard let root = try? JSONDocument(json).root else { return nil }
        func text(_ value: JSONValue) -> String { String(decoding: value.json, as: UTF8.self) }
        func record(_ value: JSONValue) -> String {
            guard value.kind == .object, value.member(named: source.slot.field) != nil else { return text(value) }
            let members = value.members.map { member in
                let kept = text(member.value)
                let now =
                    member.name == source.slot.field
                    ? conversion.json(kept, source.slot.schemaField, source.field) ?? kept : kept
                return FieldJSON.quoted(member.name) + ":" + now
            }
            return "{" + members.joined(separator: ",") + "}"
        }
        switch root.kind {
        case .object: return record(root)
        case .array: return "[" + root.elements.map(record).joined(separator: ",") + "]"
        default: return nil
        }
    }

    /// One side of a conflict in the new type, over the field or over whole records; as it is where that is not possible.
    private func side(_ json: FieldValue, of field: String?, _ source: Source) -> FieldValue {
        guard let text = json.string else { return json }
        let now =
            field == nil ? whole(text, source) : conversion.json(text, source.slot.schemaField, source.field)
        return now.map { FieldValue($0) } ?? json
    }
}
