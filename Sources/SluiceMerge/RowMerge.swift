package import SluiceModel

/// What the store holds of a record.
package enum LocalRow: Sendable, Hashable {
    /// No row, or a soft-deleted one.
    case absent
    case present(isEdited: Bool)
}

/// What the source says of a record.
package enum RemoteRow: Sendable, Hashable {
    /// Not read, and not known to be gone.
    case unseen
    /// An explicit delete, or absent from a complete scan.
    case gone
    /// Gone as before, while another source of the same table still has it.
    case goneHere
    /// Read; whether it differs from the base.
    case present(isChanged: Bool)
}

/// How base, local and remote relate for a whole record, in the words of the report.
package enum RowKind: String, Sendable, CaseIterable {
    case insert, adopt, unmanaged, unchanged, update, delete, merge, converged, resurrect, unseen
    case localOverride = "local_override"
    case editDelete = "edit_delete"
    case localDelete = "local_delete"
    case deleteEdit = "delete_edit"
    case heldElsewhere = "held_elsewhere"
    /// What belongs to it stays, so that it cannot go.
    case heldBelow = "held_below"
    /// The record that it belongs to is not there, so that it cannot come back.
    case ownerGone = "owner_gone"
}

/// What becomes of a record.
package struct RowDecision: Sendable, Hashable {
    /// What is done to the row of the entity's table.
    package enum Action: Sendable, Hashable {
        case nothing
        /// A new row of the remote values alone.
        case insert
        /// The fields are merged one by one.
        case mergeFields
        /// The row goes, as `delete_missing` says.
        case delete
        /// A person must decide; the row stays as it is.
        case conflict
        /// The policy is to fail the run.
        case fail
    }

    /// How the three sides relate.
    package var kind: RowKind
    /// What is done to the row.
    package var action: Action
    /// What the base becomes; nil leaves it as it is.
    package var newState: BaseState?
    /// Whether the base takes the remote values although the row does not.
    package var advancesBase = false
    /// Whether the policy decided a conflict.
    package var isSettledByPolicy = false
}

/// The three-way merge of a whole record: cases r1 to r22 of the truth table.
package enum RowMerge {
    /// Decides what becomes of a record.
    ///
    /// - Parameters:
    ///   - base: What the store remembers, nil where it never managed the record.
    ///   - local: What the store holds.
    ///   - remote: What the source says.
    ///   - policy: What decides `edit_delete` and `delete_edit`; `newest_wins` never does.
    ///   - mode: How records get into the table; `replace` brings back what was deleted there.
    /// - Returns: The action, and what the base becomes.
    package static func decide(
        base: BaseState?, local: LocalRow, remote: RemoteRow, policy: ConflictPolicy = .manual,
        mode: WriteMode = .merge
    ) -> RowDecision {
        switch (base, local, remote) {
        case (.live, .absent, .present) where mode == .replace,
            (.localTombstone, .absent, .present) where mode == .replace:
            RowDecision(kind: .resurrect, action: .insert, newState: .live)
        case (_, _, .unseen):
            RowDecision(kind: .unseen, action: .nothing)
        case (nil, .absent, .present):
            RowDecision(kind: .insert, action: .insert, newState: .live)
        case (nil, .present, .present):
            RowDecision(kind: .adopt, action: .mergeFields, newState: .live)
        case (nil, _, .gone), (nil, _, .goneHere):
            RowDecision(kind: .unmanaged, action: .nothing)
        case (.live, .present(let isEdited), .present(let isChanged)):
            live(isEdited: isEdited, isChanged: isChanged)
        case (.live, .present(isEdited: false), .gone), (.localTombstone, .present(isEdited: false), .gone):
            RowDecision(kind: .delete, action: .delete, newState: .remoteTombstone)
        case (.live, .present(isEdited: true), .gone), (.localTombstone, .present(isEdited: true), .gone):
            editDelete(policy)
        case (.live, .absent, .present(isChanged: false)), (.localTombstone, .absent, .present(isChanged: false)):
            RowDecision(kind: .localDelete, action: .nothing)
        case (.live, .absent, .present(isChanged: true)), (.localTombstone, .absent, .present(isChanged: true)):
            deleteEdit(policy)
        case (.live, .absent, .gone), (.localTombstone, .absent, .gone):
            RowDecision(kind: .converged, action: .nothing, newState: .remoteTombstone)
        // A source that lists what another one said is deleted has to say something new of it, or to have missed it.
        case (.overruled, .absent, .present(isChanged: false)):
            RowDecision(kind: .unchanged, action: .nothing)
        case (.overruled, .absent, .gone), (.overruled, .absent, .goneHere):
            RowDecision(kind: .converged, action: .nothing, newState: .remoteTombstone)
        case (.overruled, .present, .gone), (.overruled, .present, .goneHere):
            RowDecision(kind: .unmanaged, action: .nothing, newState: .remoteTombstone)
        case (.remoteTombstone, .absent, .present), (.statedTombstone, .absent, .present),
            (.overruled, .absent, .present(isChanged: true)):
            RowDecision(kind: .resurrect, action: .insert, newState: .live)
        case (.remoteTombstone, .present, .present), (.localTombstone, .present, .present),
            (.statedTombstone, .present, .present), (.overruled, .present, .present):
            RowDecision(kind: .adopt, action: .mergeFields, newState: .live)
        case (.remoteTombstone, _, .gone), (.remoteTombstone, _, .goneHere):
            RowDecision(kind: .unmanaged, action: .nothing)
        // What a source no longer states it may state anew.
        case (.statedTombstone, _, .gone), (.statedTombstone, _, .goneHere):
            RowDecision(kind: .unmanaged, action: .nothing, newState: .remoteTombstone)
        case (.live, _, .goneHere), (.localTombstone, _, .goneHere):
            RowDecision(kind: .heldElsewhere, action: .nothing, newState: .remoteTombstone)
        }
    }

    private static func live(isEdited: Bool, isChanged: Bool) -> RowDecision {
        switch (isEdited, isChanged) {
        case (false, false): RowDecision(kind: .unchanged, action: .nothing)
        case (false, true): RowDecision(kind: .update, action: .mergeFields, newState: .live)
        case (true, false): RowDecision(kind: .localOverride, action: .nothing)
        case (true, true): RowDecision(kind: .merge, action: .mergeFields, newState: .live)
        }
    }

    private static func editDelete(_ policy: ConflictPolicy) -> RowDecision {
        switch policy {
        case .remoteWins:
            RowDecision(kind: .editDelete, action: .delete, newState: .remoteTombstone, isSettledByPolicy: true)
        case .localWins:
            RowDecision(kind: .editDelete, action: .nothing, newState: .remoteTombstone, isSettledByPolicy: true)
        case .fail: RowDecision(kind: .editDelete, action: .fail)
        case .manual, .newestWins: RowDecision(kind: .editDelete, action: .conflict)
        }
    }

    private static func deleteEdit(_ policy: ConflictPolicy) -> RowDecision {
        switch policy {
        case .remoteWins:
            RowDecision(kind: .deleteEdit, action: .insert, newState: .live, isSettledByPolicy: true)
        case .localWins:
            RowDecision(
                kind: .deleteEdit, action: .nothing, newState: .localTombstone, advancesBase: true,
                isSettledByPolicy: true)
        case .fail: RowDecision(kind: .deleteEdit, action: .fail)
        case .manual, .newestWins: RowDecision(kind: .deleteEdit, action: .conflict)
        }
    }
}
