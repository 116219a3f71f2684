package import SluiceModel

/// How what is stored of a field passes from one type to another.
package struct FieldConversion {
    /// A value in the type of a field that had another one before; nil where something of it would be lost.
    package let value: (_ value: FieldValue, _ before: RecordSchema.Field, _ now: RecordSchema.Field) -> FieldValue?
    /// A value in the type of a field that had another one before, where something of it may be lost: another value may come of
    /// that in the type of before. Nil where the type has no such value.
    package let nearest: (_ value: FieldValue, _ before: RecordSchema.Field, _ now: RecordSchema.Field) -> FieldValue?
    /// What ``value`` makes of a value as JSON text.
    package let json: (_ json: String, _ before: RecordSchema.Field, _ now: RecordSchema.Field) -> String?
    /// What becomes of values that cannot pass to another type without loss.
    package enum Misfits: Sendable {
        /// Nothing is written.
        case refuse
        /// They go to the quarantine, and the column becomes null.
        case quarantine
    }

    /// What becomes of values that cannot pass.
    package var misfits = Misfits.refuse
    /// The value that JSON text stands for in a type; nil where it does not fit.
    package let parsed: (_ json: String, _ type: FieldType) -> FieldValue?
    /// What a base keeps of a value.
    package let entry: (FieldValue, RecordSchema.Field) -> BaseEntry
    /// Whether a value of a column is what a base says, by the field as the store knows it.
    package let isSame: (FieldValue, BaseEntry, RecordSchema.Field) -> Bool

    /// Makes a conversion of its parts.
    package init(
        value: @escaping (FieldValue, RecordSchema.Field, RecordSchema.Field) -> FieldValue?,
        nearest: @escaping (FieldValue, RecordSchema.Field, RecordSchema.Field) -> FieldValue? = { _, _, _ in nil },
        json: @escaping (String, RecordSchema.Field, RecordSchema.Field) -> String?,
        parsed: @escaping (String, FieldType) -> FieldValue?,
        entry: @escaping (FieldValue, RecordSchema.Field) -> BaseEntry,
        isSame: @escaping (FieldValue, BaseEntry, RecordSchema.Field) -> Bool
    ) {
        (self.value, self.nearest, self.json) = (value, nearest, json)
        (self.parsed, self.entry, self.isSame) = (parsed, entry, isSame)
    }
}
