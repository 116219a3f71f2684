package import SluiceModel

/// How what is stored of a field passes from one type to another.
package struct FieldConversion {
    /// A value in the type of a field that had another one before; nil where something of it would be lost.
    package let value: (_ value: FieldValue, _ before: RecordSchema.Field, _ now: RecordSchema.Field) -> FieldValue?
    /// The same of a value as JSON text.
    package let json: (_ json: String, _ before: RecordSchema.Field, _ now: RecordSchema.Field) -> String?
    /// What a base keeps of a value.
    package let entry: (FieldValue, RecordSchema.Field) -> BaseEntry
    /// Whether a value of a column is what a base says, by the field as the store knows it.
    package let isSame: (FieldValue, BaseEntry, RecordSchema.Field) -> Bool

    /// Makes a conversion of its parts.
    package init(
        value: @escaping (FieldValue, RecordSchema.Field, RecordSchema.Field) -> FieldValue?,
        json: @escaping (String, RecordSchema.Field, RecordSchema.Field) -> String?,
        entry: @escaping (FieldValue, RecordSchema.Field) -> BaseEntry,
        isSame: @escaping (FieldValue, BaseEntry, RecordSchema.Field) -> Bool
    ) {
        (self.value, self.json, self.entry, self.isSame) = (value, json, entry, isSame)
    }
}
