package import SluiceMerge
package import SluiceStore
package import SluiceSync

/// Keeps a run's changes as text and writes the report for people.
package final class TextRecorder: ReportRecorder {
    /// What a report says of a stream besides its name.
    package struct Stream {
        let table: String
        /// Whether missing records are listed and stay.
        let reportsGone: Bool

        /// - Parameters:
        ///   - table: The table that the stream fills.
        ///   - reportsGone: Whether missing records are listed and stay.
        package init(table: String, reportsGone: Bool) {
            self.table = table
            self.reportsGone = reportsGone
        }
    }

    private let style: TextStyle
    private let changeText: ChangeText
    private let streams: [String: Stream]
    private let commands: CommandLines
    private let entries: GroupedEntries
    private let progressLine: ProgressLine
    /// Conflicts of one record whose change may come next.
    private var waiting: [ConflictEntry] = []
    private var conflictIDs: [Int64] = []
    private var quarantineID: Int64?

    /// - Parameters:
    ///   - style: How text looks.
    ///   - limit: The most changes, conflicts and invalid records to list, nil for all.
    ///   - streams: The pipeline's streams by name.
    ///   - commands: The command lines that the report names.
    ///   - progressLine: Shows how far the run has come.
    package init(
        style: TextStyle, limit: Int?, streams: [String: Stream], commands: CommandLines, progressLine: ProgressLine
    ) {
        self.style = style
        self.streams = streams
        self.commands = commands
        self.progressLine = progressLine
        changeText = ChangeText(style: style)
        entries = GroupedEntries(limit: limit)
    }

    package var wantsChanges: Bool { !entries.isFull(.change) }

    package func changed(_ change: RecordChange, schema: RecordSchema) {
        let conflicts = conflicts(of: change, schema)
        let kind: ReportGroup.Kind =
            switch change.action {
            case .insert: .insert
            case .update: .update
            case .delete: streams[schema.stream]?.reportsGone == true ? .gone : .delete
            case .conflict: .conflict
            case .keptLocal: .kept
            }
        entries.append(
            kind, table: schema.table, .change, changeText.text(change, schema: schema, conflicts: conflicts))
    }

    package func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {
        if entries.isFull(.kept) { return entries.skip(.kept) }
        let change = change()
        let conflicts = conflicts(of: change, schema)
        entries.append(
            .kept, table: schema.table, .kept, changeText.text(change, schema: schema, conflicts: conflicts))
    }

    package func skippedChange() { entries.skip(.change) }

    /// The conflicts that were told before the change of their record.
    private func conflicts(of change: RecordChange, _ schema: RecordSchema) -> [String: ConflictEntry] {
        var found: [String: ConflictEntry] = [:]
        if let first = waiting.first, first.stream == schema.stream,
            first.key == FieldJSON.object(key: change.key, schema: schema)
        {
            for entry in waiting { found[entry.field ?? ""] = entry }
            waiting.removeAll()
        }
        settle()
        return found
    }

    package func conflict(_ entry: ConflictEntry) {
        if waiting.first.map({ $0.key != entry.key || $0.stream != entry.stream }) ?? false { settle() }
        if entry.status == .open, let id = entry.id { conflictIDs.append(id) }
        switch entry.status {
        case .open, .auto: waiting.append(entry)
        case .resolved, .obsolete, .converged: close(entry)
        }
        if entries.isFull(.change) { settle() }
    }

    /// Lists the conflicts of a record of which nothing else changes.
    private func settle() {
        if waiting.isEmpty { return }
        let open = waiting.filter { $0.status == .open }
        if let first = open.first {
            entries.append(.conflict, table: table(of: first), .conflict, ConflictText(style: style).block(open))
        }
        for entry in waiting where entry.status != .open { close(entry) }
        waiting.removeAll()
    }

    private func close(_ entry: ConflictEntry) {
        entries.append(.over, table: table(of: entry), .conflict, ConflictText(style: style).closedLine(entry))
    }

    private func table(of entry: ConflictEntry) -> String { streams[entry.stream]?.table ?? entry.entity }

    package func quarantined(_ entry: QuarantineEntry) {
        quarantineID = quarantineID ?? entry.id
        entries.append(
            .invalid, table: streams[entry.stream]?.table ?? entry.entity, .invalid,
            QuarantineText(style: style).reported(entry))
    }

    package func restart() {
        entries.clear()
        waiting.removeAll()
        conflictIDs.removeAll()
        quarantineID = nil
    }

    package func progress(_ progress: RunProgress) { progressLine.show(progress) }

    // MARK: The report

    package func write(_ report: RunReport, seconds: Double, to output: ResultOutput) throws {
        var report = report
        if report.isKept { settle() } else { restart() }
        report.note(entries.allSpools)
        let view = ReportText(style: style)
        let isPlan = report.command == .plan
        try output.write(view.headline(report, seconds: seconds))
        if report.streams.count > 1 { try output.write("\n" + StreamsText.text(report.streams, style: style)) }
        if !report.schemaChanges.isEmpty { try output.write("\n" + view.schemaChanges(report.schemaChanges, storeOption: commands.storeOption)) }
        if !entries.isEmpty { try output.write("\n") }
        try entries.write(isPlan: isPlan, totals: totals(report), style: style, to: output)
        for (sort, noun, remedy) in [
            (GroupedEntries.Sort.change, "change", "list more with `--changes N` or `--changes all`"),
            (.kept, "record kept", "list more with `--changes N` or `--changes all`"),
            (.conflict, "conflict", "see `sluice conflicts list\(commands.storeOption)`"),
            (.invalid, "invalid record", "see `sluice quarantine list\(commands.storeOption)`"),
        ] {
            try output.write(view.omitted(entries.omitted(sort), noun: noun, remedy: remedy))
        }
        let problems = ProblemsText(style: style).text(report.problems.filter { $0.code != "interrupted" })
        let steps = NextSteps(commands: commands, style: style)
            .text(report, conflicts: conflictIDs, quarantined: quarantineID)
        let hasBody = !entries.isEmpty || !report.schemaChanges.isEmpty
        for part in [problems, steps] where !part.isEmpty {
            if hasBody || part == steps { try output.write("\n") }
            try output.write(part)
        }
        try output.flush()
    }

    /// How many entries a group has by the report's counts, which may be more than are listed.
    private func totals(_ report: RunReport) -> (ReportGroup) -> Int {
        let streams = streams
        return { group in
            report.streams.filter { streams[$0.stream]?.table == group.table }.reduce(0) { sum, stream in
                switch group.kind {
                case .insert: sum + stream.summary.insert
                case .update: sum + stream.summary.update
                case .delete: sum + stream.summary.delete
                case .gone: sum + stream.reportedGone
                case .kept, .over, .conflict, .invalid: sum
                }
            }
        }
    }
}
