internal import SluiceModel
internal import SluiceReview

/// What people changed as the rows of a spreadsheet: one for each value, and one for a row that was deleted or added.
struct EditSheet: EditView {
    /// The columns, in order.
    static let columns = [
        "entity", "table", "key", "kind", "field", "base", "local", "since_run", "pipeline", "stream", "remote",
        "conflict",
    ]

    var start: String { CSVWriter.row(Self.columns) }

    func text(_ edit: RecordEdit) -> String {
        EditLine.of(edit).map { line in
            CSVWriter.row([
                edit.mapping.entity, edit.table, edit.key, edit.kind.rawValue, line.field ?? "",
                // What the source never gave is no null.
                SpreadsheetText.cell(line.absence == nil ? line.base : nil), SpreadsheetText.cell(line.local),
                edit.sinceRun.map { String($0) } ?? "", edit.mapping.pipeline, edit.mapping.stream,
                SpreadsheetText.cell(line.conflict?.remote), line.conflict.map { String($0.number) } ?? "",
            ])
        }.joined()
    }

    func end(_ tally: EditTally, _ missing: [MissingPlace], left: Int) -> String { "" }
}
