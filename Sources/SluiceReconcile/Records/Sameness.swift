package import SluiceModel
internal import SluicePlans

/// Compares what columns hold with what bases say, field by field as the store knows them.
package final class Sameness {
    private var records: [String: CanonicalRecord] = [:]

    /// Makes a comparison.
    package init() {}

    /// Whether a value is what a base says; where the base says nothing, null is.
    package func holds(_ value: FieldValue, _ entry: BaseEntry, _ field: RecordSchema.Field) -> Bool {
        if entry == .none { return value.isNull }
        let record = record(of: field)
        return record.sides(of: [entry]) == record.sides(of: [value])
    }

    /// What a base keeps of a value.
    package func entry(_ value: FieldValue, _ field: RecordSchema.Field) -> BaseEntry {
        record(of: field).entry(value, field: 0)
    }

    private func record(of field: RecordSchema.Field) -> CanonicalRecord {
        let rules = "\(field.comparison.rawValue)/\(field.baseKeeping)"
        let name = "\(field.name)/\(field.column)/\(field.type.rawValue)/\(rules)"
        if let known = records[name] { return known }
        let record = CanonicalRecord(
            schema: RecordSchema(pipeline: "", stream: "", entity: "", table: "", fields: [field], keyFields: [0]))
        records[name] = record
        return record
    }
}
