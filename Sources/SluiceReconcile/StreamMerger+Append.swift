internal import SluiceModel
package import SluiceReport

/// Streams that only add rows: what they promise, their source may not hold.
extension StreamMerger {
    /// Quarantines a record whose key a row has that the stream did not write.
    mutating func refuseTaken(_ key: RecordKey, ordinal: Int) {
        passedOver.insert(ordinal)
        report.quarantined += 1
        report.summary.quarantined += 1
        refusals.append(
            Refusal(
                key: key, reason: .keyTaken,
                message:
                    "The table `\(schema.table)` has a row with this key that the stream did not write, and `write_mode: append` only adds rows. `insert_only` leaves such rows as they are; `merge` merges them.",
                ordinals: [ordinal]))
    }

    /// Notes a record that changed after its row was added, which stays as it is.
    mutating func noteChange(of key: RecordKey) {
        guard schema.writeMode == .append else { return }
        changedAfterAppend = ((changedAfterAppend?.count ?? 0) + 1, changedAfterAppend?.first ?? key)
    }

    /// What people should know of such changes; each is told once.
    package var appendProblem: RunProblem? {
        changedAfterAppend.map { count, first in
            RunProblem(
                code: "changed_after_append", severity: .warning,
                message:
                    "\(count) \(count == 1 ? "record" : "records") of `\(schema.stream)` changed after they were added, for example \(FieldJSON.object(key: first, schema: schema)). Their rows stay as they are; use `write_mode: merge` to take changes, or `insert_only` where they are no matter."
            )
        }
    }
}
