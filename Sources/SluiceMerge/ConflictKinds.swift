/// The names of the kinds of conflicts.
public enum ConflictKinds {
    /// Every name that a conflict may have: of a field, then of a record as a whole.
    public static let all =
        FieldClass.allCases.filter { $0.isDivergent || $0 == .uniqueCollision }.map(\.rawValue)
        + [RowKind.editDelete, .deleteEdit].map(\.rawValue)
}
