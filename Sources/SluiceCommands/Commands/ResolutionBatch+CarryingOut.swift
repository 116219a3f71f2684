internal import SluiceReview
internal import SluiceStore

extension ResolutionBatch {
    /// Carries everything out within the store's transaction.
    mutating func carryOut(on store: any RecordStore) throws {
        let positions = items.indices.filter { items[$0].decision != nil }
        var decisions = positions.compactMap { items[$0].decision }
        let resolved = try ConflictResolver(store: store).carryOut(&decisions, who: who, note: note)
        (runs, problems) = (resolved.ids, resolved.problems)
        for (position, decision) in zip(positions, decisions) {
            items[position].decision = decision
            items[position].outcome = decision.outcome ?? .refused("It was not tried. This is a bug in sluice.")
        }
    }
}
