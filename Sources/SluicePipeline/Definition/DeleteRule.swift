/// What to do about records that a complete scan did not see.
package struct DeleteRule: Sendable, Hashable {
    /// What becomes of the row.
    package enum Mode: String, Sendable, CaseIterable {
        /// Nothing: the record counts as unseen.
        case ignore
        /// It is listed and stays.
        case report
        /// It is marked as deleted and stays.
        case soft
        /// It is deleted.
        case hard
    }

    /// The most rows that one run may delete.
    package enum Limit: Sendable, Hashable {
        /// A number of rows.
        case count(Int)
        /// Percent of the live base rows before the run, 0 to 100.
        case percent(Double)
    }

    /// What must be known of a record that a scan did not see before it counts as gone.
    package enum Confirmation: Sendable, Hashable {
        /// So many further complete scans must not see it either.
        case scans(Int)
        /// The source must answer 404 or 410 where it is asked for the record, at this path with `{{ key.… }}`.
        case request(ConfigurationText)
    }

    /// What becomes of the row.
    package var mode: Mode
    /// The most rows that one run may delete.
    package var maximum: Limit
    /// The fewest records that a scan must read before missing records count as gone, whatever people did to their rows.
    package var minimumRecords: Int
    /// What must be known besides; nil for one further scan where a record can slip past a scan (counted pages, an end of what is
    /// asked for, a page without a record that leads on), and nothing elsewhere.
    package var confirmation: Confirmation?

    /// Makes a rule.
    package init(mode: Mode = .ignore, maximum: Limit = .percent(10), minimumRecords: Int = 1) {
        self.mode = mode
        self.maximum = maximum
        self.minimumRecords = minimumRecords
    }
}
