/// What somebody may do.
enum Role: String, Comparable, Sendable, CaseIterable {
    /// Looks.
    case view
    /// Starts runs and decides.
    case decide

    static func < (left: Role, right: Role) -> Bool { left == .view && right == .decide }
}
