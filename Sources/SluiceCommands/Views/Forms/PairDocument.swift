internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// A document, and another one with an output of its own, of the same reports.
final class PairDocument: ReportDocument {
    private let main: any ReportDocument
    private let other: any ReportDocument
    private let otherOutput: ResultOutput

    /// - Parameters:
    ///   - main: The document.
    ///   - other: The other one.
    ///   - output: Where the other one goes. What becomes of it is for whoever opened it to ask.
    init(_ main: any ReportDocument, and other: any ReportDocument, to output: ResultOutput) {
        (self.main, self.other, otherOutput) = (main, other, output)
    }

    func begin(_ findings: ImportFindings?, count: Int, to output: ResultOutput) throws {
        try main.begin(findings, count: count, to: output)
        try other.begin(findings, count: count, to: otherOutput)
    }

    func separate(isFirst: Bool, to output: ResultOutput) throws {
        try main.separate(isFirst: isFirst, to: output)
        try other.separate(isFirst: isFirst, to: otherOutput)
    }

    func recorder(for subject: ReportSubject) -> any ReportRecorder {
        PairRecorder(main.recorder(for: subject), and: other.recorder(for: subject.unwatched), to: otherOutput)
    }

    func end(to output: ResultOutput) throws {
        try main.end(to: output)
        try other.end(to: otherOutput)
    }
}

extension ReportSubject {
    /// The same, with progress that nobody sees.
    fileprivate var unwatched: ReportSubject {
        ReportSubject(
            pipeline: pipeline, families: families, commands: commands, listsNewTables: listsNewTables, isUndo: isUndo,
            progressLine: ProgressLine(sink: nil, pipeline: pipeline))
    }
}

/// Tells two recorders what happens.
private final class PairRecorder: ReportRecorder {
    private let main: any ReportRecorder
    private let other: any ReportRecorder
    private let otherOutput: ResultOutput

    init(_ main: any ReportRecorder, and other: any ReportRecorder, to output: ResultOutput) {
        (self.main, self.other, otherOutput) = (main, other, output)
    }

    private var both: [any ReportRecorder] { [main, other] }

    func opened(_ schema: RecordSchema, isNew: Bool) { for recorder in both { recorder.opened(schema, isNew: isNew) } }

    func listens(to schema: RecordSchema) -> Bool { both.contains { $0.listens(to: schema) } }

    var wantsChanges: Bool { both.contains { $0.wantsChanges } }

    func wants(_ key: @autoclosure () -> RecordKey, of schema: RecordSchema) -> Bool {
        let key = key()
        return both.contains { $0.wants(key, of: schema) }
    }

    func changed(_ change: RecordChange, schema: RecordSchema) {
        for recorder in both {
            if recorder.wants(change.key, of: schema) {
                recorder.changed(change, schema: schema)
            } else {
                recorder.skippedChange(of: schema)
            }
        }
    }

    func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {
        let made = change()
        for recorder in both { recorder.kept(made, schema: schema) }
    }

    func skippedChange(of schema: RecordSchema) { for recorder in both { recorder.skippedChange(of: schema) } }

    func conflict(_ entry: ConflictEntry) { for recorder in both { recorder.conflict(entry) } }

    func quarantined(_ entry: QuarantineEntry) { for recorder in both { recorder.quarantined(entry) } }

    func restart() { for recorder in both { recorder.restart() } }

    func progress(_ progress: RunProgress) { for recorder in both { recorder.progress(progress) } }

    func write(_ report: RunReport, seconds: Double, to output: ResultOutput) throws {
        try main.write(report, seconds: seconds, to: output)
        try other.write(report, seconds: seconds, to: otherOutput)
    }
}
