/// How much people changed.
public struct EditCounts: Sendable, Equatable {
    /// Rows of which values are others than the source gave.
    public var rows = 0
    /// These values.
    public var values = 0
    /// Rows that are gone.
    public var deleted = 0
    /// Rows that the source does not have.
    public var added = 0

    /// Makes zero counts.
    public init() {}

    /// Whether nothing was changed.
    public var isEmpty: Bool { rows + deleted + added == 0 }
}
