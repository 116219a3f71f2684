internal import SluiceModel

/// Which fields of a pipeline go on with what the store knows of others.
struct FieldSuccession {
    private let schema: RecordSchema
    private let slots: [EntityRegistry.Slot]

    init(_ schema: RecordSchema, _ slots: [EntityRegistry.Slot]) {
        self.schema = schema
        self.slots = slots.filter { !$0.isRetired }
    }

    /// The slot of a field, or the one that it goes on with.
    func slot(of field: RecordSchema.Field) -> EntityRegistry.Slot? {
        guard let own = slots.first(where: { $0.field == field.name }) else { return predecessor(of: field) }
        // A name that was given up, or that links had, says nothing of a field that has it now and comes from another one.
        return !own.isGivenUp && own.isLink == field.isLink ? own : predecessor(of: field) ?? own
    }

    /// The slot that a field without one goes on with: that of its earlier name, or of a field that is gone and had its
    /// column.
    func predecessor(of field: RecordSchema.Field) -> EntityRegistry.Slot? {
        let free = slots.filter { slot in
            !slot.isGivenUp && slot.isLink == field.isLink && !schema.fields.contains { $0.name == slot.field }
        }
        let others = free.filter { $0.keyPosition == nil }
        // A field that was left out comes back under another name where that is said.
        let left = slots.first { slot in
            slot.isGivenUp && slot.keyPosition == nil && slot.isLink == field.isLink
                && field.formerNames.contains(slot.field)
                && !schema.fields.contains { $0.name == slot.field || ColumnName.areSame($0.column, slot.column) }
        }
        let former = field.formerNames.flatMap { [$0, $0 + field.columnEnding] }
        return free.first { field.formerNames.contains($0.field) }
            ?? others.first { ColumnName.areSame($0.column, field.column) && !isNamed($0, by: field) }
            // Another pipeline may have had the column renamed before, to what this one calls the earlier name.
            ?? others.first { slot in
                former.contains { ColumnName.areSame($0, slot.column) } && !isNamed(slot, by: field)
            } ?? left
    }

    /// Whether another field says that it goes on with a slot.
    private func isNamed(_ slot: EntityRegistry.Slot, by field: RecordSchema.Field) -> Bool {
        schema.fields.contains { $0.name != field.name && $0.formerNames.contains(slot.field) }
    }

    /// The field that goes on with a slot; nil where there is none.
    func successor(of slot: EntityRegistry.Slot) -> RecordSchema.Field? {
        schema.fields.first { self.slot(of: $0) == slot }
    }
}

extension RecordSchema.Field {
    /// What the column has behind the name: `_id` of a reference.
    fileprivate var columnEnding: String {
        column.lowercased().hasPrefix(name.lowercased()) ? String(column.dropFirst(name.count)) : ""
    }
}
