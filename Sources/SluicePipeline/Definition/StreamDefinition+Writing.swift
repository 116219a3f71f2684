package import SluiceModel

extension StreamDefinition {
    /// How records get into the table.
    package typealias WriteMode = SluiceModel.WriteMode

    /// Which of several records of one run with the same key counts, where they differ.
    package enum DuplicateRule: String, Sendable, CaseIterable {
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
