internal import SluiceModel
internal import SluiceReport

/// Lists that a saved plan does not show as they are now.
extension StreamMerger {
    /// Whether a list that is one value is left as it is.
    ///
    /// - Parameters:
    ///   - conflict: What would become of it.
    ///   - outcome: How the conflict would be decided.
    ///   - owner: The record that it belongs to.
    /// - Returns: True where a saved plan does not show it so.
    mutating func holdsBack(_ conflict: ListConflict, _ outcome: String, of owner: RecordKey) -> Bool {
        guard let gate = context.gate else { return false }
        let mark = PlanMark(conflict.entry, known: conflict.known, outcome, of: owner, source: sourceDigest)
        if gate.admits(mark.value, of: owner, schema) { return false }
        report.summary.stale += 1
        return true
    }
}
