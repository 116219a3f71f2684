package import SluiceModel
package import SluiceStore

/// Finds what a store keeps for names that a pipeline no longer has, and gives it up.
package struct OrphanFinder {
    let database: any SQLDatabase
    /// Writes down what is given up; nil where nothing is.
    let recorder: (any ChangeNoting)?
    var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Looks into a store.
    package init(database: any SQLDatabase, recorder: (any ChangeNoting)? = nil) {
        (self.database, self.recorder) = (database, recorder)
    }

    /// A field's place, its field where the pipeline has it still, and where its values are.
    typealias Place = (slot: EntityRegistry.Slot, mapping: String, base: String, table: String)

    // MARK: Finding

    package func orphans(
        of pipeline: String, _ schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        guard try database.hasTables() else { return [] }
        let known = Set(try registry.mappings())
        var kept: [RecordMapping: RecordSchema] = [:]
        for schema in schemas {
            let names = known.contains(schema.source) ? [schema.source] : schema.formerSources
            if let name = names.first(where: known.contains) { kept[name] = schema }
        }
        // A pipeline that goes on under a new name has all that it has under the old one, until it ran under the new one.
        let isNew = !known.contains { $0.pipeline == pipeline }
        let former = isNew ? Set(schemas.compactMap(\.formerly.pipeline)) : []
        var found: [Orphan] = []
        for source in known.sorted(by: { EntityRegistry.name($0) < EntityRegistry.name($1) }) {
            guard let tables = try registry.tables(of: EntityRegistry.name(source)) else { continue }
            if let schema = kept[source] {
                found += try orphans(of: source, tables, schema, schemas, isSame)
            } else if source.pipeline == pipeline || former.contains(source.pipeline) {
                let count = try database.integer("SELECT count(*) FROM \(database.table(tables.base))") ?? 0
                if count == 0 { continue }
                found.append(
                    Orphan(subject: .source(records: Int(count)), source: source, table: tables.table, isEdited: true))
            }
        }
        return found
    }

    private func orphans(
        of source: RecordMapping, _ tables: (base: String, table: String), _ schema: RecordSchema,
        _ schemas: [RecordSchema], _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        let mapping = EntityRegistry.name(source)
        var tables = tables
        // A view under the name of the table is none.
        let isView = try database.object(tables.table) == .view
        var columns = try isView ? [] : database.columnNames(of: tables.table)
        let slots = try registry.slots(of: mapping).filter { !$0.isRetired && !$0.isGivenUp }
        let isEmptied = try !columns.isEmpty && registry.isEmptied(tables.table)
        if columns.isEmpty || isEmptied {
            let orphan = try missingTable(slots, of: source, tables, schema, schemas, isEmptied: isEmptied)
            if let orphan { return [orphan] }
            // What goes on with a table that somebody renamed is looked for there.
            let now = try database.columnNames(of: schema.table)
            if try !now.isEmpty && (!isEmptied || registry.hasFollowed(tables.table, as: schema.table)) {
                (columns, tables.table) = (now, schema.table)
            }
            if columns.isEmpty { return [] }
        }
        if let orphan = try renamedByOthers(tables, source, schema) { return [orphan] }
        if tables.table.lowercased() != schema.table.lowercased() {
            let follows =
                schema.formerly.table?.lowercased() == tables.table.lowercased() || source.entity != schema.entity
            // A table that gets its new name keeps its columns.
            if try !follows || !database.columnNames(of: schema.table).isEmpty {
                let places = slots.filter { columns.contains($0.column.lowercased()) }
                let isEdited = try places.contains {
                    try self.isEdited(($0, mapping, tables.base, tables.table), isSame)
                }
                let isLess = try isEdited || lacksRows(mapping, tables)
                let taker = try self.taker(of: tables.table, from: schema, schemas)
                let subject = Orphan.Subject.table(
                    hasOtherKey: try hasOtherKey(mapping, schema),
                    isFilled: try isFilled(tables.table, schemas, source), taker: taker)
                return [
                    Orphan(subject: subject, source: source, table: tables.table, isEdited: isLess || taker != nil)
                ]
            }
        }
        let links = try registry.links(of: mapping)
        // A field that comes back finds its column under the name that others gave it since.
        let back = try registry.slots(of: mapping).filter { slot in
            slot.isGivenUp && !slot.isRetired && schema.fields.contains { $0.name == slot.field }
        }
        let lost = try lostWhileOut(back, of: source, tables, schema, schemas, isSame)
        if !lost.isEmpty { return lost }
        let moved = try renamedElsewhere(slots + back, of: source, tables.table, schema)
        if !moved.isEmpty { return moved }
        var missing = try missing(slots, of: source, tables, schema, schemas, isSame)
        missing += try slots.filter { links.contains($0.field) }.compactMap {
            try missingLinks($0, slots, of: source, tables, schema)
        }
        if try schema.deletesSoftly && registry.deletesSoftly(mapping) && !columns.contains(DeletionMark.time) {
            missing.append(Orphan(subject: .missingMark, source: source, table: tables.table, isEdited: true))
        }
        let returned = back.map { slot in
            Orphan(
                subject: .returned(
                    slot.field, column: slot.column, link: schema.references.first { $0.name == slot.field }?.link),
                source: source, table: tables.table, isEdited: false)
        }
        return try missing + returned
            + slots.compactMap { slot in
                if links.contains(slot.field), let orphan = try movedLinks(slot, slots, of: source, schema, schemas) {
                    return orphan
                }
                if try slot.keyPosition != nil || follows(slot, slots, columns, schema)
                    || isReplaced(slot, slots, tables.table, schema)
                {
                    return nil
                }
                let isColumn = columns.contains(slot.column.lowercased())
                let place = (slot, mapping, tables.base, tables.table)
                let passed = Orphan(
                    subject: .passed(slot.field, column: slot.column), source: source, table: tables.table,
                    isEdited: false)
                if let link = try registry.link(slot.field, of: mapping) {
                    if try isFilled(links: link.table, schemas, besides: source) { return passed }
                    return Orphan(
                        subject: .links(slot.field, table: link.table), source: source, table: tables.table,
                        isEdited: try hasEditedLinks(place, isSame))
                }
                if isColumn, let taker = taker(of: slot, slots, schema) {
                    let isThere = FieldSuccession(schema, slots).successor(of: slot) != nil
                    return Orphan(
                        subject: .field(slot.field, column: slot.column, hasMoved: isThere, taker: taker),
                        source: source, table: tables.table, isEdited: true)
                }
                // A column that somebody dropped, and that no field goes on with, leaves nothing.
                if !isColumn {
                    return FieldSuccession(schema, slots).successor(of: slot) == nil && !links.contains(slot.field)
                        ? passed : nil
                }
                if try isFilled(slot.column, of: [tables.table, schema.table], by: schemas, besides: source) {
                    return schema.fields.contains { ColumnName.areSame($0.column, slot.column) } ? nil : passed
                }
                return Orphan(
                    subject: .field(
                        slot.field, column: slot.column, hasMoved: schema.fields.contains { $0.name == slot.field }),
                    source: source, table: tables.table, isEdited: try isEdited(place, isSame))
            }
    }

    /// Whether the records of a mapping were told apart in another way than they are now.
    private func hasOtherKey(_ mapping: String, _ schema: RecordSchema) throws -> Bool {
        let fields = schema.keyFields.map { schema.fields[$0] }
        let slots = try registry.keySlots(of: mapping)
        return slots.count != fields.count
            || zip(slots, fields).contains { !ColumnName.areSame($0.column, $1.column) || $0.type != $1.type }
    }

    /// Whether a field of the pipeline goes on with a slot.
    private func follows(
        _ slot: EntityRegistry.Slot, _ slots: [EntityRegistry.Slot], _ columns: [String], _ schema: RecordSchema
    ) -> Bool {
        guard let field = FieldSuccession(schema, slots).successor(of: slot), field.isLink == slot.isLink else {
            return false
        }
        let column = slot.column.lowercased()
        if field.isLink || field.column.lowercased() == column || !columns.contains(column) { return true }
        // The column is renamed where that can be, see `SchemaPlanner.followNames`.
        return !columns.contains(field.column.lowercased())
            && !schema.fields.contains { $0.column.lowercased() == column }
    }

    /// The field that has the column of another one, which goes on with another column or is gone: whose the values are nobody can
    /// tell. A field that is new goes on with what had its column.
    private func taker(
        of slot: EntityRegistry.Slot, _ slots: [EntityRegistry.Slot], _ schema: RecordSchema
    ) -> String? {
        let succession = FieldSuccession(schema, slots)
        if let heir = succession.successor(of: slot) {
            if heir.isLink || ColumnName.areSame(heir.column, slot.column) { return nil }
            return schema.fields.first { field in
                !field.isLink && field.name != heir.name && ColumnName.areSame(field.column, slot.column)
            }?.name
        }
        return schema.fields.first { field in
            !field.isLink && ColumnName.areSame(field.column, slot.column) && succession.slot(of: field) != slot
        }?.name
    }

    /// Whether something else fills a table of links.
    private func isFilled(links table: String, _ schemas: [RecordSchema], besides source: RecordMapping) throws -> Bool
    {
        if schemas.contains(where: { $0.references.contains { ColumnName.areSame($0.link?.table ?? "", table) } }) {
            return true
        }
        return try registry.allReferences().contains { reference in
            EntityRegistry.mapping(reference.mapping)?.pipeline != source.pipeline
                && ColumnName.areSame(reference.link?.table ?? "", table)
        }
    }

    /// Links of a field that has another table for them now, where that cannot be the one of before under a new name.
    func movedLinks(
        _ slot: EntityRegistry.Slot, _ slots: [EntityRegistry.Slot], of source: RecordMapping, _ schema: RecordSchema,
        _ schemas: [RecordSchema]
    ) throws -> Orphan? {
        guard let old = try registry.link(slot.field, of: EntityRegistry.name(source)),
            let field = FieldSuccession(schema, slots).successor(of: slot),
            let now = schema.references.first(where: { $0.name == field.name })?.link,
            Self.areExchanged(old, now) || !ColumnName.areSame(old.table, now.table),
            try !database.columnNames(of: old.table).isEmpty
        else { return nil }
        let taker = schemas.lazy.compactMap { other -> String? in
            other.references.first { reference in
                let isOwn = other.entity == schema.entity && reference.name == field.name
                return !isOwn && reference.link.map { ColumnName.areSame($0.table, old.table) } ?? false
            }?.name
        }.first
        let isThere = try !database.columnNames(of: now.table).isEmpty
        if taker == nil && !isThere && !Self.areExchanged(old, now) { return nil }
        return Orphan(
            subject: .movedLinks(slot.field, table: old.table, now: now.table, taker: taker), source: source,
            table: schema.table, isEdited: true)
    }

    /// Whether each link would lead the other way, or one side have the column of the other one.
    private static func areExchanged(_ old: RecordLink, _ now: RecordLink) -> Bool {
        func share(_ columns: [String], _ others: [String]) -> Bool {
            columns.contains { column in others.contains { ColumnName.areSame($0, column) } }
        }
        return ColumnName.areSame(old.table, now.table)
            && (share(old.ownerColumns, now.targetColumns) || share(old.targetColumns, now.ownerColumns))
    }

    /// The entity that has the table of another one, which has another table now, and had not before.
    private func taker(of table: String, from schema: RecordSchema, _ schemas: [RecordSchema]) throws -> String? {
        try schemas.first { other in
            guard other.entity != schema.entity, ColumnName.areSame(other.table, table) else { return false }
            return try ([other.source] + other.formerSources).allSatisfy { source in
                try registry.tables(of: EntityRegistry.name(source)).map { !ColumnName.areSame($0.table, table) }
                    ?? true
            }
        }?.entity
    }

    /// Whether somebody renamed the column of a slot and made an empty one of its old name, while the file has the new one.
    private func isReplaced(
        _ slot: EntityRegistry.Slot, _ slots: [EntityRegistry.Slot], _ table: String, _ schema: RecordSchema
    ) throws -> Bool {
        guard let field = FieldSuccession(schema, slots).successor(of: slot), !field.isLink else { return false }
        return try registry.isReplaced(slot.column, by: field.column, in: table)
    }

    /// Whether something else fills a column.
    private func isFilled(
        _ column: String, of names: [String], by schemas: [RecordSchema], besides source: RecordMapping
    ) throws -> Bool {
        let column = column.lowercased()
        let names = Set(names.map { $0.lowercased() })
        let isOurs = schemas.contains { schema in
            names.contains(schema.table.lowercased())
                && schema.fields.contains { $0.column.lowercased() == column }
        }
        if isOurs { return true }
        return try names.contains { try registry.filler(of: column, in: $0, besides: source.pipeline) != nil }
    }

    /// Whether the pipeline, or another one, fills a table that a source of it does not fill any more.
    private func isFilled(_ table: String, _ schemas: [RecordSchema], _ source: RecordMapping) throws -> Bool {
        if schemas.contains(where: { $0.table.lowercased() == table.lowercased() }) { return true }
        return try registry.sources(of: table).contains { $0.pipeline != source.pipeline }
    }

    // MARK: What people did

    func join(_ mapping: String, _ tables: (base: String, table: String), _ kind: String) throws -> String {
        let forms = try database.forms(of: tables.table)
        let keys = try registry.keySlots(of: mapping).map { slot in
            let base = "b." + SQLText.quoted(TableLayout.baseColumn(for: slot.column))
            return
                "t.\(SQLText.quoted(slot.column)) = \(forms[slot.column.lowercased()]?.stored(expression: base) ?? base)"
        }
        return
            "\(database.table(tables.base)) AS b \(kind) \(database.table(tables.table)) AS t ON \(keys.joined(separator: " AND "))"
    }

    private func isEdited(
        _ place: Place, _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> Bool {
        let field = place.slot.schemaField
        let form = try database.forms(of: place.table)[place.slot.column.lowercased()]
        let others = try self.others(of: place)
        let count = others.count
        var isEdited = false
        try database.each(
            """
            SELECT b.fields, \(held(place.slot, of: place.mapping))\(others.map { ", (\($0.said))" }.joined())
            FROM \(join(place.mapping, (place.base, place.table), "JOIN")) WHERE b.state = 0
            """, []
        ) { row in
            guard let blob = row[0].bytes, let entries = BaseCoding.decode(blob, slotCount: place.slot.number + 1)
            else { return true }
            let value = form?.canonical(row[1]) ?? row[1]
            isEdited = try !isSame(value, entries[place.slot.number], field)
            for (other, said) in zip(others, row.dropFirst(2).prefix(count)) where isEdited {
                let entries = said.bytes.flatMap { BaseCoding.decode($0, slotCount: other.slot.number + 1) }
                let entry = entries?[other.slot.number] ?? .none
                if entry != .none { isEdited = try !isSame(value, entry, other.slot.schemaField) }
            }
            return !isEdited
        }
        return isEdited
    }

    /// The other sources that give or gave the values of a place, each with a query for what it keeps of a record.
    private func others(of place: Place) throws -> [(slot: EntityRegistry.Slot, said: String)] {
        let keys = try registry.keySlots(of: place.mapping).map { TableLayout.baseColumn(for: $0.column) }
        return try registry.mappings(of: place.table).filter { $0 != place.mapping }.compactMap { other in
            let theirs = try registry.keySlots(of: other).map { TableLayout.baseColumn(for: $0.column).lowercased() }
            let slot = try registry.slots(of: other).first {
                !$0.isRetired && !$0.isLink && ColumnName.areSame($0.column, place.slot.column)
            }
            guard let slot, let base = try registry.tables(of: other)?.base,
                theirs.sorted() == keys.map({ $0.lowercased() }).sorted()
            else { return nil }
            let isSame = keys.map { "h.\(SQLText.quoted($0)) = b.\(SQLText.quoted($0))" }.joined(separator: " AND ")
            return (slot, "SELECT h.fields FROM \(database.table(base)) AS h WHERE \(isSame)")
        }
    }

    /// What the column of a slot holds, or what its reference waits for, in the row `t`.
    func held(_ slot: EntityRegistry.Slot, of mapping: String) throws -> String {
        let column = "t.\(SQLText.quoted(slot.column))"
        guard try database.object("_sluice_pending") != nil,
            let reference = try registry.reference(slot.field, of: mapping), reference.link == nil,
            reference.columns.count == 1
        else { return column }
        let isOf = try reference.keyColumns.enumerated().map { index, name in
            "t.\(SQLText.quoted(name)) = \(try database.element("p.key", index, for: name, of: reference.table))"
        }
        let target = try database.element("p.target_key", 0, for: slot.column, of: reference.table)
        return
            "coalesce(\(column), (SELECT \(target) FROM \(database.ledger("pending")) AS p WHERE \(reference.waits) AND \(isOf.joined(separator: " AND ")) LIMIT 1))"
    }

    private func lacksRows(_ mapping: String, _ tables: (base: String, table: String)) throws -> Bool {
        guard let key = try registry.slots(of: mapping).first(where: { $0.keyPosition == 0 }) else { return false }
        return try database.hasRow(
            """
            SELECT 1 FROM \(join(mapping, tables, "LEFT JOIN"))
            WHERE b.state = 0 AND t.\(SQLText.quoted(key.column)) IS NULL LIMIT 1
            """)
    }

    /// Whether people changed the links of some record.
    func hasEditedLinks(
        _ place: Place, _ isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> Bool {
        guard let link = try registry.link(place.slot.field, of: place.mapping),
            try !database.columnNames(of: link.table).isEmpty
        else { return false }
        let reference = RecordReference(
            name: place.slot.field, fields: [0], target: "", targetColumns: link.targetColumns, link: link)
        let columns = try registry.keySlots(of: place.mapping)
            .map { "b." + SQLText.quoted(TableLayout.baseColumn(for: $0.column)) }
        var isEdited = false
        try database.each(
            """
            SELECT b.fields, \(columns.joined(separator: ", "))
            FROM \(join(place.mapping, (place.base, place.table), "JOIN")) WHERE b.state = 0
            """, []
        ) { row in
            guard let blob = row[0].bytes, let entries = BaseCoding.decode(blob, slotCount: place.slot.number + 1)
            else { return true }
            let entry = entries[place.slot.number]
            // Where nothing was said there is no link.
            let said = entry == .none || entry == .null ? BaseEntry.value(.text(Array("[]".utf8))) : entry
            let linked = try database.linkedSet(reference, owner: place.table, key: RecordKey(Array(row.dropFirst())))
            isEdited = try !isSame(linked, said, place.slot.schemaField)
            return !isEdited
        }
        return isEdited
    }
}
