package import SluiceModel
internal import SluiceStore

/// Has what the store keeps under earlier names go on under the new ones, before anything is made or extended.
extension SchemaPlanner {
    package mutating func followNames() throws {
        let registry = EntityRegistry(database: database)
        let names = NameChange(database: database)
        var isNewEntity = false
        if try isUnused(registry.tables(of: mappingName)?.base) {
            for former in schema.formerSources where try registry.tables(of: EntityRegistry.name(former)) != nil {
                // What was noted of the new name when it was not yet known for one.
                if try registry.tables(of: mappingName) != nil {
                    try OrphanFinder(database: database).forget(schema.source, mappingName)
                }
                try names.rename(former, to: schema.source)
                record(SchemaChange(table: schema.table, renaming: former, to: schema.source))
                try record(
                    .renameSource, from: [former.pipeline, former.stream, former.entity], to: schema.source.path)
                isNewEntity = former.entity != schema.entity
                break
            }
        }
        guard let known = try registry.tables(of: mappingName) else { return }
        if Self.same(schema.formerly.table, known.table) || isNewEntity { try renameTable(known.table) }
        guard Self.same(try registry.tables(of: mappingName)?.table, schema.table) else { return }
        // That a table is meant to have no row is said of the rows of then.
        try registry.forgetEmptied(mappingName)
        try renameFields(known.base)
        try renameLinks()
        try renameOwner()
        // What stood for a record under the old names is looked at again.
        if !changes.isEmpty { try forgetTexts(schema.source) }
    }

    /// Has a table that no source fills go on under its new names: what refers to it says what it was called.
    ///
    /// - Parameters:
    ///   - referrers: What refers to it, under the names of now.
    ///   - tables: The tables of all entities, in lower case, which are nobody's earlier ones.
    /// - Throws: What the database throws.
    package mutating func followNames(referredToBy referrers: [RecordSchema], apartFrom tables: Set<String>) throws {
        if !schema.hasFormerNames { return }
        let registry = EntityRegistry(database: database)
        for referrer in referrers {
            for reference in referrer.references where Self.same(reference.target, schema.table) {
                let mapping = EntityRegistry.name(referrer.source)
                let owner = reference.link?.table ?? referrer.table
                let columns = reference.link?.targetColumns ?? reference.fields.map { referrer.fields[$0].column }
                // What no source fills itself has foreign keys alone, and what was prepared anew is known by its new names.
                let known = [
                    try registry.reference(reference.name, of: mapping)?.target,
                    try database.foreignKeys(of: owner).target(of: columns),
                ]
                let old = known.compactMap { $0 }.first { old in
                    !Self.same(old, schema.table) && !tables.contains(old.lowercased())
                        && (schema.formerly.entity != nil || Self.same(schema.formerly.table, old))
                }
                if let old { try renameTable(old) }
            }
        }
        guard try isThere(schema.table), try registry.mappings(of: schema.table).isEmpty else { return }
        try renameFormerColumns()
    }

    /// Has the table of a program's records go on under its new names, whichever sources fill it: what they said is kept by
    /// the new names of table and columns. Under which names they know their fields is theirs to say.
    ///
    /// - Parameter tables: The tables of all entities of the program, in lower case, which are nobody's earlier ones.
    /// - Throws: What the database throws.
    package mutating func followNamesUnsourced(apartFrom tables: Set<String>) throws {
        if !schema.hasFormerNames { return }
        if let old = schema.formerly.table, !tables.contains(old.lowercased()) { try renameTable(old) }
        guard try isThere(schema.table) else { return }
        try renameFormerColumns()
        for field in schema.fields where !field.formerNames.isEmpty {
            try NameChange(database: database).renameEdits(of: schema.table, column: field.column, to: field.name)
        }
    }

    /// Gives columns the names of now that are called as their fields were before.
    private mutating func renameFormerColumns() throws {
        for field in schema.fields where !field.isLink && !field.formerNames.isEmpty {
            guard let old = try formerColumn(of: field) else { continue }
            let change = "RENAME COLUMN \(SQLText.quoted(old)) TO \(SQLText.quoted(field.column))"
            try apply(
                .renameColumn, table: schema.table, sql: "ALTER TABLE \(database.table(schema.table)) \(change)")
            try NameChange(database: database).recordColumn(old, of: schema.table, is: field.column)
        }
    }

