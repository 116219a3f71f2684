internal import SluiceMerge
internal import SluiceReport

/// Reports as the rows of a spreadsheet: one for each field that changed or is in conflict.
final class ReportSheet: EntryDocument {
    /// The columns, in order.
    static let columns = [
        "pipeline", "stream", "entity", "table", "key", "action", "kind", "field", "class", "base", "local", "remote",
        "result", "deletion", "conflict", "status", "message",
    ]

    private let setting: ReportSetting
    var limit: Int? { setting.limit }

    init(_ setting: ReportSetting) { self.setting = setting }

    func begin(_ findings: ImportFindings?, count: Int, to output: ResultOutput) throws {
        try output.write(CSVWriter.row(Self.columns))
    }

    func separate(isFirst: Bool, to output: ResultOutput) throws {}

    func view(for subject: ReportSubject) -> any EntryView { ReportRows(pipeline: subject.pipeline) }

    func end(to output: ResultOutput) throws {}
}

/// The rows of one pipeline.
private final class ReportRows: EntryView {
    private let pipeline: String
    private let spool = TextSpool()

    init(pipeline: String) { self.pipeline = pipeline }

    var spools: [TextSpool] { [spool] }

    func add(_ entry: ReportEntry) {
        // A record of which no field is told has a row all the same.
        let fields: [ReportEntry.Field?] = entry.fields.isEmpty ? [nil] : entry.fields
        for field in fields { spool.append(CSVWriter.row(cells(entry, field))) }
    }

    private func cells(_ entry: ReportEntry, _ field: ReportEntry.Field?) -> [String] {
        let conflict = field?.conflict ?? entry.conflict
        let message = entry.message.isEmpty ? conflict?.note ?? "" : entry.message
        return [
            pipeline, entry.stream, entry.entity, entry.table, entry.key ?? "", entry.action.rawValue, entry.kind,
            field?.name ?? "", field?.fieldClass ?? "", SpreadsheetText.cell(field?.base),
            SpreadsheetText.cell(field?.local), SpreadsheetText.cell(field?.remote),
            SpreadsheetText.cell(field?.result), entry.deletion?.rawValue ?? "",
            conflict?.id.map { String($0) } ?? "", conflict?.status ?? entry.ended ?? "", message,
        ]
    }

    func clear() { spool.clear() }

    func write(_ report: RunReport, seconds: Double, omitted: Int, to output: ResultOutput) throws {
        try spool.copy(to: output)
    }
}
