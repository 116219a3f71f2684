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
            func text(_ value: FieldValue?) -> String {
                String(FieldJSON.text(value ?? .null, type: described.type).prefix(80))
            }
            return SyncError(
                .conflict,
                "`\(described.name)` of \(schema.entity) \(name) was changed on both sides (\(kind.rawValue)): here it is \(text(local)), at the source \(text(remote)). Its policy is `fail`, which ends the run. Make the two the same, or choose another `on_conflict`."
            )
        case .record(let kind):
            let what =
                kind == .editDelete
                ? "was edited here and is gone from the source" : "was deleted here and changed at the source"
            return SyncError(
                .conflict,
                "\(schema.entity) \(name) \(what) (\(kind.rawValue)). Its policy is `fail`, which ends the run. Take back what was done here, or choose another `on_conflict`."
            )
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
