extension FieldDefinition {
    /// What a value of another type means.
    package enum MismatchRule: String, Sendable, CaseIterable {
        /// The record is quarantined.
        case quarantine
        /// The value is null.
        case setNull = "set_null"
        /// Nothing, as if the key were absent.
        case keep
        /// The run fails.
        case fail
    }
}
