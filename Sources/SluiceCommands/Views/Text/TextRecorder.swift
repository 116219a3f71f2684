package import SluiceMerge
package import SluiceStore
package import SluiceSync

/// Keeps a run's changes as text and writes the report for people.
package final class TextRecorder: ReportRecorder {
    private let style: TextStyle
    private let changeText: ChangeText
    private let storeOption: String
    private let changes: ListSpool
    private let conflicts: ListSpool
    private let quarantine: ListSpool
    private let progressLine: ProgressLine
    /// Conflicts of one record whose change may come next.
    private var waiting: [ConflictEntry] = []
    private var quarantineID: Int64?

    /// - Parameters:
    ///   - style: How text is painted.
    ///   - limit: The most changes, conflicts and invalid records to list, nil for all.
    ///   - reportingStreams: The streams whose missing records are listed and stay.
    ///   - storeOption: What a command must say to use the same store, with a blank before it.
    ///   - progressLine: Shows how far the run has come.
    package init(
        style: TextStyle, limit: Int?, reportingStreams: Set<String> = [], storeOption: String = "",
        progressLine: ProgressLine
    ) {
        self.style = style
        self.storeOption = storeOption
        self.progressLine = progressLine
        changeText = ChangeText(style: style, reportingStreams: reportingStreams)
        changes = ListSpool(limit: limit)
        conflicts = ListSpool(limit: limit)
        quarantine = ListSpool(limit: limit)
    }

    package var wantsChanges: Bool { !changes.isFull }

    package func changed(_ change: RecordChange, schema: RecordSchema) {
        var numbers: [String: Int64] = [:]
        if let first = waiting.first, first.key == FieldJSON.object(key: change.key, schema: schema) {
            for entry in waiting { numbers[entry.field ?? ""] = entry.id }
            waiting.removeAll()
        }
        settle()
        changes.append(changeText.text(change, schema: schema, conflicts: numbers))
    }

    package func skippedChange() { changes.skip() }

    package func conflict(_ entry: ConflictEntry) {
        if waiting.first.map({ $0.key != entry.key || $0.stream != entry.stream }) ?? false { settle() }
        guard entry.status == .open else {
            conflicts.append(ConflictText(style: style).closedLine(entry))
            return
        }
        waiting.append(entry)
        if changes.isFull { settle() }
    }

    /// Lists the conflicts of a record of which nothing else changes.
    private func settle() {
        if waiting.isEmpty { return }
        conflicts.append(ConflictText(style: style).block(waiting))
        waiting.removeAll()
    }

    package func quarantined(_ entry: QuarantineEntry) {
        quarantineID = quarantineID ?? entry.id
        quarantine.append(QuarantineText(style: style).reported(entry))
    }

    package func restart() {
        for list in [changes, conflicts, quarantine] { list.clear() }
        waiting.removeAll()
        quarantineID = nil
    }

    package func progress(_ progress: RunProgress) { progressLine.show(progress) }

    package func write(_ report: RunReport, seconds: Double, to output: ResultOutput) throws {
        var report = report
        if report.isKept { settle() } else { restart() }
        report.note([changes, conflicts, quarantine].map(\.spool))
        let view = ReportText(style: style)
        try output.write(view.headline(report, seconds: seconds))
        let hasBody = ![changes, conflicts, quarantine].allSatisfy(\.isEmpty) || !report.schemaChanges.isEmpty
        if hasBody { try output.write("\n") }
        try output.write(view.schemaChanges(report.schemaChanges, storeOption: storeOption))
        for (list, noun, remedy) in [
            (changes, "change", "list more with `--changes N` or `--changes all`"),
            (conflicts, "conflict", "see `sluice conflicts list\(storeOption)`"),
            (quarantine, "invalid record", "see `sluice quarantine list\(storeOption)`"),
        ] {
            try list.spool.copy(to: output)
            try output.write(view.omitted(list.omitted, noun: noun, remedy: remedy))
        }
        var end = report.streams.count > 1 ? [StreamsText.text(report.streams, style: style)] : []
        end.append(view.nextSteps(report, quarantineID: quarantineID, storeOption: storeOption))
        end.append(ProblemsText(style: style).text(report.problems.filter { $0.code != "interrupted" }))
        let parts = end.filter { !$0.isEmpty }
        if hasBody && !parts.isEmpty { try output.write("\n") }
        try output.write(parts.joined())
        try output.flush()
    }
}
