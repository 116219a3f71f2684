/// Where a store kept clear values of a field that is redacted from now on.
package struct RedactedCounts: Codable, Sendable, Hashable {
    /// Rows of the table.
    package var rows = 0
    /// Rows that hold something else than the source said: what a person wrote, which stays.
    package var edited = 0
    /// Records of which the source's last value was kept.
    package var bases = 0
    /// Conflicts, open and closed.
    package var conflicts = 0
    /// Entries of the history.
    package var history = 0
    /// Records in quarantine, which may hold the value.
    package var quarantine = 0

    /// Nowhere.
    package init() {}

    /// How much was replaced where, by the names of reports; what is 0 is among them.
    package var places: [(name: String, count: Int)] {
        [
            ("rows", rows), ("base", bases), ("conflicts", conflicts), ("history", history), ("quarantine", quarantine),
            ("edited_rows", edited),
        ]
    }
}
