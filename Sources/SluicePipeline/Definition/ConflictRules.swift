package import SluiceModel

/// What decides the conflicts of an entity.
package struct ConflictRules: Sendable, Hashable {
    /// What two changes collide.
    package enum Kind: String, Sendable, CaseIterable {
        /// Both sides changed the value.
        case editEdit = "edit_edit"
        /// Cleared in the store, changed by the source.
        case clearEdit = "clear_edit"
        /// Changed in the store, cleared by the source.
        case editClear = "edit_clear"
        /// Both sides gave a value before the first sync.
        case addAdd = "add_add"
        /// The row was changed in the store and deleted by the source.
        case editDelete = "edit_delete"
        /// The row was deleted in the store and changed by the source.
        case deleteEdit = "delete_edit"

        /// Whether it concerns the record as a whole rather than one field.
        package var isOfRecord: Bool { self == .editDelete || self == .deleteEdit }
    }

    /// The policy of all kinds without one of their own; nil where the pipeline's holds.
    package var fallback: ConflictPolicy?
    /// The policies of single kinds.
    package var byKind: [Kind: ConflictPolicy]

    /// Makes rules.
    package init(fallback: ConflictPolicy? = nil, byKind: [Kind: ConflictPolicy] = [:]) {
        self.fallback = fallback
        self.byKind = byKind
    }

    /// The policy of a kind; nil where the pipeline's holds.
    package func policy(for kind: Kind) -> ConflictPolicy? { byKind[kind] ?? fallback }
}
