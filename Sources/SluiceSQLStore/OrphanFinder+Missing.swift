package import SluiceModel
package import SluiceStore

/// Columns and tables that somebody renamed, moved or dropped in the database. A run would make them anew, and no longer know what
/// people changed and deleted; so they are missing wherever something is there that they may be, whether or not it can be told which.
extension OrphanFinder {
    /// How many rows are looked at, at most, to see which column holds what a source said.
    private static let comparedRows = 10_000

    /// Tables and columns that are missing and that no stream fills, since records only refer to them.
    package func missing(
        of targets: [RecordSchema], among schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        if try targets.isEmpty || !database.hasTables() { return [] }
        return try targets.flatMap { target -> [Orphan] in
            let mapping = EntityRegistry.name(target.source)
            guard let tables = try registry.tables(of: mapping), ColumnName.areSame(tables.table, target.table) else {
                return []
            }
            let slots = try registry.slots(of: mapping).filter { !$0.isRetired && !$0.isGivenUp }
            let all = schemas + targets
            if try database.object(tables.table) != .view, try !database.columnNames(of: tables.table).isEmpty {
                return try missing(slots, of: target.source, tables, target, all, isSame)
            }
            return try [missingTable(slots, of: target.source, tables, target, all, isEmptied: false)]
                .compactMap { $0 }
        }
    }

    /// Fields whose columns are missing, with the columns that they may be called now.
    func missing(
        _ slots: [EntityRegistry.Slot], of source: RecordMapping, _ tables: (base: String, table: String),
        _ schema: RecordSchema, _ schemas: [RecordSchema],
        _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        let columns = try database.columns(of: tables.table)
        func isThere(_ column: String) -> Bool { columns.contains { ColumnName.areSame($0.name, column) } }
        let succession = FieldSuccession(schema, slots)
        let gone = slots.filter { $0.keyPosition == nil && !$0.isLink && !isThere($0.column) }
        // Where the file names another column that is there, the field goes on with that.
        let lost = gone.filter { slot in
            succession.successor(of: slot).map { !$0.isLink && !isThere($0.column) } ?? false
        }
        let left = gone.filter { succession.successor(of: $0) == nil }
        // Without a column of the key no row is known, which is told when the table is compared.
        let hasKey = slots.allSatisfy { $0.keyPosition == nil || isThere($0.column) }
        if try (lost.isEmpty && left.isEmpty) || !hasKey || !hasRecords(tables) { return [] }
        let heirs = schema.fields.indices.filter { index in
            let field = schema.fields[index]
            return !field.isLink && !schema.keyFields.contains(index) && succession.slot(of: field) == nil
        }.map { schema.fields[$0] }
        // What other fields of the pipeline fill already is no column of before under a new name.
        let others = try columns.filter { column in
            try heirs.contains { ColumnName.areSame($0.column, column.name) } && !column.isGenerated
                && registry.filler(of: column.name, in: tables.table, besides: source.pipeline) == nil
        }
        let renamed = try left.compactMap { slot -> Orphan? in
            let names = try columnsNow(of: slot, among: others, source, tables, byValuesAlone: true, isSame)
            let fields = heirs.filter { heir in names.contains { ColumnName.areSame($0, heir.column) } }.map(\.name)
            if fields.isEmpty { return nil }
            return Orphan(
                subject: .unsaid(slot.field, column: slot.column, now: fields), source: source, table: tables.table,
                isEdited: true)
        }
        return try renamed + missing(lost, among: columns, of: source, tables, schemas, isSame)
    }

    /// Fields that come back and whose columns, or tables of links, somebody renamed meanwhile, as far as values tell, or that are back with
    /// another table of links while theirs is there.
    func lostWhileOut(
        _ back: [EntityRegistry.Slot], of source: RecordMapping, _ tables: (base: String, table: String),
        _ schema: RecordSchema, _ schemas: [RecordSchema],
        _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        if back.isEmpty { return [] }
        let columns = try database.columns(of: tables.table)
        func isThere(_ column: String) -> Bool { columns.contains { ColumnName.areSame($0.name, column) } }
        let own = schemas.filter { ColumnName.areSame($0.table, tables.table) }.flatMap(\.fields).map(\.column)
        let others = columns.filter { column in
            column.keyPosition == 0 && !column.isGenerated && !own.contains { ColumnName.areSame($0, column.name) }
        }
        return try back.compactMap { slot in
            if slot.isLink {
                let field = schema.fields.first { $0.name == slot.field }
                if field?.isLink == true { return try movedLinks(slot, back, of: source, schema, schemas) }
                guard let link = try registry.link(slot.field, of: EntityRegistry.name(source)),
                    try hasEditedLinks((slot, EntityRegistry.name(source), tables.base, tables.table), isSame)
                else { return nil }
                return Orphan(
                    subject: .links(slot.field, table: link.table), source: source, table: tables.table, isEdited: true)
            }
            guard let field = schema.fields.first(where: { $0.name == slot.field }), !isThere(slot.column),
                !isThere(field.column)
            else { return nil }
            let names = try columnsNow(of: slot, among: others, source, tables, byValuesAlone: true, isSame)
            if names.isEmpty { return nil }
            return Orphan(
                subject: .missing(slot.field, column: slot.column, now: names), source: source, table: tables.table,
                isEdited: true)
        }
    }

