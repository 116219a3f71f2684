internal import SluiceDiscovery
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Counts why records of an import could not be taken, and says it in one sentence.
final class RefusalTally: RunObserver {
    private struct Reason: Hashable {
        let code: String
        let pointer: String
    }

    private static let maximumShown = 5
    private let inspection: ImportInspection
    private let key: [String]
    private let wasAsked: Bool
    private var counts: [(reason: Reason, count: Int)] = []
    private var next: (any RunObserver)?

    init(_ inspection: ImportInspection, key: ImportKey) {
        self.inspection = inspection
        (self.key, wasAsked) = (key.fields, key.wasAsked)
    }

    /// The tally itself, which passes on what it sees.
    func passing(to observer: any RunObserver) -> any RunObserver {
        next = observer
        return self
    }

    // MARK: What it sees

    func opened(_ schema: RecordSchema, isNew: Bool) { next?.opened(schema, isNew: isNew) }
    func listens(to schema: RecordSchema) -> Bool { next?.listens(to: schema) ?? false }
    var wantsChanges: Bool { next?.wantsChanges ?? false }
    func wants(_ key: @autoclosure () -> RecordKey, of schema: RecordSchema) -> Bool {
        next?.wants(key(), of: schema) ?? false
    }
    func changed(_ change: RecordChange, schema: RecordSchema) { next?.changed(change, schema: schema) }
    func skippedChange(of schema: RecordSchema) { next?.skippedChange(of: schema) }
    func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) { next?.kept(change(), schema: schema) }
    func conflict(_ entry: ConflictEntry) { next?.conflict(entry) }
    func progress(_ progress: RunProgress) { next?.progress(progress) }

    func quarantined(_ entry: QuarantineEntry) {
        let reason = Reason(code: entry.reason, pointer: entry.pointer)
        if let index = counts.firstIndex(where: { $0.reason == reason }) {
            counts[index].count += 1
        } else {
            counts.append((reason, 1))
        }
        next?.quarantined(entry)
    }

    func restart() {
        counts = []
        next?.restart()
    }

    // MARK: What it says

    /// What people should know about the records of an import besides its counts.
    func problems(of report: RunReport, isPlan: Bool) -> [RunProblem] {
        var problems: [RunProblem] = []
        let read = report.streams.reduce(0) { $0 + $1.read }
        let count = report.summary.quarantined
        if count > 0 {
            problems.append(
                warning(
                    "import_quarantine",
                    "\(CountText.of(count, "record")) could not be taken: \(reasons).\(remedy(read: read, isPlan: isPlan))"
                ))
        }
        return problems
    }

    /// The words for records that share an identifier and differ, which speak of a pipeline where there is none.
    func word(_ problem: inout RunProblem, of report: RunReport) {
        let read = report.streams.reduce(0) { $0 + $1.read }
        let count = report.streams.reduce(0) { $0 + $1.differing.count }
        let remedy = wasAsked ? "" : " Name what identifies a record with `--key FIELD[,FIELD]`."
        // All but one of each identifier are duplicates, and so are records that are alike.
        let lost = report.streams.reduce(0) { $0 + $1.differing.count - $1.differing.keyCount }
        let duplicates = report.streams.reduce(0) { $0 + $1.duplicates }
        problem.message =
            ImportInspection.sharing(key, count: count, of: read, besidesAlike: duplicates > lost) + remedy
    }

    private func warning(_ code: String, _ message: String) -> RunProblem {
        RunProblem(code: code, severity: .warning, message: message)
    }

    private var reasons: String {
        let sorted = counts.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        let shown = sorted.prefix(Self.maximumShown).map { sentence($0.element.reason, $0.element.count) }
        let rest = sorted.dropFirst(Self.maximumShown).reduce(0) { $0 + $1.element.count }
        return (shown + (rest == 0 ? [] : ["\(CountText.grouped(rest)) for other reasons"])).joined(separator: ", ")
    }

    private func sentence(_ reason: Reason, _ count: Int) -> String {
        let number = CountText.grouped(count)
        let field = inspection.fields.first { $0.pointer == reason.pointer }
        switch (reason.code, field) {
        case ("missing_key", let field?): return "\(number) without the identifier `\(field.name)`"
        case ("type_mismatch", let field?):
            return "\(number) whose `\(field.name)` is no `\(field.type.rawValue)`"
        case ("not_an_object", _): return "\(number) that \(CountText.word(count, "is no object", "are no objects"))"
        case ("invalid_row", _):
            // Its cells may not fit the header, or its bytes may be no text.
            return "\(number) that cannot be read as \(CountText.word(count, "a row", "rows")) of the table"
        case ("invalid_json", _): return "\(number) that \(CountText.word(count, "is", "are")) no JSON"
        case (_, let field?): return "\(number) because of `\(field.name)` (\(reason.code))"
        default: return "\(number) (\(reason.code))"
        }
    }

    private func remedy(read: Int, isPlan: Bool) -> String {
        if counts.contains(where: { $0.reason.code == "type_mismatch" }), inspection.records < read {
            let looked = CountText.of(inspection.records, "record")
            return " Types were inferred from the first \(looked); without `--sample` every one is looked at."
        }
        return isPlan ? "" : " `sluice quarantine list` shows them."
    }
}
