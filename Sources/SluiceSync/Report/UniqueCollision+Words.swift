internal import SluiceMerge
internal import SluiceStore

extension UniqueCollision {
    /// What collides, as a sentence.
    func words(_ schema: RecordSchema) -> String {
        if fields.isEmpty { return "The table `\(schema.table)` refuses it: \(reason)." }
        let names = fields.map { "`\(schema.fields[$0].name)`" }.joined(separator: ", ")
        let holder = holder.map { " by \(FieldJSON.object(key: $0, schema: schema))" } ?? ""
        return "The values of \(names), which must be unique, are taken\(holder)."
    }
}
