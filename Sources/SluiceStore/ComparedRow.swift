public import SluiceMerge

/// A record as its source gave it, beside the row that the table holds.
public struct ComparedRow: Sendable {
    /// The record.
    public var key: RecordKey
    /// What the source said.
    public var base: BaseRow
    /// The row, one value per field of the schema; nil where there is none or it is marked as deleted.
    public var values: [FieldValue]?

    /// Makes a pair of record and row.
    package init(key: RecordKey, base: BaseRow, values: [FieldValue]?) {
        self.key = key
        self.base = base
        self.values = values
    }
}
