internal import SluiceModel
internal import SluiceStore

/// Names and identifiers change in two runs: which name of before stands for which identifier of now is not to be guessed.
extension KeyChange {
    /// Refuses a run that renames what an identifier belongs to and changes that identifier.
    ///
    /// A field that is renamed does not stand in the way where it is no part of an identifier.
    ///
    /// - Throws: `StoreError` with the two steps.
    func refuseRenames() throws {
        let standings = try schemas.compactMap(standing)
        let renamed = standings.flatMap(\.renamed)
        guard let changed = standings.first(where: { $0.change != nil }), let change = changed.change else { return }
        guard let first = renamed.first else { return }
        let entity = changed.schema.entity
        throw StoreError(
            .mismatch,
            "\(first) in the same run in which the identifier of `\(entity)` changes (\(change)). Rename in one run, with `primary_key` and `key` as they were, and change `primary_key` or `key` in the next. Nothing was written.",
            about: PipelineKey(.identifier, of: entity))
    }

    /// What a run finds of a mapping.
    private struct Standing {
        let schema: RecordSchema
        /// What gets another name, in words.
        var renamed: [String] = []
        /// What its identifier was and is, in words; nil where it stays.
        var change: String?
    }

    /// What is known of a mapping by its name of now or before; nil where there is nothing.
    private func standing(of schema: RecordSchema) throws -> Standing? {
        let names = [schema.source] + schema.formerSources
        guard let source = try names.first(where: isUsed), let table = try table(of: source) else { return nil }
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
        let types = zip(former, fields).contains { slot, field in
            slot.map { $0.redaction == nil && field.redaction == nil && $0.type != field.type } ?? false
        }
        if former.map({ $0?.number }) != keys.map(\.number) || types {
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
