internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// A form of a report that lists entries.
protocol EntryView: AnyObject {
    /// What is kept until the report is written.
    var spools: [TextSpool] { get }
    /// Keeps an entry.
    func add(_ entry: ReportEntry)
    /// Forgets everything.
    func clear()
    /// Writes the report.
    ///
    /// - Parameters:
    ///   - report: How the run ended.
    ///   - seconds: How long it took.
    ///   - omitted: How many changes were not given to ``add(_:)``.
    ///   - output: Where the text goes.
    /// - Throws: `SystemError`.
    func write(_ report: RunReport, seconds: Double, omitted: Int, to output: ResultOutput) throws
}

/// Turns what happens during a run into entries, in the order in which it happens.
final class EntryRecorder: ReportRecorder {
    private let view: any EntryView
    private let limit: Int?
    private let families: EntityFamilies
    private let isUndo: Bool
    private let progressLine: ProgressLine
    /// Conflicts of one record whose change may come next.
    private var waiting: [ConflictEntry] = []
    private var listed = 0
    private var omitted = 0

    /// - Parameters:
    ///   - view: Keeps the entries.
    ///   - limit: The most changes to list, nil for all.
    ///   - families: Which records belong to which.
    ///   - isUndo: Whether a run is taken back.
    ///   - progressLine: Shows how far the run has come.
    init(
        _ view: any EntryView, limit: Int?, families: EntityFamilies, isUndo: Bool, progressLine: ProgressLine
    ) {
        (self.view, self.limit, self.families) = (view, limit, families)
        (self.isUndo, self.progressLine) = (isUndo, progressLine)
    }

    var wantsChanges: Bool { limit.map { listed < $0 } ?? true }

    func changed(_ change: RecordChange, schema: RecordSchema) {
        var conflicts: [ConflictEntry] = []
        if let first = waiting.first, first.stream == schema.stream, first.entity == schema.entity,
            ExactText(first.key) == ExactText(FieldJSON.object(key: change.key, schema: schema))
        {
            (conflicts, waiting) = (waiting, [])
        }
        settle()
        var entry = ReportEntry(change, schema: schema, conflicts: conflicts, families: families)
        entry.isUndo = isUndo
        add(entry)
    }

    func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {
        if wantsChanges { changed(change(), schema: schema) } else { omitted += 1 }
    }

    func skippedChange(of schema: RecordSchema) { omitted += 1 }

    private func add(_ entry: ReportEntry) {
        listed += 1
        view.add(entry)
    }

    func conflict(_ entry: ConflictEntry) {
        if waiting.first.map({
            ExactText($0.key) != ExactText(entry.key) || $0.stream != entry.stream || $0.entity != entry.entity
        }) ?? false {
            settle()
        }
        switch entry.status {
        case .open, .auto: waiting.append(entry)
        case .resolved, .obsolete, .converged: list([entry])
        case .within: break
        }
        if !wantsChanges { settle() }
    }

    /// Lists the conflicts of a record of which nothing else changes.
    private func settle() {
        if waiting.isEmpty { return }
        list(waiting)
        waiting.removeAll()
    }

    private func list(_ conflicts: [ConflictEntry]) {
        if let first = conflicts.first { view.add(ReportEntry(conflicts, first: first, families: families)) }
    }

    func quarantined(_ entry: QuarantineEntry) { view.add(ReportEntry(entry, families: families)) }

    func restart() {
        waiting.removeAll()
        (listed, omitted) = (0, 0)
        view.clear()
    }

    func progress(_ progress: RunProgress) { progressLine.show(progress) }

    func write(_ report: RunReport, seconds: Double, to output: ResultOutput) throws {
        var report = report
        if report.isKept { settle() } else { restart() }
        report.note(view.spools)
        try view.write(report, seconds: seconds, omitted: omitted, to: output)
        try output.flush()
    }
}
