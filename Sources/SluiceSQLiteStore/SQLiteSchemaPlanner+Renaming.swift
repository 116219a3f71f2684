internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// Has what the store keeps under earlier names go on under the new ones, before anything is made or extended.
extension SQLiteSchemaPlanner {
    mutating func followNames() throws {
        let registry = EntityRegistry(connection: connection)
        let names = NameChange(connection: connection)
        var isNewEntity = false
        if try isUnused(registry.tables(of: mappingName)?.base) {
            for former in schema.formerSources where try registry.tables(of: EntityRegistry.name(former)) != nil {
                // What was noted of the new name when it was not yet known for one.
                if try registry.tables(of: mappingName) != nil {
                    try OrphanFinder(connection: connection).forget(schema.source, mappingName)
                }
                try names.rename(former, to: schema.source)
                note(.renameSource, "\(former.path) \(former.entity)")
                isNewEntity = former.entity != schema.entity
                break
            }
        }
        guard let known = try registry.tables(of: mappingName) else { return }
        if Self.same(schema.formerly.table, known.table) || isNewEntity { try renameTable(known.table) }
        guard Self.same(try registry.tables(of: mappingName)?.table, schema.table) else { return }
        try renameFields(known.base)
        try renameLinks()
        // What stood for a record under the old names is looked at again.
        if !changes.isEmpty { try forgetTexts(schema.source) }
    }

    /// Whether nothing is known by a name: it has no base, or an empty one since its only run was undone.
    private func isUnused(_ base: String?) throws(SQLiteError) -> Bool {
        guard let base else { return true }
        return try connection.integer("SELECT 1 FROM \(SQLName.quoted(base)) LIMIT 1") == nil
    }

    private static func same(_ name: String?, _ other: String) -> Bool { name?.lowercased() == other.lowercased() }

    private func isThere(_ table: String) throws(SQLiteError) -> Bool {
        try !EntityRegistry(connection: connection).columns(of: table).isEmpty
    }

    private mutating func renameTable(_ old: String) throws {
        if Self.same(schema.table, old) { return }
        guard try isThere(old), try !isThere(schema.table) else { return }
        try ConflictView(connection: connection, table: old).remove()
        try apply(
            .renameTable, table: schema.table,
            sql: "ALTER TABLE \(SQLName.quoted(old)) RENAME TO \(SQLName.quoted(schema.table))")
        try NameChange(connection: connection).noteTable(old, is: schema.table)
    }

    private mutating func renameFields(_ base: String) throws {
        let registry = EntityRegistry(connection: connection)
        let names = NameChange(connection: connection)
        for (index, field) in schema.fields.enumerated() {
            let slots = try registry.slots(of: mappingName)
            var slot = slots.first { $0.field == field.name }
            if slot == nil, let old = FieldSuccession(schema, slots).predecessor(of: field) {
                try names.rename(field: old, to: field.name, of: schema.source, base: base)
                slot = old
                slot?.field = field.name
            }
            guard let slot, !field.isLink, !Self.same(slot.column, field.column) else { continue }
            let columns = try registry.columns(of: schema.table)
            let isTaken = schema.fields.indices.contains {
                $0 != index && Self.same(schema.fields[$0].column, slot.column)
            }
            guard columns.contains(slot.column.lowercased()), !columns.contains(field.column.lowercased()), !isTaken
            else { continue }
            let change = "RENAME COLUMN \(SQLName.quoted(slot.column)) TO \(SQLName.quoted(field.column))"
            try apply(
                .renameColumn, table: schema.table, sql: "ALTER TABLE \(SQLName.quoted(schema.table)) \(change)")
            try names.noteColumn(slot.column, of: schema.table, is: field.column)
        }
    }

    private mutating func renameLinks() throws {
        let registry = EntityRegistry(connection: connection)
        var isChanged = false
        for reference in schema.references {
            guard let link = reference.link, let old = try registry.link(reference.name, of: mappingName),
                old != link, try isThere(old.table)
            else { continue }
            if !Self.same(old.table, link.table) {
                guard try !isThere(link.table) else { continue }
                try apply(
                    .renameTable, table: link.table,
                    sql: "ALTER TABLE \(SQLName.quoted(old.table)) RENAME TO \(SQLName.quoted(link.table))")
            }
            for (old, new) in zip(old.ownerColumns + old.targetColumns, link.ownerColumns + link.targetColumns) {
                let columns = try registry.columns(of: link.table)
                guard columns.contains(old.lowercased()), !columns.contains(new.lowercased()) else { continue }
                try apply(
                    .renameColumn, table: link.table,
                    sql:
                        "ALTER TABLE \(SQLName.quoted(link.table)) RENAME COLUMN \(SQLName.quoted(old)) TO \(SQLName.quoted(new))"
                )
            }
            isChanged = true
        }
        if isChanged { try registry.note(schema.references, schema: schema, of: mappingName) }
    }
}
