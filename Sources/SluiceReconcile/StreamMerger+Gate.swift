internal import SluiceModel
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// Records that a saved plan does not show as they are now.
extension StreamMerger {
    /// Whether a record is left as it is, with all that stands within it.
    ///
    /// - Parameters:
    ///   - plan: What would become of it.
    ///   - facts: What the store holds of it.
    ///   - isGone: Whether its source no longer lists it, so that it was not read.
    /// - Returns: True where a saved plan does not show it so.
    mutating func holdsBack(_ plan: RecordPlan, _ facts: RecordFacts, isGone: Bool = false) -> Bool {
        guard let gate = context.gate, !plan.isIdle, !plan.restatesBase(facts, canonical) else { return false }
        let mark = PlanMark(plan, facts, canonical, source: sourceDigest)
        if gate.admits(mark.value, of: plan.key, schema) { return false }
        holdBack(plan.key, ordinal: plan.ordinal)
        // What is not counted otherwise is not counted so either.
        if plan.outcome == .none && !isGone && !plan.isStated { report.summary.stale -= 1 }
        if isGone { report.goneStale += 1 }
        return true
    }

    /// The records of a batch that are to be inserted as they were planned.
    mutating func admittedInserts(_ records: [Int], of batch: borrowing RecordBatch) -> [Int] {
        guard let gate = context.gate else { return records }
        var admitted: [Int] = []
        for record in records {
            let key = batch.key(of: record, schema: schema)
            let mark = PlanMark(insertOf: key, values: batch.rowHashes[record], source: sourceDigest)
            if gate.admits(mark.value, of: key, schema) {
                admitted.append(record)
            } else {
                holdBack(key, ordinal: batch.origins[record].ordinal)
            }
        }
        return admitted
    }

    private mutating func holdBack(_ key: RecordKey, ordinal: Int?) {
        report.summary.stale += 1
        if keepsHeldBack { heldBack.insert(KeyHash.hash(key)) }
        if let ordinal { passedOver.insert(ordinal) }
    }

    var sourceDigest: UInt64 { PlanGate.digest(of: schema) }
}
