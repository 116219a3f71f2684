extension FieldDefinition {
    /// What a value of another type means.
    public enum MismatchRule: String, Sendable, CaseIterable {
        /// The record is quarantined.
        case quarantine
        /// The value is null.
        case setNull = "set_null"
        /// Nothing, as if the key were absent.
        case keep
        /// The run fails.
        case fail
    }

    /// How much of the last sync's value is kept.
    public enum BaseRule: String, Sendable, CaseIterable {
        /// The value if it is short, else its digest.
        case short
        /// The value, however long.
        case full
    }
}
