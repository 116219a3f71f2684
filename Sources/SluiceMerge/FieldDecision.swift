package import SluiceModel

/// How base, local and remote relate, in the words of the report.
package enum FieldClass: String, Sendable, CaseIterable {
    case noInfo = "no_info"
    case unchanged
    case converged
    case fill
    case remoteUpdate = "remote_update"
    case remoteClear = "remote_clear"
    case localOverride = "local_override"
    case keptLocal = "kept_local"
    case driftOverwritten = "drift_overwritten"
    /// Both sides changed parts of the value, and their changes go together.
    case merged
    case addAdd = "add_add"
    case editEdit = "edit_edit"
    case clearEdit = "clear_edit"
    case editClear = "edit_clear"
    /// Two sources of one table say different things.
    case disagreement
    /// Another row has the value that the source gives, and values of the field must be unique.
    case uniqueCollision = "unique_collision"
    /// A reference is null until the record comes to which it leads.
    case waiting
    /// A reference is null for good, since the record went to which it led.
    case emptied

    /// Whether both sides changed the value, each to something else.
    package var isDivergent: Bool {
        switch self {
        case .addAdd, .editEdit, .clearEdit, .editClear, .disagreement: true
        default: false
        }
    }
}

/// What becomes of one field.
package struct FieldDecision: Sendable, Hashable {
    /// How a divergent field ends.
    package enum Settlement: Sendable, Hashable {
        /// Nothing had to be decided.
        case notNeeded
        /// The policy decided.
        case byPolicy
        /// The order of the sources decided.
        case byPrecedence
        /// A person must decide: the store keeps the local value and the base stays.
        case open
        /// The policy is to fail the run.
        case failed
    }

    /// What the store holds afterwards.
    package enum Result: Sendable, Hashable {
        /// The local value stands.
        case local
        /// The remote value is written.
        case remote
        /// A value with both sides' changes is written.
        case merged(FieldValue)
    }

    /// How the three sides relate.
    package var fieldClass: FieldClass
    /// What the store holds afterwards.
    package var result: Result
    /// Whether the base becomes what the remote said.
    package var advancesBase: Bool
    /// How a divergent field ends.
    package var settlement: Settlement = .notNeeded
    /// The position among the other sources of the one that disagrees.
    package var claim: Int?

    /// Whether the field was divergent and nobody has to decide it any more.
    package var isSettled: Bool { settlement == .byPolicy || settlement == .byPrecedence }
    /// Whether the remote value is written to the store.
    package var takesRemote: Bool { result == .remote }
    /// Whether anything is written to the store.
    package var writes: Bool { result != .local }

    /// Makes a decision for one of the two sides.
    package init(fieldClass: FieldClass, takesRemote: Bool, advancesBase: Bool, settlement: Settlement = .notNeeded) {
        self.fieldClass = fieldClass
        result = takesRemote ? .remote : .local
        self.advancesBase = advancesBase
        self.settlement = settlement
    }

    /// Makes the decision for a value whose changes of both sides go together.
    package init(merged result: Result) {
        fieldClass = .merged
        self.result = result
        advancesBase = true
    }
}
