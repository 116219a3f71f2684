internal import SluiceModel
internal import SluiceReview

/// What programs and spreadsheets are told at once: a value that people changed, or a row that they deleted or added.
struct EditLine {
    /// The field; nil for a row as a whole.
    let field: String?
    /// What the source said, as JSON; nil where it said nothing of the row, and where it is not kept.
    let base: String?
    /// What the table holds, as JSON; nil where there is no row.
    let local: String?
    /// Why nobody knows what the source said of the field; nil where it is known.
    var absence: BaseAbsence?
    /// The open conflict over it; nil where there is none.
    var conflict: RecordEdit.Conflict?
    /// The entry of the quarantine in which the local value waits; nil where the column holds it.
    var waitsIn: Int64?
    /// What became of the record whose key the local value is; nil where the column holds it.
    var lost: RecordEdit.LostRecord?

    /// The lines of what was done to a record.
    static func of(_ edit: RecordEdit) -> [EditLine] {
        switch edit.kind {
        case .edit:
            edit.fields.map {
                EditLine(
                    field: $0.name, base: $0.base.json, local: $0.local, absence: $0.base.absence,
                    conflict: $0.conflict ?? edit.conflict, waitsIn: $0.waitsIn, lost: $0.lost)
            }
        case .delete: [EditLine(field: nil, base: record(edit) { $0.base.json }, local: nil, conflict: edit.conflict)]
        case .add: [EditLine(field: nil, base: nil, local: record(edit) { $0.local }, conflict: edit.conflict)]
        }
    }

    /// A row as an object; what is not known is left out.
    private static func record(_ edit: RecordEdit, _ side: (RecordEdit.Field) -> String?) -> String {
        var object = JSONObject()
        for field in edit.fields { if let value = side(field) { object.add(field.name, json: value) } }
        return object.text
    }
}
