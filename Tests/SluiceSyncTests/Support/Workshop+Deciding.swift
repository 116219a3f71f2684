import SluiceReview
import SluiceStore

extension Workshop {
    /// Decides all open conflicts in one way.
    ///
    /// - Parameter resolution: How.
    /// - Returns: The numbers of the runs that it makes.
    /// - Throws: What the store throws, and ``Disagreement`` where one is not resolved.
    @discardableResult
    func resolve(all resolution: Resolution) throws -> [Int64] {
        let store = try open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
        let runs = try ConflictResolver(store: store).carryOut(&decisions, who: "ada").ids
        guard decisions.allSatisfy({ $0.outcome == .resolved }) else { throw Disagreement(what: "\(decisions)") }
        try store.commit()
        return runs
    }
}
