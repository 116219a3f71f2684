package import SluiceModel
package import SluiceStore

/// What a run did to one record, as it is shown. Values are JSON text in the field's type.
package struct HistoryChange: Sendable, Equatable {
    /// One field, or a column that no field fills.
    package struct Field: Sendable, Equatable {
        /// The field's name, or the column's.
        package var name: String
        /// Whether it is a field.
        package var isField: Bool
        /// How the sides of the field were related; nil where that is not known.
        package var fieldClass: String?
        /// What it held before, nil where there was no row.
        package var old: String?
        /// What it held afterwards, nil where there was no row.
        package var new: String?

        /// Makes a value of its parts.
        package init(name: String, isField: Bool, fieldClass: String? = nil, old: String? = nil, new: String? = nil) {
            self.name = name
            self.isField = isField
            self.fieldClass = fieldClass
            self.old = old
            self.new = new
        }
    }

    /// The number of the run.
    package var run: Int64
    /// What fills the record's table.
    package var mapping: RecordMapping
    /// The table, nil where the store does not know it any more.
    package var table: String?
    /// The record's key as a JSON object.
    package var key: String
    /// What happened to the row.
    package var action: RecordedChange.Action
    /// How the three sides of the record were related; nil where that is not known.
    package var kind: String?
    /// Whether it changed nothing but which references wait.
    package var isOfLinks: Bool { [RecordedChange.linkKind, RecordedChange.unlinkKind].contains(kind) }
    /// Whether its run had written the row before; it is counted once. False where changes of one record are told alone.
    package var isAgain = false
    /// What changed; of an insert what was written, where that is kept.
    package var fields: [Field]
    /// The page that says it, a path or URL without secrets; nil where no page does, or that is not known.
    package var page: String?
}
