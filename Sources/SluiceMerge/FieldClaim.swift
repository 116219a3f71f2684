package import SluiceModel

/// What another source of the same table said of a field when it was last settled.
package struct FieldClaim: Sendable, Hashable {
    /// The position of the source among the others.
    package var source: Int
    /// What it said, null or a value.
    package var side: FieldSide
    /// Whether the source still has the record.
    package var isLive: Bool
    /// Whether the source goes before the one whose record is merged.
    package var rank: SourceOrder.Rank
    /// Whether the source was settled under the order that holds, so that its value was in the row unless another one went before; where
    /// it has the record no longer, as long as no other one took the field up.
    package var isSettled: Bool
    /// Whether nobody has to have written the value for the row to hold it, see ``standing(_:keepsOut:)``.
    package var stands: Bool

    /// Makes a claim.
    package init(
        source: Int, side: FieldSide, isLive: Bool, rank: SourceOrder.Rank, isSettled: Bool = false,
        stands: Bool = true
    ) {
        self.source = source
        self.side = side
        self.isLive = isLive
        self.rank = rank
        self.isSettled = isSettled
        self.stands = stands
    }

    /// Which of the values that several sources gave a row can hold without anybody's having written it there: another one is
    /// an edit, also where a source says it that comes after.
    ///
    /// - Parameters:
    ///   - said: What each source said of the field.
    ///   - keepsOut: Whether what the first of two sources gave keeps out what the second did, since it goes before and was settled
    ///     under the order that holds.
    /// - Returns: For each, false where one that goes before it gave the field, null or a value: that was there.
    package static func standing(_ said: [FieldSide], keepsOut: (Int, Int) -> Bool) -> [Bool] {
        said.indices.map { index in
            !said.indices.contains { $0 != index && said[$0] != .nothing && keepsOut($0, index) }
        }
    }

    /// Whether a value can be in the row since the source gave it.
    package func explains(_ local: FieldSide) -> Bool { stands && side == local }

    /// Whether the row would hold the value of the source if nobody had changed it.
    ///
    /// - Parameter local: The value that it holds.
    /// - Returns: Whether it is not what the source gave, which goes before.
    package func overrules(_ local: FieldSide) -> Bool {
        stands && rank == .above && isSettled && side != .nothing && side != local
    }

    /// Whether somebody wrote the value that a row holds.
    ///
    /// - Parameters:
    ///   - local: The value.
    ///   - base: What the source whose record is looked at said of the field.
    ///   - unsaid: What a row holds of a field that no source ever gave.
    ///   - claims: What the others said of it.
    /// - Returns: Whether no source gave it, or only one that comes after another one, which gave the field.
    package static func isEdit(
        _ local: FieldSide, of base: FieldSide, unsaid: FieldSide, beside claims: [FieldClaim]
    ) -> Bool {
        if claims.contains(where: { $0.explains(local) }) { return false }
        if base == .nothing { return !claims.isEmpty || local != unsaid }
        return local != base || claims.contains { $0.overrules(local) }
    }
}

extension FieldSide {
    /// Whether it is neither null nor nothing.
    package var isValue: Bool { self != .nothing && self != .null }
}

/// A field that several sources write: what one of them gave is no edit, unless another one that goes before had given something
/// else, a null as well; and the order among them decides.
///
/// What stands is what the first of those sources says that have the record and gave the field, whichever is read when.
extension FieldMerge {
    /// Whether what other sources say can make a difference to a decision.
    package static func needsClaims(_ decision: FieldDecision) -> Bool {
        switch decision.fieldClass {
        case .noInfo, .unchanged, .converged: false
        default: true
        }
    }

    /// What becomes of a value that a policy would let in, where a source that goes before says something else; nil where none does.
    static func gainsaid(_ remote: FieldSide, by claims: [FieldClaim]) -> FieldDecision? {
        claims.first { $0.isLive && $0.rank == .above && $0.side != remote }
            .map { disagreement(.byPrecedence, advancesBase: true, with: $0.source) }
    }

