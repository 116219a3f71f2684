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

    /// How much was replaced where, as the history keeps it: `rows 5 base 8 …`.
    package var text: String { places.map { "\($0.name) \($0.count)" }.joined(separator: " ") }

    /// Reads what ``text`` gives.
    ///
    /// - Parameter text: The text; a place that it does not name has none.
    package init(text: some StringProtocol) {
        let words = text.split(separator: " ")
        for (name, count) in zip(words, words.dropFirst()) {
            guard let count = Int(count), let place = Self.place(named: String(name)) else { continue }
            self[keyPath: place] = count
        }
    }

    private static func place(named name: String) -> WritableKeyPath<Self, Int>? {
        switch name {
        case "rows": \.rows
        case "base": \.bases
        case "conflicts": \.conflicts
        case "history": \.history
        case "quarantine": \.quarantine
        case "edited_rows": \.edited
        default: nil
        }
    }
}
