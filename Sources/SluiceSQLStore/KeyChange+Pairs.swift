internal import SluiceModel
internal import SluiceStore

/// The pairs of records that are linked, and the sets of them that sources said.
extension KeyChange {
    /// Has the pairs of records, whose owners get other identifiers, begin with these.
    mutating func passOwner(of reference: RecordReference, _ schema: RecordSchema, _ passage: KeyPassage) throws {
        guard let link = reference.link,
            let before = try registry.link(reference.name, of: EntityRegistry.name(schema.source)),
            ColumnName.areSame(before.table, link.table)
        else { return }
        try passPairs(link.table, before.ownerColumns, link.ownerColumns, passage, owned: reference, schema)
    }

    mutating func passPairs(
        _ table: String, _ old: [String], _ new: [String], _ passage: KeyPassage, owned reference: RecordReference,
        _ schema: RecordSchema
    ) throws {
        let place = "\(table.lowercased())/\(old.joined(separator: "/").lowercased())"
        if try passed[place] != nil || database.columns(of: table).isEmpty { return }
        let columns = try fill(table, old, new, passage.new.map(\.type), passage)
        passed[place] = columns
        guard let link = reference.link else { return }
        try dropIndexes(of: table, columns)
        let planner = SchemaPlanner(database: database, schema: schema)
        let isOwner = ColumnName.areSame(schema.table, passage.table) && new == link.ownerColumns
        if !isOwner { referring.append((table, columns.new)) }
        let definition = isOwner ? planner.ownerKey(of: link) : planner.targetKey(of: reference, link)
        revise(table) { revision in
            revision.dropped.formUnion(columns.dropped)
            revision.released.append(columns.old)
            revision.places.append((columns.old, columns.filled))
            for (filled, new) in zip(columns.filled, columns.new) where filled != new { revision.renamed[filled] = new }
            revision.key = link.ownerColumns + link.targetColumns
            revision.foreignKeys.append(definition)
        }
        var change = SchemaChange(
            table: table, kind: .changeReference,
            sql: words(old, new, passage))
        change.rows = try database.count(of: table)
        changes.append(change)
    }

    /// Has the base of a source say the new identifiers in the sets that it said.
    func passLinkBase(_ field: String, _ mapping: String, _ passage: KeyPassage) throws {
        guard let slot = try registry.slots(of: mapping).first(where: { $0.field == field && !$0.isRetired }),
            let base = try registry.tables(of: mapping)?.base
        else { return }
        try eachBase(base, mapping) { entries, _ in
            guard entries.indices.contains(slot.number), let value = entries[slot.number].value else { return }
            guard let set = try linkedSet(value, passage) else {
                entries[slot.number] = .none
                return
            }
            entries[slot.number] = conversion.entry(set, slot.schemaField)
        }
    }

    /// A set of identifiers in the new ones; nil where one of them is not known.
    private func linkedSet(_ value: FieldValue, _ passage: KeyPassage) throws -> FieldValue? {
        guard let elements = value.string.flatMap(ObjectText.elements) else { return value }
        var keys: [RecordKey] = []
        for element in elements {
            let parts = passage.old.count > 1 ? ObjectText.elements(element) ?? [] : [element]
            let old = zip(parts, passage.old).compactMap { conversion.parsed($0, $1.type) }
            guard old.count == passage.old.count, let new = try passage.values(of: old) else { return nil }
            keys.append(RecordKey(new))
        }
        let texts = keys.sorted().map { key in
            let parts = zip(key.values, passage.new).map { FieldJSON.text($0, type: $1.type) }
            return parts.count == 1 ? parts[0] : "[\(parts.joined(separator: ","))]"
        }
        return FieldValue("[\(texts.joined(separator: ","))]")
    }
}
