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

/// Some records beside their rows.
package struct ComparedRows: Sendable {
    /// The records whose rows are not what their bases stand for.
    package var rows: [ComparedRow] = []
    /// How many of the records that were looked at have a row; nil where a row may have been met twice.
    package var rowCount: Int?
    /// The key to go on after; nil where there are no more.
    package var last: RecordKey?

    /// Makes a value without rows.
    ///
    /// - Parameter isExact: Whether each row is met at most once.
    package init(isExact: Bool) { rowCount = isExact ? 0 : nil }
}
