internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReport

/// Why runs fail and records are refused, in words.
extension PolicyFailure {
    /// The failure in words.
    func described(_ schema: RecordSchema) -> SyncError {
        let name = FieldJSON.object(key: key, schema: schema)
        switch subject {
        case .field(let field, let kind, let local, let remote):
            let described = schema.fields[field]
            func json(_ value: FieldValue?) -> String { FieldJSON.text(value ?? .null, type: described.type) }
            func text(_ value: FieldValue?) -> String { String(json(value).prefix(80)) }
            func words(_ name: String, _ sides: String) -> String {
                "`\(described.name)` of \(schema.entity) \(name) was changed on both sides (\(kind.rawValue))\(sides). Its policy is `fail`, which ends the run. Make the two the same, or choose another `on_conflict`."
            }
            var error = SyncError(
                .conflict, words(name, ": here it is \(text(local)), at the source \(text(remote))"))
            error.plain = words(key.text, "")
            error.place = RecordPlace(entity: schema.entity, key: key, field: described.name)
            error.values = [("store", json(local)), ("source", json(remote))]
            return error
        case .record(let kind):
            let what =
                kind == .editDelete
                ? "was edited here and is gone from the source" : "was deleted here and changed at the source"
            func words(_ name: String) -> String {
                "\(schema.entity) \(name) \(what) (\(kind.rawValue)). Its policy is `fail`, which ends the run. Take back what was done here, or choose another `on_conflict`."
            }
            var error = SyncError(.conflict, words(name))
            error.plain = words(key.text)
            error.place = RecordPlace(entity: schema.entity, key: key)
            return error
        }
    }
}

extension RecordPlan.Rejection {
    /// The reason that the quarantine names.
    var reason: Mismatch.Reason {
        switch self {
        case .keyTaken: .keyTaken
        }
    }

    /// What is wrong and what to do, as sentences.
    func message(_ schema: RecordSchema) -> String {
        switch self {
        case .keyTaken:
            "The table `\(schema.table)` has a row with this key that the stream did not write, and `write_mode: append` only adds rows. `insert_only` leaves such rows as they are; `merge` merges them."
        }
    }
}
