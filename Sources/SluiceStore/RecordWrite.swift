package import SluiceMerge
package import SluiceModel

/// What is written of one record.
package struct RecordWrite: Sendable {
    /// What happens to the row of the entity's table.
    package enum Row: Sendable {
        case none
        /// A new row: one value per field of the schema.
        case insert([FieldValue])
        /// Some fields of the row, by their positions.
        case update(fields: [Int], values: [FieldValue])
        case delete
        /// Some columns of the row, filled by fields or not.
        case set([RowImage.Column])
        /// The row stays, marked as deleted at a time and by a run; an insert of the same key brings it back.
        case markDeleted(at: String, run: Int64?)
        /// A row that was there before, with columns that no field fills.
        case restore(RowImage)
    }

    /// What happens to a base that is written as it was kept.
    package enum KeptBase: Sendable {
        case remove
        case restore(BaseImage)
    }

    /// The record.
    package var key: RecordKey
    /// What happens to its row.
    package var row: Row
    /// Its new base, nil where that stays.
    package var base: BaseRow?
    /// What undo does to the base, nil elsewhere.
    package var keptBase: KeptBase?
    /// What undo brings back and a field can hold no longer, since it has another type or other values: its column is null,
    /// and the value waits in the quarantine as that of a row does whose field changes its type.
    package var waiting: [(field: Int, value: FieldValue)] = []
    /// The positions of the fields of which a record without a row waits for nothing any more, since its source says something else
    /// of them now.
    package var awaitsNoLonger: [Int] = []
    /// How the three sides of the record relate, for the history.
    package var kind: RowKind?
    /// How the sides of each updated field relate, for the history; empty where that is not said.
    package var classes: [FieldClass] = []
    /// The page that says it, a path or URL without secrets, for the history; nil where no page does.
    package var page: String?

    /// Makes a write.
    package init(key: RecordKey, row: Row, base: BaseRow?) {
        self.key = key
        self.row = row
        self.base = base
    }
}
