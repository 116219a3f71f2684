package import SluiceModel

/// A reference whose record is not there and that is not taken away: a model needs it, or the database does not let it be empty.
package struct UnmetReference: Sendable, Hashable {
    /// The field that holds it.
    package let name: String
    /// The owner's table.
    package let table: String
    /// The owner's key.
    package let owner: RecordKey
    /// The table of the record that it leads to.
    package let target: String
    /// That record's key; other columns of it where a foreign key leads to these.
    package let targetKey: RecordKey
    /// Whether ``targetKey`` is the key of a record.
    package let leadsToKey: Bool
    /// Why the database does not let it be empty, and what to do, as sentences; nil where a model needs it.
    package let refusal: String?

    /// Makes a value of its parts.
    package init(
        name: String, table: String, owner: RecordKey, target: String, targetKey: RecordKey, leadsToKey: Bool = true,
        refusal: String? = nil
    ) {
        (self.name, self.table, self.owner) = (name, table, owner)
        (self.target, self.targetKey, self.leadsToKey) = (target, targetKey, leadsToKey)
        self.refusal = refusal
    }
}
