/// What one side says of a field: a digest of the value in canonical form, null, or nothing at all.
public enum FieldSide: Sendable, Hashable {
    /// The base: this source never gave the field. The remote: the key is absent. Never the local side.
    case nothing
    case null
    case value(UInt64)

    /// The side that a digest stands for; 0 says nothing.
    @inlinable
    public init(digest: UInt64) {
        self = digest == 0 ? .nothing : digest == FieldDigest.null ? .null : .value(digest)
    }
}

/// How base, local and remote relate, in the words of the report.
public enum FieldClass: String, Sendable, CaseIterable {
    case noInfo = "no_info"
    case unchanged
    case converged
    case fill
    case remoteUpdate = "remote_update"
    case remoteClear = "remote_clear"
    case localOverride = "local_override"
    case keptLocal = "kept_local"
    case driftOverwritten = "drift_overwritten"
    case addAdd = "add_add"
    case editEdit = "edit_edit"
    case clearEdit = "clear_edit"
    case editClear = "edit_clear"

    /// Whether both sides changed the value, each to something else.
    public var isDivergent: Bool {
        switch self {
        case .addAdd, .editEdit, .clearEdit, .editClear: true
        default: false
        }
    }
}

/// What becomes of one field.
public struct FieldDecision: Sendable, Hashable {
    /// How a divergent field ends.
    public enum Settlement: Sendable, Hashable {
        /// Nothing had to be decided.
        case notNeeded
        /// The policy decided.
        case byPolicy
        /// A person must decide: the store keeps the local value and the base stays.
        case open
        /// The policy is to fail the run.
        case failed
    }

    /// How the three sides relate.
    public var fieldClass: FieldClass
    /// Whether the remote value is written to the store; else the local one stands.
    public var takesRemote: Bool
    /// Whether the base becomes what the remote said.
    public var advancesBase: Bool
    /// How a divergent field ends.
    public var settlement: Settlement = .notNeeded
}

/// Which side's timestamp is newer, where a pipeline names a timestamp field.
public enum NewestSide: Sendable, Hashable {
    case local, remote
    /// No timestamp on one side, or the local edit has none of its own.
    case unknown
}

/// The three-way merge of one field: cases 1 to 27 of the truth table.
public enum FieldMerge {
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
    public static func decide(
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

    private static func remoteChange(_ base: FieldSide, _ remote: FieldSide) -> FieldClass {
        if base == .nothing { return .fill }
        return remote == .null ? .remoteClear : .remoteUpdate
    }

    private static func divergence(_ base: FieldSide, _ local: FieldSide, _ remote: FieldSide) -> FieldClass {
        if base == .nothing { return .addAdd }
        if local == .null { return .clearEdit }
        return remote == .null ? .editClear : .editEdit
    }

    private static func settle(_ fieldClass: FieldClass, policy: ConflictPolicy, newest: NewestSide) -> FieldDecision {
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
