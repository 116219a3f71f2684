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
        let own = slots.first { $0.field == field.name }
        // A name that was given up says nothing of a field that has it now and comes from another one.
        return own?.isGivenUp == false ? own : predecessor(of: field) ?? own
    }

    /// The slot that a field without one goes on with: that of its earlier name, or of a field that is gone and had its
    /// column.
    func predecessor(of field: RecordSchema.Field) -> EntityRegistry.Slot? {
        let free = slots.filter { slot in !slot.isGivenUp && !schema.fields.contains { $0.name == slot.field } }
        return free.first { field.formerNames.contains($0.field) }
            ?? free.first { $0.column.lowercased() == field.column.lowercased() && $0.keyPosition == nil }
            // Another pipeline may have had the column renamed before, to what this one calls the earlier name.
            ?? free.first { slot in
                slot.keyPosition == nil && field.formerNames.contains { ColumnName.areSame($0, slot.column) }
            }
    }

    /// The field that goes on with a slot; nil where there is none.
    func successor(of slot: EntityRegistry.Slot) -> RecordSchema.Field? {
        if let field = schema.fields.first(where: { $0.name == slot.field }) { return field }
        return schema.fields.first { field in
            !slots.contains { $0.field == field.name && !$0.isGivenUp } && predecessor(of: field) == slot
        }
    }
}
