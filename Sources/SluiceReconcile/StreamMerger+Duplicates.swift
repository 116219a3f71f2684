internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Records whose key came more than once in the run.
extension StreamMerger {
    /// Counts a record that is not merged because its key came more than once.
    ///
    /// Of each key one record counts by its outcome, which may be `quarantined`; the others are duplicates.
    mutating func isDuplicate(
        _ record: Int, of batch: borrowing RecordBatch, _ duplicates: DuplicateIndex
    ) throws -> Bool {
        guard duplicates.mayRepeat(record, in: batch) else { return false }
        recordContent(record, of: batch, duplicates)
        switch duplicates.verdict(on: record, of: batch, schema: schema) {
        case .stands: return false
        case .superseded:
            report.duplicates += 1
            forgetMeeting(record)
        case .disputed:
            report.quarantined += 1
            report.summary.quarantined += 1
            let key = batch.key(of: record, schema: schema)
            refusals.append(
                Refusal(
                    key: key, reason: .duplicate,
                    message:
                        "Records of one run have this key and differ, so none of them was written. Correct the source, or set another `on_duplicate`.",
                    ordinals: duplicates.contents(of: key)))
        }
        return true
    }

    /// Tells records that are lost by their key from those that are alike. Those in quarantine are not lost.
    private mutating func recordContent(_ record: Int, of batch: borrowing RecordBatch, _ duplicates: DuplicateIndex) {
        let key = batch.key(of: record, schema: schema)
        guard duplicates.contents(of: key).isEmpty else { return }
        let content = DuplicateTally.content(of: record, in: batch, schema: schema)
        guard let others = tally.record(key, content: content) else { return }
        report.differing.add(
            batch.keyHashes[record], besides: others, key: FieldJSON.object(key: key, schema: schema))
    }

    /// A record whose key counts as met already.
    mutating func forgetMeeting(_ record: Int) {
        if lookup.findings[record] == .unchanged { liveMet -= 1 }
        if let base = lookup.rows[record], base.state.isListed { liveMet -= 1 }
    }
}
