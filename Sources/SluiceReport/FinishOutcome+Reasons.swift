package import SluiceModel
internal import SluiceStore

extension FinishOutcome {
    /// Why records were not written, in the order of their keys.
    package func reasons(_ schema: RecordSchema) -> [(key: RecordKey, reason: String)] {
        let refusals = refused.map { key, refusal in
            (key: key, reason: "\(refusal.words(schema)) \(refusal.remedy)")
        }
        let taken = collisions.map { (key: $0.write.key, reason: $0.sentence(schema)) }
        return (refusals + taken).sorted { $0.key < $1.key }
    }
}

extension UniqueCollision {
    /// Which values are taken, and by which row.
    package func sentence(_ schema: RecordSchema) -> String {
        let names = held.map { "`\(schema.fields[$0.field].name)`" }.joined(separator: ", ")
        let holder = held.lazy.compactMap(\.holder).first
        let by = holder.map { " by \(FieldJSON.object(key: $0, schema: schema))" } ?? ""
        return "The values of \(names), which must be unique, are taken\(by)."
    }
}
