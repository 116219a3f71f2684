internal import SluiceModel
internal import SluiceStore

/// Names, and other fields of an identifier, change in two runs: which name of before stands for which identifier of now is
/// not to be guessed. Where an identifier keeps its fields and these get other types, their names change first.
extension KeyChange {
    /// Whether nothing can be done before the names of now are known; refuses a run that renames what an identifier belongs
    /// to and gives that other fields.
    ///
    /// A field that is renamed does not stand in the way where it is no part of an identifier.
    ///
    /// - Returns: Whether names come first.
    /// - Throws: `StoreError` with the two steps.
    func waitsForNames() throws -> Bool {
        let standings = try schemas.compactMap(standing)
        guard let first = standings.flatMap(\.renamed).first else { return false }
        guard let changed = standings.first(where: { $0.change != nil }), let change = changed.change else {
            return standings.contains(where: \.changesTypes)
        }
        let entity = changed.schema.entity
        throw StoreError(
            .mismatch,
            "\(first) in the same run in which the identifier of `\(entity)` changes (\(change)). Rename in one run, with `primary_key` and `key` as they were, and change `primary_key` or `key` in the next.",
            about: PipelineKey(.identifier, of: entity))
    }

    /// What a run finds of a mapping.
    private struct Standing {
        let schema: RecordSchema
        /// What gets another name, in words.
        var renamed: [String] = []
        /// What its identifier was and is, in words; nil where it keeps its fields.
        var change: String?
        /// Whether fields of its identifier get other types.
        var changesTypes = false
    }

    /// What is known of a mapping by its name of now or before; nil where there is nothing.
    private func standing(of schema: RecordSchema) throws -> Standing? {
        let names = [schema.source] + schema.formerSources
        // Where nothing is known by any name, fields may be renamed still.
        let source = try names.first(where: isUsed) ?? schema.source
        guard let table = try table(of: source) else { return nil }
        let slots = try registry.slots(of: EntityRegistry.name(source)).filter { !$0.isRetired }
        let keys = try registry.keySlots(of: EntityRegistry.name(source))
        if keys.isEmpty { return nil }
        var standing = Standing(schema: schema)
        if source != schema.source {
            standing.renamed.append("`\(source.path) \(source.entity)` is now `\(schema.source.path) \(schema.entity)`")
        }
        let follows = schema.formerly.table.map { ColumnName.areSame($0, table) } ?? false
        if follows && !ColumnName.areSame(schema.table, table) {
            standing.renamed.append("The table `\(table)` is now `\(schema.table)`")
        } else if source == schema.source && !ColumnName.areSame(schema.table, table) {
            // Another table starts anew.
            return nil
        }
        let succession = FieldSuccession(schema, slots)
        let fields = schema.keyFields.map { schema.fields[$0] }
        let former = fields.map { field in
            slots.first { $0.field == field.name } ?? succession.predecessor(of: field)
        }
        for (field, slot) in zip(fields, former) {
            guard let slot, slot.field != field.name, field.formerNames.contains(slot.field) else { continue }
            standing.renamed.append("The field `\(slot.field)` is now `\(field.name)`")
        }
        standing.changesTypes = zip(former, fields).contains { Self.changesType($0, $1) }
        if former.map({ $0?.number }) != keys.map(\.number) {
            standing.change =
                "it was \(keys.map(\.field).joined(separator: ", ")) and is \(fields.map(\.name).joined(separator: ", "))"
        }
        return standing
    }

    private func table(of source: RecordMapping) throws -> String? {
        try registry.tables(of: EntityRegistry.name(source))?.table
    }

    /// Whether anything is known by a name: a base that is empty was left by a run that was undone.
    private func isUsed(_ source: RecordMapping) throws -> Bool {
        guard let base = try registry.tables(of: EntityRegistry.name(source))?.base else { return false }
        return try database.hasRow("SELECT 1 FROM \(database.table(base)) LIMIT 1")
    }
}
