extension StreamDefinition {
    /// How records get into the table.
    public enum WriteMode: String, Sendable, CaseIterable {
        /// As a three-way merge.
        case merge
        /// Each as a new row.
        case append
        /// Those whose key is not there yet; other rows stay as they are.
        case insertOnly = "insert_only"
        /// In the stead of all rows that are there.
        case replace
    }

    /// Which of several records of one run with the same key counts, where they differ.
    public enum DuplicateRule: String, Sendable, CaseIterable {
        /// The one that was read last.
        case last
        /// The one that was read first.
        case first
        /// The one that was changed last, by the entity's `newest`; of equals the one that was read last.
        case newest
        /// None: the run fails.
        case fail
        /// None: all of them are quarantined, and the row stays as it is.
        case quarantine
    }
}
