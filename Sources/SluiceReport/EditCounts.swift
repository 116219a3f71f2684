/// How much people changed.
package struct EditCounts: Codable, Sendable, Equatable {
    /// Rows of which values are others than the source gave.
    package var rows = 0
    /// These values.
    package var values = 0
    /// Rows that are gone.
    package var deleted = 0
    /// Rows that the source does not have.
    package var added = 0

    /// Tables and columns that are missing, of which nobody knows what was changed in them; nil where there are none.
    package var missing: Int?

    /// Makes zero counts.
    package init() {}

    /// Whether nothing was changed.
    package var isEmpty: Bool { rows + deleted + added == 0 && missing == nil }
}