    /// The column that a field of a table without a source had under its earlier name: nothing but the name tells.
    private func formerColumn(of field: RecordSchema.Field) throws -> String? {
        func letters(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
        let columns = try database.columns(of: schema.table).map(\.name)
        if columns.contains(where: { Self.same($0, field.column) }) { return nil }
        let name = letters(field.name)
        let column = letters(field.column)
        // A reference to `author` has the column `author_id`.
        let ending = column.hasPrefix(name) ? String(column.dropFirst(name.count)) : ""
        let former = field.formerNames.flatMap { [letters($0), letters($0) + ending] }
        return columns.first { old in
            former.contains(letters(old)) && !schema.fields.contains { Self.same($0.column, old) }
        }
    }

    /// Whether nothing is known by a name: it has no base, or an empty one since its only run was undone.
    private func isUnused(_ base: String?) throws -> Bool {
        guard let base else { return true }
        return try !database.hasRow("SELECT 1 FROM \(database.table(base)) LIMIT 1")
    }

    private static func same(_ name: String?, _ other: String) -> Bool { name?.lowercased() == other.lowercased() }

    private func isThere(_ table: String) throws -> Bool {
        try database.object(table) != .view && !database.columns(of: table).isEmpty
    }

    private mutating func renameTable(_ old: String) throws {
        if Self.same(schema.table, old) { return }
        if try !isThere(old) { return try followRenamedTable(old) }
        if try isThere(schema.table) {
            let registry = EntityRegistry(database: database)
            let isReplaced = try registry.isEmptied(old) && registry.hasFollowed(old, as: schema.table)
            return try isReplaced ? followRenamedTable(old) : ()
        }
        try ConflictView(database: database, table: old).follow(to: schema.table)
        try apply(
            .renameTable, table: schema.table,
            sql: "ALTER TABLE \(database.table(old)) RENAME TO \(SQLText.quoted(schema.table))")
        try NameChange(database: database).recordTable(old, is: schema.table)
        try record(.renameTable, from: [old], to: schema.table)
    }

    /// Goes on with a table that somebody renamed in the database already.
    private mutating func followRenamedTable(_ old: String) throws {
        let registry = EntityRegistry(database: database)
        guard try isThere(schema.table), try registry.mappings(of: schema.table).isEmpty else { return }
        try ConflictView(database: database, table: old).follow(to: schema.table)
        try NameChange(database: database).recordTable(old, is: schema.table)
        try record(.renameTable, from: [old], to: schema.table)
    }

    private mutating func renameFields(_ base: String) throws {
        let registry = EntityRegistry(database: database)
        let names = NameChange(database: database)
        let moved = Set(try registry.entries(EntityRegistry.movedKind, prefix: mappingName + "/").map(\.name))
        for index in schema.fields.indices {
            let field = schema.fields[index]
            let slots = try registry.slots(of: mappingName)
            guard let known = FieldSuccession(schema, slots).slot(of: field) else { continue }
            // Where another column has the name already, what was left out stays behind; unless it is that one, renamed since.
            if known.isGivenUp && !field.isLink && !Self.same(known.column, field.column) {
                let columns = try database.columnNames(of: schema.table)
                if [known.column, field.column].allSatisfy({ columns.contains($0.lowercased()) }) { continue }
            }
            if moved.contains("\(mappingName)/\(known.field)"), Self.same(known.column, field.column) {
                try registry.remove(EntityRegistry.movedKind, "\(mappingName)/\(known.field)")
            }
            if known.field != field.name {
                try names.rename(field: known, to: field.name, of: schema.source, base: base)
            }
            let isMoved = try renameColumn(known, of: index)
            if known.field == field.name && !isMoved { continue }
            try record(
                .renameColumn, from: [known.field, known.column], to: isMoved ? field.column : known.column,
                field: field.name)
        }
    }

    /// Notes for other pipelines that fill a column that it has another name: their files have to say so too.
    private func recordMoved(_ old: String, to new: String) throws {
        let registry = EntityRegistry(database: database)
        for mapping in try registry.mappings(of: schema.table)
        where EntityRegistry.mapping(mapping)?.pipeline != schema.pipeline {
            for slot in try registry.slots(of: mapping) where Self.same(slot.column, new) && !slot.isRetired {
                try registry.put(EntityRegistry.movedKind, "\(mapping)/\(slot.field)", old)
            }
        }
    }

    /// Gives the column of a field its name of now, where it has another one and nothing else has that name.
    ///
    /// - Returns: Whether it did.
    private mutating func renameColumn(_ slot: EntityRegistry.Slot, of index: Int) throws -> Bool {
        let field = schema.fields[index]
        if field.isLink || Self.same(slot.column, field.column) { return false }
        let columns = try database.columnNames(of: schema.table)
        let isTaken = schema.fields.indices.contains {
            $0 != index && Self.same(schema.fields[$0].column, slot.column)
        }
        if isTaken { return false }
        // Somebody gave it its new name, and made an empty one of the old one.
        if try EntityRegistry(database: database).isReplaced(slot.column, by: field.column, in: schema.table) {
            try NameChange(database: database).recordColumn(slot.column, of: schema.table, is: field.column)
            try recordMoved(slot.column, to: field.column)
            return true
        }
        guard columns.contains(slot.column.lowercased()), !columns.contains(field.column.lowercased()) else {
            return false
        }
        let change = "RENAME COLUMN \(SQLText.quoted(slot.column)) TO \(SQLText.quoted(field.column))"
        try apply(
            .renameColumn, table: schema.table, sql: "ALTER TABLE \(database.table(schema.table)) \(change)")
        try NameChange(database: database).recordColumn(slot.column, of: schema.table, is: field.column)
        try recordMoved(slot.column, to: field.column)
        return true
    }

    /// Has the reference of records to those in which they stand be called as these are now.
    private func renameOwner() throws {
        guard let owner = schema.references.first(where: { $0.onDangling == .owner }) else { return }
        let registry = EntityRegistry(database: database)
        let name = "\(mappingName)/\(owner.name)"
        if try registry.entry("reference", name) != nil { return }
        let rule = RecordReference.DanglingRule.owner.rawValue
        let known = try registry.entries("reference", prefix: mappingName + "/").filter { entry in
            EntityRegistry.lists(entry.value).first?.first == rule
        }
        if known.count == 1 { try registry.rename("reference", known[0].name, to: name) }
    }

    private mutating func renameLinks() throws {
        let registry = EntityRegistry(database: database)
        var isChanged = false
        for reference in schema.references {
            guard let link = reference.link, let old = try registry.link(reference.name, of: mappingName),
                old != link, try isThere(old.table), try Self.same(old.table, link.table) || !isThere(link.table)
            else { continue }
            if !Self.same(old.table, link.table) {
                try apply(
                    .renameTable, table: link.table,
                    sql: "ALTER TABLE \(database.table(old.table)) RENAME TO \(SQLText.quoted(link.table))")
            }
            for (old, new) in zip(old.ownerColumns + old.targetColumns, link.ownerColumns + link.targetColumns) {
                let columns = try database.columnNames(of: link.table)
                guard columns.contains(old.lowercased()), !columns.contains(new.lowercased()) else { continue }
                try apply(
                    .renameColumn, table: link.table,
                    sql:
                        "ALTER TABLE \(database.table(link.table)) RENAME COLUMN \(SQLText.quoted(old)) TO \(SQLText.quoted(new))"
                )
            }
            try NameChange(database: database).passEdits(
                ofPairs: old.table, on: link.table,
                columns: Array(
                    zip(old.ownerColumns + old.targetColumns, link.ownerColumns + link.targetColumns)))
            isChanged = true
        }
        if isChanged { try registry.record(schema.references, schema: schema, of: mappingName) }
    }
}