    /// Fields that the pipeline has still and whose columns are missing.
    private func missing(
        _ lost: [EntityRegistry.Slot], among columns: [SQLColumn], of source: RecordMapping,
        _ tables: (base: String, table: String), _ schemas: [RecordSchema],
        _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        let own = schemas.filter { $0.table.lowercased() == tables.table.lowercased() }.flatMap(\.fields).map(\.column)
        let others = columns.filter { column in
            column.keyPosition == 0 && !column.isGenerated && !own.contains { ColumnName.areSame($0, column.name) }
                && !DeletionMark.columns.contains { ColumnName.areSame($0.name, column.name) }
        }
        // Where no other column is there, it was dropped.
        if others.isEmpty { return [] }
        return try lost.map { slot in
            let names = try columnsNow(of: slot, among: others, source, tables, isSame)
            return Orphan(
                subject: .missing(slot.field, column: slot.column, now: names), source: source, table: tables.table,
                isEdited: true)
        }
    }

    /// The columns that a column which is missing may be called now: those that hold most of what its source said.
    private func columnsNow(
        of slot: EntityRegistry.Slot, among others: [SQLColumn], _ source: RecordMapping,
        _ tables: (base: String, table: String), byValuesAlone: Bool = false,
        _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [String] {
        let ofType = others.filter { database.fits($0, slot.type, isKey: false) }
        // It may have got another type as well.
        let fitting = ofType.isEmpty && !byValuesAlone ? others : ofType
        let place: Place = (slot, EntityRegistry.name(source), tables.base, tables.table)
        let hits = try hits(fitting.map(\.name), of: place, isSame)
        let most = hits.map(\.same).max() ?? 0
        if byValuesAlone {
            // A column that is renamed keeps its type, and most of its values: a few equal ones may be there by chance.
            return zip(fitting, hits).filter { $1.same > 0 && $1.same == most && $1.same * 2 >= $1.filled }.map {
                $0.0.name
            }
        }
        if most > 0 { return zip(fitting, hits).filter { $1.same == most }.map { $0.0.name } }
        // Where nothing tells, it is none that is empty, nor one that others fill.
        return try zip(fitting, hits).filter { $1.filled > 0 }.map { $0.0.name }
            .filter { try registry.filler(of: $0, in: tables.table, besides: source.pipeline) == nil }
    }

    /// A table that is missing, or has no row, although its source has records, with those that it may be called now; nil where it is
    /// there, or the pipeline says where it is.
    func missingTable(
        _ slots: [EntityRegistry.Slot], of source: RecordMapping, _ tables: (base: String, table: String),
        _ schema: RecordSchema, _ schemas: [RecordSchema], isEmptied: Bool
    ) throws -> Orphan? {
        if try isEmptied && registry.isKnown(emptied: tables.table, of: EntityRegistry.name(source)) { return nil }
        if try !hasRecords(tables) { return nil }
        var names: [String]
        if !ColumnName.areSame(schema.table, tables.table), try !database.columnNames(of: schema.table).isEmpty {
            // What says so goes on with it, see `SchemaPlanner.followNames`.
            let isSaid =
                schema.formerly.table.map { ColumnName.areSame($0, tables.table) } ?? false
                || source.entity != schema.entity
            if isSaid { return nil }
            names = [schema.table]
        } else {
            names = try tablesLike(slots, of: source, tables, schemas)
            // People may have deleted all rows, and dropped a table where no other one is there.
            if names.isEmpty, try isEmptied || !hasOtherTables(schemas) { return nil }
        }
        return Orphan(
            subject: .missingTable(now: names, isEmptied: isEmptied), source: source, table: tables.table,
            isEdited: true)
    }

    /// Whether a table is there that no pipeline fills.
    private func hasOtherTables(_ schemas: [RecordSchema]) throws -> Bool {
        let own = Set(schemas.map { $0.table.lowercased() })
        return try database.tableNames().contains { try !own.contains($0.lowercased()) && !registry.knows(table: $0) }
    }

    /// Whether a source has or had records, or others refer to its table: rows may stay that it no longer lists.
    private func hasRecords(_ tables: (base: String, table: String)) throws -> Bool {
        let referring = try registry.references().filter { ColumnName.areSame($0.target, tables.table) }
            .compactMap { try registry.tables(of: $0.mapping)?.base }
        return try ([tables.base] + referring).contains { base in
            try database.hasRow("SELECT 1 FROM \(database.table(base)) LIMIT 1")
        }
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
            subject: .missingTable(now: [tables.table], isEmptied: false), source: source, table: schema.table,
            isEdited: true)
    }

