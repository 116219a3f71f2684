internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePlans
package import SluiceReport
internal import SluiceStore

/// References that must not be empty, or that a table does not let be.
extension StreamMerger {
    /// Whether a record cannot be taken since what it leads to is not there; it is counted and kept then.
    mutating func isUnmet(_ record: Int, of batch: borrowing RecordBatch) -> Bool {
        let key = batch.key(of: record, schema: schema)
        guard let reference = unmet.refused[key] else { return false }
        let place =
            "`\(reference.name)` leads to \(reference.targetKey.words) of `\(reference.target)`, which is not there"
        report.quarantined += 1
        report.summary.quarantined += 1
        refusals.append(
            Refusal(
                key: key, reason: reference.refusal == nil ? .unmetReference : .constraint,
                message: reference.refusal.map { "\(place). \($0) Every run tries again." }
                    ?? "\(place), and must not be empty. The record can be taken once that is there; each run that reads it tries again.",
                ordinals: [batch.origins[record].ordinal]))
        return true
    }

    /// Counts the rows that stay although their source lists them no longer, since others lead to them.
    ///
    /// - Returns: What people should know of it, of those that models need and of those of which a table does not let go.
    /// - Throws: `StoreError`.
    package mutating func keepNeeded() throws -> [RunProblem] {
        if unmet.needed.isEmpty { return [] }
        let keys = unmet.needed.keys.sorted()
        if keys.isEmpty { return [] }
        let rows = try context.table.localRows(keys)
        let kept = zip(keys, rows).filter { $0.1 != nil }.map(\.0)
        report.summary.deleteRefused += kept.count
        return [false, true].compactMap { isRefused in
            problem(ofKept: kept.filter { (unmet.needed[$0]?.refusal != nil) == isRefused })
        }
    }

    private func problem(ofKept kept: [RecordKey]) -> RunProblem? {
        guard let first = kept.first, let reference = unmet.needed[first] else { return nil }
        let (verb, pronoun) = (Plural.word(kept.count, "stays", "stay"), Plural.word(kept.count, "it", "them"))
        let place =
            "\(Plural.of(kept.count, "record")) of `\(schema.table)` \(Plural.word(kept.count, "is", "are")) gone from the source and \(verb), since others \(reference.refusal == nil ? "need" : "lead to") \(pronoun): \(FieldJSON.object(key: first, schema: schema)) is what `\(reference.name)` of \(reference.owner.words) of `\(reference.table)` leads to"
        var problem = RunProblem(
            code: reference.refusal == nil ? "delete_needed" : "delete_rejected", severity: .warning,
            message: reference.refusal.map { "\(place). \($0) Every run tries again." }
                ?? "\(place), which must not be empty. Change or delete what leads there; every run tries again."
        )
        problem.entity = schema.entity
        problem.keys = kept.prefix(RunProblem.listedKeys).map { FieldJSON.object(key: $0, schema: schema) }
        problem.unlisted = max(0, kept.count - RunProblem.listedKeys)
        return problem
    }
}
