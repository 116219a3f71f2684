/// What happens where a source sends something else than the fields say.
package struct SchemaContract: Sendable, Hashable {
    /// What a key that no field takes means.
    package enum FieldRule: String, Sendable, CaseIterable {
        /// Nothing.
        case ignore
        /// The report tells of it.
        case report
        /// The run fails.
        case freeze
    }

    /// What a value of another type means, where its field says nothing.
    package enum TypeRule: String, Sendable, CaseIterable {
        /// It is converted where nothing is lost, else the record is quarantined.
        case coerce
        /// The record is quarantined, even where the value could be converted.
        case quarantine
        /// It is converted where nothing is lost, else the value is null.
        case setNull = "set_null"
        /// The run fails, even where the value could be converted.
        case fail
    }

    /// What a key that no field takes means.
    package var fields: FieldRule
    /// What a value of another type means.
    package var types: TypeRule

    /// Makes a contract.
    package init(fields: FieldRule = .report, types: TypeRule = .coerce) {
        self.fields = fields
        self.types = types
    }
}