    /// Fields whose columns another pipeline had renamed, while the file of this one has them as they were: the two would rename them there
    /// and back with each run.
    func renamedElsewhere(
        _ slots: [EntityRegistry.Slot], of source: RecordMapping, _ table: String, _ schema: RecordSchema
    ) throws -> [Orphan] {
        let mapping = EntityRegistry.name(source)
        let former = try registry.entries(EntityRegistry.movedKind, prefix: mapping + "/")
        if former.isEmpty { return [] }
        return slots.compactMap { slot in
            guard let old = former.first(where: { $0.name == "\(mapping)/\(slot.field)" })?.value,
                let field = FieldSuccession(schema, slots).successor(of: slot), ColumnName.areSame(field.column, old),
                !ColumnName.areSame(slot.column, old)
            else { return nil }
            return Orphan(
                subject: .renamedElsewhere(slot.field, column: old, now: slot.column), source: source, table: table,
                isEdited: true)
        }
    }

    /// Tables that no pipeline fills and that have records of a source: its key, something else of it or what leads to it, and rows of its
    /// records; those with most of them.
    private func tablesLike(
        _ slots: [EntityRegistry.Slot], of source: RecordMapping, _ tables: (base: String, table: String),
        _ schemas: [RecordSchema]
    ) throws -> [String] {
        let base = tables.base
        let referred = try targetsNow(of: tables.table)
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
            let isLike = others.isEmpty || others.contains { column($0) != nil } || referred.contains(name.lowercased())
            if !hasKey || !isLike { continue }
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

    /// The tables, in lower case, to which foreign keys lead now that led to a table before: they go along where it gets another name.
    private func targetsNow(of table: String) throws -> Set<String> {
        let referring = try registry.references().filter { ColumnName.areSame($0.target, table) }
        return try Set(
            referring.flatMap { reference in
                let (from, columns) =
                    reference.link.map { ($0.table, $0.targetColumns) } ?? (reference.table, reference.columns)
                return try database.completeForeignKeys(of: from)
                    .filter { $0.columns.map { $0.lowercased() } == columns.map { $0.lowercased() } }
                    .map { $0.target.lowercased() }
            })
    }

    /// A table of links that is missing although its source has records, with those that it may be called now; nil where it is there.
    func missingLinks(
        _ slot: EntityRegistry.Slot, _ slots: [EntityRegistry.Slot], of source: RecordMapping,
        _ tables: (base: String, table: String),
        _ schema: RecordSchema
    ) throws -> Orphan? {
        guard let link = try registry.link(slot.field, of: EntityRegistry.name(source)),
            try database.columnNames(of: link.table).isEmpty, try hasRecords(tables)
        else { return nil }
        let succession = FieldSuccession(schema, slots)
        guard let field = succession.successor(of: slot) else {
            // A new field may have them, whose table is there and was nobody's.
            let heirs = try schema.references.filter { reference in
                guard let now = reference.link, succession.slot(of: schema.fields[reference.fields[0]]) == nil,
                    try !database.columnNames(of: now.table).isEmpty, try !registry.knows(link: now.table)
                else { return false }
                return try database.hasRow("SELECT 1 FROM \(database.table(now.table)) LIMIT 1")
            }.map(\.name)
            if heirs.isEmpty { return nil }
            return Orphan(
                subject: .unsaidLinks(slot.field, table: link.table, now: heirs), source: source, table: tables.table,
                isEdited: true)
        }
        guard
            let now = schema.references.first(where: { $0.name == field.name })?.link,
            // Where the file names another table that is there, the field goes on with that.
            try database.columnNames(of: now.table).isEmpty
        else { return nil }
        func areThere(_ names: [String], _ columns: [String]) -> Bool {
            names.allSatisfy { name in columns.contains { ColumnName.areSame($0, name) } }
        }
        let others = try database.tableNames().filter { try !registry.knows(table: $0) }
            .map { (name: $0, columns: try database.columnNames(of: $0)) }
        if others.isEmpty { return nil }
        // It may have other columns besides, and its own under other names.
        let whole = others.filter { areThere(link.ownerColumns + link.targetColumns, $0.columns) }
        let part = others.filter { other in
            other.columns.count == link.ownerColumns.count + link.targetColumns.count
                && areThere(link.targetColumns, other.columns)
        }
        return Orphan(
            subject: .missingLinks(slot.field, table: link.table, now: (whole.isEmpty ? part : whole).map(\.name)),
            source: source, table: tables.table, isEdited: true)
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
}
