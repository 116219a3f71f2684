package import SluiceModel

/// A reference of a row that waits for the record which it names.
package struct AwaitingReference: Sendable, Equatable {
    /// What fills the row's table.
    package let mapping: RecordMapping
    /// The row's key as a JSON object.
    package let key: String
    /// The field that refers to the record.
    package let field: String

    /// Makes a reference.
    package init(mapping: RecordMapping, key: String, field: String) {
        (self.mapping, self.key, self.field) = (mapping, key, field)
    }
}