    /// Decides a field again, now knowing what other sources say of it.
    ///
    /// - Parameters:
    ///   - plain: What was decided from the source's own base, without any policy.
    ///   - base: What the source said last time that was settled.
    ///   - local: What the store holds.
    ///   - remote: What the source says now.
    ///   - owner: Who may change the field.
    ///   - claims: What the others say, those that go before in their order first.
    /// - Returns: The decision, where it is open and no disagreement of sources still without a policy.
    static func weigh(
        _ plain: FieldDecision, base: FieldSide, local: FieldSide, remote: FieldSide, owner: FieldOwner,
        claims: [FieldClaim]
    ) -> FieldDecision {
        // An absent key says nothing, against whomever.
        guard remote != .nothing, needsClaims(plain), owner != .local, !claims.isEmpty else { return plain }
        let isNews = remote != base
        let holders = claims.filter { $0.explains(local) }
        // What a source left that has the record no longer passes to the first of those that have it.
        let heir = claims.first { $0.isLive && $0.rank == .above && !$0.stands && $0.side != remote }
        let first = holders.first { $0.isLive && $0.rank == .above } ?? heir
        let isOwn = base != .nothing && local == base
        if isOwn, let above = claims.first(where: { $0.overrules(local) }) {
            // Somebody preferred the value to that of the source that goes before.
            return isNews
                ? disagreement(.byPrecedence, advancesBase: true, with: above.source)
                : kept(.localOverride, isNews: false)
        }
        // What a source alone gave is its own to change.
        if isOwn && first == nil { return plain }
        let blocker = first ?? claims.first { $0.isLive && $0.rank == .above && $0.side != remote }
        if holders.isEmpty {
            // What another source that has the record said before is nothing new: what stands beside it is an edit of that.
            if owner != .remote, base == .nothing, remote != .null,
                claims.contains(where: { $0.isLive && $0.side == remote })
            {
                return kept(.localOverride, isNews: true)
            }
            guard owner == .remote else { return edited(plain) }
            return blocker == nil ? plain : kept(isNews ? .keptLocal : .localOverride, isNews: isNews)
        }
        if let blocker {
            return isNews
                ? disagreement(.byPrecedence, advancesBase: true, with: blocker.source)
                : kept(.unchanged, isNews: false)
        }
        if let other = holders.first(where: { $0.isLive && $0.rank == .undeclared }) {
            return isNews ? disagreement(.open, with: other.source) : kept(.unchanged, isNews: false)
        }
        guard let overruled = holders.first(where: \.isLive) else {
            // Whoever gave the value has the record no longer.
            return FieldDecision(fieldClass: remoteChange(base, remote), takesRemote: true, advancesBase: isNews)
        }
        return disagreement(.byPrecedence, takesRemote: true, advancesBase: isNews, with: overruled.source)
    }

    private static func disagreement(
        _ settlement: FieldDecision.Settlement, takesRemote: Bool = false, advancesBase: Bool = false,
        with source: Int
    ) -> FieldDecision {
        var decision = FieldDecision(
            fieldClass: .disagreement, takesRemote: takesRemote, advancesBase: advancesBase, settlement: settlement)
        decision.claim = source
        return decision
    }

    private static func kept(_ fieldClass: FieldClass, isNews: Bool) -> FieldDecision {
        FieldDecision(fieldClass: fieldClass, takesRemote: false, advancesBase: isNews)
    }

    /// A value that no source gave. Where it was cleared, a source that never gave the field does not fill it again.
    private static func edited(_ plain: FieldDecision) -> FieldDecision {
        guard plain.fieldClass == .fill else { return plain }
        return FieldDecision(fieldClass: .addAdd, takesRemote: false, advancesBase: false, settlement: .open)
    }
}
