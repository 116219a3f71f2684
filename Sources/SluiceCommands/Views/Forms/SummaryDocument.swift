internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// A document that lists no records, in whatever form it is written.
final class SummaryDocument: ReportDocument {
    private let document: any ReportDocument

    init(_ document: any ReportDocument) { self.document = document }

    func begin(_ findings: ImportFindings?, count: Int, to output: ResultOutput) throws {
        try document.begin(findings, count: count, to: output)
    }

    func separate(isFirst: Bool, to output: ResultOutput) throws { try document.separate(isFirst: isFirst, to: output) }

    func recorder(for subject: ReportSubject) -> any ReportRecorder { SummaryRecorder(document.recorder(for: subject)) }

    func end(to output: ResultOutput) throws { try document.end(to: output) }
}

/// Keeps of a run how it ended, and nothing of its records.
private final class SummaryRecorder: ReportRecorder {
    private let recorder: any ReportRecorder

    init(_ recorder: any ReportRecorder) { self.recorder = recorder }

    let wantsChanges = false

    func changed(_ change: RecordChange, schema: RecordSchema) {}

    func skippedChange(of schema: RecordSchema) {}

    func conflict(_ entry: ConflictEntry) {}

    func quarantined(_ entry: QuarantineEntry) {}

    func restart() { recorder.restart() }

    func progress(_ progress: RunProgress) { recorder.progress(progress) }

    func write(_ report: RunReport, seconds: Double, to output: ResultOutput) throws {
        try recorder.write(report, seconds: seconds, to: output)
    }
}
