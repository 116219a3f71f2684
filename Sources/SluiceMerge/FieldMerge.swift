package import SluiceModel

/// The three-way merge of one field: cases 1 to 27 of the truth table.
package enum FieldMerge {
    /// Decides what becomes of a field.
    ///
    /// - Parameters:
    ///   - base: What the source said last time that was settled.
    ///   - local: What the store holds, `.null` or a value.
    ///   - remote: What the source says now.
    ///   - owner: Who may change the field.
    ///   - policy: What decides a divergent field.
    ///   - newest: Which side is newer, for ``ConflictPolicy/newestWins``.
    /// - Returns: Which side stands, and whether the base advances.
    package static func decide(
        base: FieldSide, local: FieldSide, remote: FieldSide, owner: FieldOwner = .shared,
        policy: ConflictPolicy = .manual, newest: NewestSide = .unknown
    ) -> FieldDecision {
        let isLocalClean = local == base || (base == .nothing && local == .null)
        if remote == .nothing {
            let isEdited = base != .nothing && !isLocalClean
            return FieldDecision(
                fieldClass: isEdited ? .localOverride : .noInfo, takesRemote: false, advancesBase: false)
        }
        switch owner {
        case .remote: return ownedByRemote(base: base, local: local, remote: remote, isLocalClean: isLocalClean)
        case .local: return ownedByLocal(base: base, local: local, remote: remote)
        case .shared: break
        }
        if remote == base {
            return FieldDecision(
                fieldClass: isLocalClean ? .unchanged : .localOverride, takesRemote: false, advancesBase: false)
        }
        if local == remote { return FieldDecision(fieldClass: .converged, takesRemote: false, advancesBase: true) }
        if isLocalClean {
            return FieldDecision(fieldClass: remoteChange(base, remote), takesRemote: true, advancesBase: true)
        }
        // A null does not erase what was there before the first sync.
        if base == .nothing && remote == .null {
            return FieldDecision(fieldClass: .keptLocal, takesRemote: false, advancesBase: true)
        }
        return settle(divergence(base, local, remote), policy: policy, newest: newest)
    }

    static func remoteChange(_ base: FieldSide, _ remote: FieldSide) -> FieldClass {
        if base == .nothing { return .fill }
        return remote == .null ? .remoteClear : .remoteUpdate
    }

    private static func divergence(_ base: FieldSide, _ local: FieldSide, _ remote: FieldSide) -> FieldClass {
        if base == .nothing { return .addAdd }
        if local == .null { return .clearEdit }
        return remote == .null ? .editClear : .editEdit
    }

    package static func settle(_ fieldClass: FieldClass, policy: ConflictPolicy, newest: NewestSide) -> FieldDecision {
        let takesRemote: Bool
        switch (policy, newest) {
        case (.remoteWins, _), (.newestWins, .remote): takesRemote = true
        case (.localWins, _), (.newestWins, .local): takesRemote = false
        case (.fail, _):
            return FieldDecision(
                fieldClass: fieldClass, takesRemote: false, advancesBase: false, settlement: .failed)
        case (.manual, _), (.newestWins, .unknown):
            return FieldDecision(fieldClass: fieldClass, takesRemote: false, advancesBase: false, settlement: .open)
        }
        return FieldDecision(
            fieldClass: fieldClass, takesRemote: takesRemote, advancesBase: true, settlement: .byPolicy)
    }

    private static func ownedByRemote(
        base: FieldSide, local: FieldSide, remote: FieldSide, isLocalClean: Bool
    ) -> FieldDecision {
        let isNews = remote != base
        if local == remote {
            return FieldDecision(
                fieldClass: isNews ? .converged : .unchanged, takesRemote: false, advancesBase: isNews)
        }
        return FieldDecision(
            fieldClass: isLocalClean ? remoteChange(base, remote) : .driftOverwritten, takesRemote: true,
            advancesBase: isNews)
    }

    private static func ownedByLocal(base: FieldSide, local: FieldSide, remote: FieldSide) -> FieldDecision {
        let isNews = remote != base
        let fieldClass: FieldClass
        if local == remote {
            fieldClass = isNews ? .converged : .unchanged
        } else {
            fieldClass = isNews ? .keptLocal : .localOverride
        }
        return FieldDecision(fieldClass: fieldClass, takesRemote: false, advancesBase: isNews)
    }
}
