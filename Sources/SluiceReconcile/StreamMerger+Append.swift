internal import SluiceDiagnostics
internal import SluiceModel
package import SluiceReport

/// Streams that only add rows: what they promise, their source may not hold.
extension StreamMerger {
    /// Records a record that changed after its row was added, which stays as it is.
    mutating func recordChange(of key: RecordKey) {
        changedAfterAppend = ((changedAfterAppend?.count ?? 0) + 1, changedAfterAppend?.first ?? key)
    }

    /// What people should know of such changes; each is told once.
    package var appendProblem: RunProblem? {
        changedAfterAppend.map { count, first in
            RunProblem(
                code: "changed_after_append", severity: .warning,
                message:
                    "\(Plural.of(count, "record")) of `\(schema.stream)` changed after \(Plural.word(count, "it was", "they were")) added, for example \(FieldJSON.object(key: first, schema: schema)). \(Plural.word(count, "Its row stays as it is", "Their rows stay as they are")); use `write_mode: merge` to take changes, or `insert_only` where they do not matter."
            )
        }
    }
}
