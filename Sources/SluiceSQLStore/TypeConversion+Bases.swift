internal import SluiceModel
internal import SluiceStore

/// What a source said last of values that are in the quarantine: its base says it still, in no type, and the row counts as
/// holding it, see ``HeldEdits``.
extension TypeConversion {
    /// The kind of the registry's entries that mark values in the quarantine which a source said, with their JSON. Their names
    /// are the numbers of the quarantine's entries. What nobody said is an edit.
    static let keptBase = "kept_base"

    /// What a base of a value says that was lost, and was said by its source.
    struct LostBase {
        /// The record's key, as the quarantine has it.
        let key: String
        let json: String
    }

    /// What the base of a record says while the value of its row waits in the quarantine.
    func waiting(_ json: String) -> BaseEntry { .value(FieldValue(untyped: json)) }

    /// The value that JSON stands for in a column; nil where the column cannot hold it without loss.
    func held(_ json: String, _ field: RecordSchema.Field) -> FieldValue? {
        if json == "null" { return .null }
        guard let value = conversion.parsed(json, field.type), conversion.value(value, field, field) == value,
            database.holds(value, field.type), FieldJSON.text(value, type: field.type) == json
        else { return passed(json, field) }
        return value
    }

    /// What becomes of a value that was kept from a column of another type than this one.
    private func passed(_ json: String, _ field: RecordSchema.Field) -> FieldValue? {
        var before = field
        before.allowed = []
        return [FieldType.int, .double, .bool, .string, .json].lazy.compactMap { type in
            before.type = type
            guard let value = conversion.parsed(json, type), FieldJSON.text(value, type: type) == json,
                let now = conversion.value(value, before, field), database.holds(now, field.type)
            else { return nil }
            return now
        }.first
    }

    /// Marks the values that went to the quarantine and that a source said.
    ///
    /// - Parameters:
    ///   - lost: What bases said.
    ///   - target: The column; its first source has the entries.
    ///   - before: The entries that were in the quarantine before.
    /// - Throws: What the database throws.
    func markSaid(_ lost: [LostBase], of target: Target, besides before: [Int64]) throws {
        let keeper = target.sources[0]
        if lost.isEmpty { return }
        try database.monitor.begin(.quarantine, of: target.table, total: lost.count)
        for base in lost {
            try database.monitor.advance()
            let entry = try quarantine.entries(of: keeper.mapping, key: base.key).last {
                $0.isOpen && $0.changedField == keeper.field.name
            }
            guard let id = entry?.id, !before.contains(id) else { continue }
            try registry.put(Self.keptBase, String(id), base.json)
        }
    }

    /// Has the bases of a record whose value is back say it as its column holds it, where they said it while it waited.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - json: The same as its entry kept it.
    ///   - key: The record's key, as a source has it.
    ///   - source: That source.
    ///   - target: The column.
    /// - Throws: What the database throws.
    func restoreBases(
        _ value: FieldValue, _ json: String, _ key: [FieldValue], _ source: Source, of target: Target
    ) throws {
        for other in target.sources {
            guard let key = try self.key(key, of: source, at: other) else { continue }
            try changeBase(key, other) { entry in
                says(entry, json, other) ? conversion.entry(value, other.field) : entry
            }
        }
    }

    /// Whether a base says what an entry of the quarantine keeps, as it does while that waits, or in the type of its field.
    private func says(_ entry: BaseEntry, _ json: String, _ source: Source) -> Bool {
        let waiting = waiting(json)
        if entry == waiting { return true }
        guard let value = waiting.value, let passed = said(value, source.slot.schemaField, source.field) else {
            return false
        }
        return entry == conversion.entry(passed, source.field)
    }

    /// A record's key as another source of the same table has it; nil where that knows its records by other columns.
    private func key(_ key: [FieldValue], of source: Source, at other: Source) throws -> [FieldValue]? {
        if source.mapping == other.mapping { return key }
        let (own, wanted) = (try keyColumns(source), try keyColumns(other))
        let found = wanted.compactMap { column in
            own.firstIndex { ColumnName.areSame($0, column) }.map { key[$0] }
        }
        return found.count == key.count ? found : nil
    }

    /// Whether a source said a value in the quarantine, and all of them something else since.
    func isReplaced(_ id: Int64, _ json: String, _ key: [FieldValue], _ source: Source, _ target: Target) throws -> Bool
    {
        if try registry.entry(Self.keptBase, String(id)) == nil { return false }
        return try !target.sources.contains { other in
            guard let key = try self.key(key, of: source, at: other), let entry = try baseEntry(key, other) else {
                return false
            }
            return says(entry, json, other)
        }
    }

    /// What the base of a record says of a field; nil where there is no base.
    func baseEntry(_ key: [FieldValue], _ source: Source) throws -> BaseEntry? {
        let names = try registry.keySlots(of: EntityRegistry.name(source.mapping)).map {
            TableLayout.baseColumn(for: $0.column)
        }
        let blob = try database.rows(
            "SELECT fields FROM \(database.table(source.base)) WHERE \(SQLText.match(names))", key
        ).first?.first?.bytes
        guard let blob, let entries = BaseCoding.decode(blob, slotCount: source.slot.number + 1) else { return nil }
        return entries[source.slot.number]
    }

    /// Changes what the base of a record says of a field, and has the record looked at again.
    func changeBase(_ key: [FieldValue], _ source: Source, _ change: (BaseEntry) throws -> BaseEntry) throws {
        let keys = try registry.keySlots(of: EntityRegistry.name(source.mapping))
        let names = keys.map { TableLayout.baseColumn(for: $0.column) }
        let base = database.table(source.base)
        guard
            let blob = try database.rows(
                "SELECT fields FROM \(base) WHERE \(SQLText.match(names))", key
            ).first?.first?.bytes,
            var entries = BaseCoding.decode(blob, slotCount: source.slot.number + 1)
        else { return }
        entries[source.slot.number] = try change(entries[source.slot.number])
        try database.run(
            "UPDATE \(base) SET fields = ?1, row_hash = \(BaseImage.voidHash) WHERE \(SQLText.match(names, from: 2))",
            [.blob(BaseCoding.encode(entries))] + key)
    }
}
