internal import SluiceModel
package import SluiceStore

/// How tables followed the pipeline, as the history tells it.
extension SQLChangeLedger {
    package func tableChanges(run: Int64) throws -> [SchemaChange] {
        guard try database.hasHistory() else { return [] }
        let registry = EntityRegistry(database: database)
        var changes: [SchemaChange] = []
        for entry in try schema(run: run).reversed() {
            let known = try registry.tables(of: EntityRegistry.name(entry.mapping))?.table
            let told =
                try Self.givenUp(entry, registry).map { [$0] }
                ?? self.changes(entry, of: known ?? Self.table(notedIn: entry) ?? entry.mapping.entity)
            // Several sources may fill one table.
            for change in told where !changes.contains(change) { changes.append(change) }
        }
        return changes
    }

    private func changes(_ entry: RecordedEntry, of table: String) -> [SchemaChange] {
        guard entry.kind == SchemaChange.Kind.changeKey.rawValue else {
            return Self.change(entry, of: table).map { [$0] } ?? []
        }
        guard let old = entry.old.flatMap(MappingSnapshot.init), let new = entry.new.flatMap(MappingSnapshot.init)
        else { return [] }
        if let words = Self.words(old.keyWords, new.keyWords) {
            return [SchemaChange(table: table, kind: .changeKey, sql: words)]
        }
        return new.references.compactMap { reference in
            guard let before = old.references.first(where: { $0.name == reference.name }), reference.linkTable == nil
            else { return nil }
            return words(old, before, new, reference).map {
                SchemaChange(table: table, kind: .changeReference, sql: $0)
            }
        }
    }

    /// What became of the columns of a reference, as a run tells it: ``KeyChange/words(_:_:_:)``. Nil where nothing did.
    private func words(
        _ old: MappingSnapshot, _ before: MappingSnapshot.Reference, _ new: MappingSnapshot,
        _ now: MappingSnapshot.Reference
    ) -> String? {
        let target = ", by \(SQLText.quoted(now.target))"
        if !before.columns.elementsEqual(now.columns, by: ColumnName.areSame) {
            return "\(SQLText.list(before.columns)) to \(SQLText.list(now.columns))" + target
        }
        let types = now.columns.compactMap { column -> String? in
            guard let type = new.type(of: column), let earlier = old.type(of: column), type != earlier else {
                return nil
            }
            return "\(SQLText.quoted(column)) from \(database.columnType(earlier)) to \(database.columnType(type))"
        }
        return types.isEmpty ? nil : types.joined(separator: ", ") + target
    }

    private static func change(_ entry: RecordedEntry, of table: String) -> SchemaChange? {
        switch SchemaChange.Kind(rawValue: entry.kind) {
        case .createIndex: return entry.new.map { SchemaChange(table: table, kind: .createIndex, sql: $0) }
        case .dropIndex: return entry.old.map { SchemaChange(table: table, kind: .dropIndex, sql: $0) }
        case .leaveOutObject:
            return entry.old.map { SchemaChange(table: entry.key ?? table, kind: .leaveOutObject, sql: $0) }
        case .addColumn:
            guard let column = entry.key, let type = entry.new else { return nil }
            return SchemaChange(table: table, kind: .addColumn, sql: "ADD COLUMN \(SQLText.quoted(column)) \(type)")
        case .changeType:
            guard let name = entry.field, let old = entry.old.flatMap(StoredType.init),
                let new = entry.new.flatMap(StoredType.init)
            else { return nil }
            return SchemaChange(table: table, kind: .changeType, sql: "\(SQLText.quoted(name)) \(words(old, new))")
        case .renameTable:
            return entry.old.map {
                SchemaChange(
                    table: table, kind: .renameTable,
                    sql: "RENAME \(SQLText.quoted($0)) TO \(SQLText.quoted(entry.new ?? table))")
            }
        case .renameColumn:
            guard let old = entry.old.map(parts), old.count == 2, let new = entry.new else { return nil }
            let words =
                old[1] == new
                ? "field \(SQLText.quoted(old[0])) is \(SQLText.quoted(entry.field ?? ""))"
                : "RENAME COLUMN \(SQLText.quoted(old[1])) TO \(SQLText.quoted(new))"
            return SchemaChange(table: table, kind: .renameColumn, sql: words)
        case .renameSource:
            guard let old = entry.old.map(parts), old.count == 3 else { return nil }
            let former = RecordMapping(pipeline: old[0], stream: old[1], entity: old[2])
            return SchemaChange(table: table, renaming: former, to: entry.mapping)
        case .redactValues:
            guard let column = entry.key, let said = entry.new.map(parts), said.count == 2 else { return nil }
            var change = SchemaChange(table: table, kind: .redactValues, sql: "\(column): \(said[0])")
            change.redacted = RedactedCounts(text: said[1])
            return change
        default: return nil
        }
    }

    /// The table that an entry itself names, which it has where no mapping may be there for it later.
    private static func table(notedIn entry: RecordedEntry) -> String? {
        [SchemaChange.Kind.addColumn, .redactValues].contains { $0.rawValue == entry.kind } ? entry.old : nil
    }

    /// What of a source, a field or links was given up; nil where an entry is of something else.
    private static func givenUp(_ entry: RecordedEntry, _ registry: EntityRegistry) throws -> SchemaChange? {
        guard let kind = SchemaChange.Kind(rawValue: entry.kind),
            [.forgetSource, .leaveColumn, .leaveTable].contains(kind)
        else { return nil }
        let table = entry.old ?? entry.mapping.entity
        guard let field = entry.field else {
            return entry.new == SchemaChange.Kind.leaveTable.rawValue
                ? SchemaChange(table: table, kind: .leaveTable, sql: "")
                : SchemaChange(table: table, kind: kind, sql: "\(entry.mapping.path) \(entry.mapping.entity)")
        }
        // Older versions noted the field alone.
        let place = entry.key ?? field
        return entry.new == SchemaChange.Kind.leaveTable.rawValue
            ? SchemaChange(table: place, kind: .leaveTable, sql: field)
            : SchemaChange(table: table, kind: .leaveColumn, sql: place)
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }

    /// What became of a type: `from string to int`, or of the values of an `enum`.
    private static func words(_ old: StoredType, _ new: StoredType) -> String {
        guard old.type == new.type, let before = old.allowed, let now = new.allowed else {
            return "from \(old.type.rawValue) to \(new.type.rawValue)"
        }
        return ChoiceText.words(gone: before.subtracting(now), new: now.subtracting(before))
    }

    private static func words(_ old: [String], _ new: [String]) -> String? {
        old == new ? nil : "\(old.joined(separator: ", ")) to \(new.joined(separator: ", "))"
    }
}

extension MappingSnapshot {
    /// The columns of the identifier, with their types.
    fileprivate var keyWords: [String] { keySlots.map(Self.words) }

    /// The type of the field of a column; nil where none has it.
    fileprivate func type(of column: String) -> FieldType? {
        slots.first { ColumnName.areSame($0.column, column) }?.type
    }

    private static func words(_ slot: EntityRegistry.Slot) -> String {
        "\(SQLText.quoted(slot.column)) \(slot.type.rawValue)"
    }
}
