/// The names of the kinds of conflicts.
package enum ConflictKinds {
    /// Every name that a conflict may have: of a field, then of a record as a whole.
    package static let all =
        FieldClass.allCases.filter { $0.isDivergent || $0 == .uniqueCollision }.map(\.rawValue)
        + [RowKind.editDelete, .deleteEdit].map(\.rawValue)
}
