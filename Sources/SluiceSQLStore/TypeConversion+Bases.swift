internal import SluiceModel
internal import SluiceStore

/// What a source said last of values that are in the quarantine: it waits with a value, and comes back with it.
extension TypeConversion {
    /// The kind of the registry's entries that keep, as JSON, what a source said last of a value in the quarantine. Their
    /// names are the numbers of the quarantine's entries. One without JSON stands for what another source of the table said:
    /// what nobody said is an edit, see ``HeldEdits``.
    static let keptBase = "kept_base"

    /// What the base of a record said of a field, and cannot say in its new type.
    struct LostBase {
        /// The record's key, as the quarantine has it.
        let key: String
        let json: String
    }

    /// What a base says of a field, as JSON; nil where it says nothing, or no more than a digest of what the row holds no
    /// longer.
    func said(_ entry: BaseEntry, _ field: RecordSchema.Field, local: () throws -> FieldValue?) throws -> String? {
        switch entry {
        case .none: return nil
        case .null: return "null"
        case .value(let value): return FieldJSON.text(value, type: field.type)
        case .digest:
            guard let value = try local(), conversion.isSame(value, entry, field) else { return nil }
            return FieldJSON.text(value, type: field.type)
        }
    }

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
        return [FieldType.int, .double, .bool, .string].lazy.compactMap { type in
            before.type = type
            guard let value = conversion.parsed(json, type), FieldJSON.text(value, type: type) == json,
                let now = conversion.value(value, before, field), database.holds(now, field.type)
            else { return nil }
            return now
        }.first
    }

    /// Keeps what a base cannot say any more beside the value of its record that went to the quarantine, where one did.
    ///
    /// - Parameters:
    ///   - lost: What the base said.
    ///   - source: Its source.
    ///   - target: The column; its first source has the entries.
    ///   - before: The entries that were in the quarantine before.
    /// - Throws: What the database throws.
    func keepBases(_ lost: [LostBase], _ source: Source, of target: Target, besides before: [Int64]) throws {
        let keeper = target.sources[0]
        if lost.isEmpty { return }
        try database.monitor.begin(.quarantine, of: target.table, total: lost.count)
        for base in lost {
            try database.monitor.advance()
            let entry = try quarantine.entries(of: keeper.mapping, key: base.key).last {
                $0.isOpen && $0.changedField == keeper.field.name
            }
            guard let id = entry?.id, !before.contains(id) else { continue }
            try keepBase(base.json, source, of: target, id)
        }
    }

    /// Keeps beside an entry what a source said, of the source that has the entry; of another one, that it said the value.
    func keepBase(_ json: String, _ source: Source, of target: Target, _ id: Int64) throws {
        if source.mapping == target.sources[0].mapping {
            try registry.put(Self.keptBase, String(id), json)
        } else if try registry.entry(Self.keptBase, String(id)) == nil {
            try registry.put(Self.keptBase, String(id), "")
        }
    }

    /// Has the base of a record whose value is back say again what it said, where the source said nothing else since.
    func restoreBase(of id: Int64, _ key: [FieldValue], _ source: Source) throws {
        guard let json = try registry.entry(Self.keptBase, String(id)) else { return }
        try registry.remove(Self.keptBase, String(id))
        guard let value = held(json, source.field) else { return }
        try changeBase(key, source) { $0 == BaseEntry.none ? conversion.entry(value, source.field) : $0 }
    }

    /// Whether a source said a value in the quarantine, and something else since.
    func isReplaced(_ id: Int64, _ key: [FieldValue], _ source: Source, _ target: Target) throws -> Bool {
        guard let json = try registry.entry(Self.keptBase, String(id)) else { return false }
        let speakers = json.isEmpty ? target.sources.filter { $0.mapping != source.mapping } : [source]
        return try speakers.contains { try baseEntry(key, $0).map { $0 != .none } ?? false }
    }

    /// What the base of a record says of a field; nil where there is no base.
    private func baseEntry(_ key: [FieldValue], _ source: Source) throws -> BaseEntry? {
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
