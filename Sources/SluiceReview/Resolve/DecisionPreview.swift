package import SluiceReport
package import SluiceStore

/// What a decision on a conflict would do besides the record that it is about.
package struct DecisionPreview: Sendable {
    /// The decision, with how it would end.
    package let decision: ConflictDecision
    /// What would become of records that stand within others, by entity.
    package let within: [String: RunCounts]
    /// What people should know of what goes along.
    package let problems: [RunProblem]
}

extension ConflictResolver {
    /// Carries a decision out in a transaction of its own, which is taken back.
    ///
    /// - Parameters:
    ///   - entry: The conflict.
    ///   - resolution: What would stand from now on.
    /// - Returns: What that did.
    /// - Throws: `StoreError`.
    package func preview(_ entry: ConflictEntry, _ resolution: Resolution) throws -> DecisionPreview {
        try store.begin()
        defer { store.rollback() }
        var decisions = [ConflictDecision(entry, resolution)]
        let runs = try carryOut(&decisions, who: nil)
        return DecisionPreview(decision: decisions[0], within: runs.within, problems: runs.problems)
    }
}
