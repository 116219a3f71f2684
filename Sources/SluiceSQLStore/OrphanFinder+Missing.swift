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
            let isFitting = others.contains { database.fits($0, slot.type, isKey: false) }
            // It may have got another type as well.
            let fitting = isFitting ? others.filter { database.fits($0, slot.type, isKey: false) } : others
            let place: Place = (slot, EntityRegistry.name(source), tables.base, tables.table)
            let hits = try hits(fitting.map(\.name), of: place, isSame)
            let most = hits.map(\.same).max() ?? 0
            var names = zip(fitting, hits).filter { $1.same == most }.map { $0.0.name }
            // Where nothing tells, it is none that is empty, nor one that others fill.
            if most == 0 {
                names = try zip(fitting, hits).filter { $1.filled > 0 }.map { $0.0.name }
                    .filter { try !isFilledByOthers($0, of: tables.table, besides: source) }
            }
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
            names = try tablesLike(slots, of: source, base: tables.base, schemas)
        } else {
            // What says so goes on with it, see `SchemaPlanner.followNames`.
            let isSaid =
                schema.formerly.table?.lowercased() == tables.table.lowercased() || source.entity != schema.entity
            names = try isSaid || database.columnNames(of: schema.table).isEmpty ? [] : [schema.table]
        }
        if names.isEmpty { return nil }
        return Orphan(subject: .missingTable(now: names), source: source, table: tables.table, isEdited: true)
    }

    /// A table that is gone since the file of another pipeline, which fills it too, had it renamed; nil where it is no such one.
    func renamedByOthers(
        _ tables: (base: String, table: String), _ source: RecordMapping, _ schema: RecordSchema
    ) throws -> Orphan? {
        let isSaid = schema.formerly.table.map { ColumnName.areSame($0, tables.table) } ?? false
        if isSaid || source.entity != schema.entity || ColumnName.areSame(tables.table, schema.table) { return nil }
        guard try database.columnNames(of: schema.table).isEmpty,
            try registry.sources(of: tables.table).contains(where: { $0.pipeline != source.pipeline })
        else { return nil }
        return Orphan(
            subject: .missingTable(now: [tables.table]), source: source, table: schema.table, isEdited: true)
    }

    /// Tables that no pipeline fills and that have records of a source: its key, something else of it, and rows of its records; those with
    /// most of them.
    private func tablesLike(
        _ slots: [EntityRegistry.Slot], of source: RecordMapping, base: String, _ schemas: [RecordSchema]
    ) throws -> [String] {
        let mapping = EntityRegistry.name(source)
        let links = try registry.links(of: mapping)
        let keys = slots.filter { $0.keyPosition != nil }
        let others = slots.filter { $0.keyPosition == nil && !links.contains($0.field) }
        let own = Set(schemas.map { $0.table.lowercased() })
        var found: [(name: String, count: Int)] = []
        for name in try database.tableNames() {
            if try own.contains(name.lowercased()) || registry.knows(table: name) { continue }
            let columns = try database.columns(of: name)
            func column(_ slot: EntityRegistry.Slot) -> SQLColumn? {
                columns.first { ColumnName.areSame($0.name, slot.column) }
            }
            let hasKey = keys.allSatisfy { slot in
                column(slot).map { database.fits($0, slot.type, isKey: true) } ?? false
            }
            if !hasKey || !others.isEmpty && !others.contains(where: { column($0) != nil }) { continue }
            let rows = try database.integer(
                """
                SELECT count(*) FROM (SELECT 1 FROM \(join(mapping, (base, name), "JOIN"))
                WHERE b.state = 0 LIMIT \(Self.comparedRows)) AS r
                """)
            if let rows, rows > 0 { found.append((name, Int(rows))) }
        }
        let most = found.map(\.count).max()
        return found.filter { $0.count == most }.map(\.name)
    }

    /// A table of links that is missing, with those that it may be called now; nil where there is none.
    func missingLinks(
        _ slot: EntityRegistry.Slot, of source: RecordMapping, _ table: String, _ schema: RecordSchema
    ) throws -> Orphan? {
        guard let link = try registry.link(slot.field, of: EntityRegistry.name(source)),
            schema.references.contains(where: { ColumnName.areSame($0.link?.table ?? "", link.table) }),
            try database.columnNames(of: link.table).isEmpty
        else { return nil }
        let needed = Set(link.targetColumns.map { $0.lowercased() })
        let names = try database.tableNames().filter { name in
            if try registry.knows(table: name) { return false }
            let columns = try database.columnNames(of: name)
            return needed.isSubset(of: columns) && columns.count == link.ownerColumns.count + needed.count
        }
        return names.isEmpty
            ? nil
            : Orphan(
                subject: .missingLinks(slot.field, table: link.table, now: names), source: source, table: table,
                isEdited: true)
    }

    /// In how many rows each of some columns holds what a source said for a field, and in how many it holds anything.
    private func hits(
        _ columns: [String], of place: Place, _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [(same: Int, filled: Int)] {
        var hits = [(same: Int, filled: Int)](repeating: (0, 0), count: columns.count)
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
                hits[index].filled += 1
                if try isSame(value, entries[place.slot.number], place.slot.schemaField) { hits[index].same += 1 }
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
