package import SluiceModel

/// A reference that must not be empty, and whose record is not there.
package struct UnmetReference: Sendable, Hashable {
    /// The field that holds it.
    package let name: String
    /// The owner's table.
    package let table: String
    /// The owner's key.
    package let owner: RecordKey
    /// The table of the record that it leads to.
    package let target: String
    /// That record's key.
    package let targetKey: RecordKey

    /// Makes a value of its parts.
    package init(name: String, table: String, owner: RecordKey, target: String, targetKey: RecordKey) {
        (self.name, self.table, self.owner) = (name, table, owner)
        (self.target, self.targetKey) = (target, targetKey)
    }
}
