public import SluiceMerge
public import SluiceStore

/// What a run did to one record, as it is shown. Values are JSON text in the field's type.
public struct HistoryChange: Sendable, Equatable {
    /// One field, or a column that no field fills.
    public struct Field: Sendable, Equatable {
        /// The field's name, or the column's.
        public var name: String
        /// Whether it is a field.
        public var isField: Bool
        /// How the sides of the field were related; nil where that is not known.
        public var fieldClass: String?
        /// What it held before, nil where there was no row.
        public var old: String?
        /// What it held afterwards, nil where there was no row.
        public var new: String?
    }

    /// The number of the run.
    public var run: Int64
    /// What fills the record's table.
    public var mapping: RecordMapping
    /// The table, nil where the store does not know it any more.
    public var table: String?
    /// The record's key as a JSON object.
    public var key: String
    /// What happened to the row.
    public var action: RecordedChange.Action
    /// How the three sides of the record were related; nil where that is not known.
    public var kind: String?
    /// What changed; of an insert what was written, where that is kept.
    public var fields: [Field]
}
