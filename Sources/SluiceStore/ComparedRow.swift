package import SluiceModel

/// A record as its source gave it, beside the row that the table holds.
package struct ComparedRow: Sendable {
    /// The record.
    package var key: RecordKey
    /// What the source said.
    package var base: BaseRow
    /// The row, one value per field of the schema; nil where there is none or it is marked as deleted.
    package var values: [FieldValue]?

    /// Makes a pair of record and row.
    package init(key: RecordKey, base: BaseRow, values: [FieldValue]?) {
        self.key = key
        self.base = base
        self.values = values
    }
}
