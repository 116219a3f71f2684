internal import SluiceModel
internal import SluiceStore

/// Columns and tables that somebody renamed or dropped in the database. A run would make them anew, and no longer know what
/// people changed and deleted.
extension OrphanFinder {
    /// How many rows are looked at, at most, to see which column holds what a source said.
    private static let comparedRows = 10_000

    /// Fields whose columns are missing, with the columns that they may be called now; nothing where none may be one.
    func missing(
        _ slots: [EntityRegistry.Slot], of source: RecordMapping, _ tables: (base: String, table: String),
        _ schema: RecordSchema, _ schemas: [RecordSchema],
        _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        let columns = try database.columns(of: tables.table)
        let lost = slots.filter { slot in
            slot.keyPosition == nil && !columns.contains { ColumnName.areSame($0.name, slot.column) }
                && FieldSuccession(schema, slots).successor(of: slot).map {
                    !$0.isLink && ColumnName.areSame($0.column, slot.column)
                } ?? false
        }
        if lost.isEmpty { return [] }
        let own = schemas.filter { $0.table.lowercased() == tables.table.lowercased() }.flatMap(\.fields).map(\.column)
        let others = columns.filter { column in
            column.keyPosition == 0 && !column.isGenerated && !own.contains { ColumnName.areSame($0, column.name) }
                && !DeletionMark.columns.contains { ColumnName.areSame($0.name, column.name) }
        }
        return try lost.compactMap { slot in
            let fitting = others.filter { database.fits($0, slot.type, isKey: false) }
            let place: Place = (slot, EntityRegistry.name(source), tables.base, tables.table)
            let hits = try hits(fitting.map(\.name), of: place, isSame)
            let most = hits.max() ?? 0
            var names = zip(fitting, hits).filter { $1 == most }.map { $0.0.name }
            // Nothing tells that what others fill is meant.
            if most == 0 { names = try names.filter { try !isFilledByOthers($0, of: tables.table, besides: source) } }
            if names.isEmpty { return nil }
            return Orphan(
                subject: .missing(slot.field, column: slot.column, now: names), source: source, table: tables.table,
                isEdited: true)
        }
    }

    /// A table that is missing although its source has records, with those that it may be called now; nil where there is none.
    func missingTable(
        _ slots: [EntityRegistry.Slot], of source: RecordMapping, _ tables: (base: String, table: String),
        _ schema: RecordSchema, _ schemas: [RecordSchema]
    ) throws -> Orphan? {
        let isGiven = try database.hasRow("SELECT 1 FROM \(database.table(tables.base)) WHERE state = 0 LIMIT 1")
        if !isGiven { return nil }
        var names: [String]
        if schema.table.lowercased() == tables.table.lowercased() {
            let links = try registry.links(of: EntityRegistry.name(source))
            let needed = Set(slots.filter { !links.contains($0.field) }.map { $0.column.lowercased() })
            let own = Set(schemas.map { $0.table.lowercased() })
            names = try database.tableNames().filter { name in
                if try own.contains(name.lowercased()) || registry.knows(table: name) { return false }
                return try needed.isSubset(of: database.columnNames(of: name))
            }
        } else {
            // What says so goes on with it, see `SchemaPlanner.followNames`.
            let isSaid =
                schema.formerly.table?.lowercased() == tables.table.lowercased() || source.entity != schema.entity
            names = try isSaid || database.columnNames(of: schema.table).isEmpty ? [] : [schema.table]
        }
        if names.isEmpty { return nil }
        return Orphan(subject: .missingTable(now: names), source: source, table: tables.table, isEdited: true)
    }

    /// In how many rows each of some columns holds what a source said for a field.
    private func hits(
        _ columns: [String], of place: Place, _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Int] {
        var hits = [Int](repeating: 0, count: columns.count)
        if columns.isEmpty { return hits }
        let list = columns.map { "t.\(SQLText.quoted($0))" }.joined(separator: ", ")
        try database.each(
            """
            SELECT b.fields, \(list) FROM \(join(place.mapping, (place.base, place.table), "JOIN"))
            WHERE b.state = 0 LIMIT \(Self.comparedRows)
            """, []
        ) { row in
            guard let blob = row[0].bytes, let entries = BaseCoding.decode(blob, slotCount: place.slot.number + 1)
            else { return true }
            for (index, value) in row.dropFirst().enumerated() where !value.isNull {
                if try isSame(value, entries[place.slot.number], place.slot.schemaField) { hits[index] += 1 }
            }
            return true
        }
        return hits
    }

    /// Whether another pipeline fills a column.
    private func isFilledByOthers(
        _ column: String, of table: String, besides source: RecordMapping
    ) throws -> Bool {
        try registry.sources(of: table).contains { other in
            guard other.pipeline != source.pipeline else { return false }
            return try registry.slots(of: EntityRegistry.name(other)).contains {
                !$0.isRetired && !$0.isGivenUp && ColumnName.areSame($0.column, column)
            }
        }
    }
}
