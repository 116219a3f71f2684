internal import SluiceSync

/// A whole report for people: the counts, what happens, and what to do next.
struct TextReport {
    let style: TextStyle
    let families: EntityFamilies
    let commands: CommandLines

    /// Writes a report.
    ///
    /// - Parameters:
    ///   - report: How the run ended, with its counts and problems.
    ///   - entries: What is listed.
    ///   - seconds: How long the run took.
    ///   - conflicts: The numbers of conflicts that the run opened or brought up to date.
    ///   - quarantined: The number of a record that was not valid, nil where there is none.
    ///   - output: Where the text goes.
    /// - Throws: `SystemError`.
    func write(
        _ report: RunReport, _ entries: GroupedEntries, seconds: Double, conflicts: [Int64], quarantined: Int64?,
        to output: ResultOutput
    ) throws {
        let view = ReportText(style: style)
        try output.write(view.headline(report, seconds: seconds))
        if report.streams.count > 1 { try output.write("\n" + StreamsText.text(report.streams, style: style)) }
        let entities = EntityCounts.of(report)
        if !entities.isEmpty {
            try output.write("\n" + EntityCounts.text(entities, place: families.place, style: style))
        }
        try output.write(report.streams.map(cursorLine).joined())
        if !report.schemaChanges.isEmpty {
            try output.write(
                "\n" + view.schemaChanges(report.schemaChanges, storeOption: commands.storeOption))
        }
        if !entries.isEmpty { try output.write("\n") }
        try entries.write(isPlan: report.command == .plan, totals: totals(report), style: style, to: output)
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
            .text(report, conflicts: conflicts, quarantined: quarantined)
        let hasBody = !entries.isEmpty || !report.schemaChanges.isEmpty
        if !problems.isEmpty { try output.write((hasBody ? "\n" : "") + problems) }
        if !steps.isEmpty { try output.write("\n" + steps) }
        try output.flush()
    }

    /// Since when an incremental stream was asked, empty for another one.
    private func cursorLine(_ stream: StreamReport) -> String {
        guard let cursor = stream.cursor, let start = cursor.start else { return "" }
        let end = cursor.end.map { " until \($0)" } ?? ""
        return style.paint("  \(ShortText.of(stream.stream)): asked for changes since \(start)\(end)", .faint) + "\n"
    }

    /// How many entries a group has by the report's counts, which may be more than are listed.
    private func totals(_ report: RunReport) -> (ReportGroup) -> Int {
        { group in
            let own = report.streams.filter { families.table(of: $0.entity) == group.table }
            let within = report.streams.flatMap(\.parts).filter { families.table(of: $0.entity) == group.table }
            let summaries = own.map(\.summary) + within.map(\.summary)
            return switch group.kind {
            case .insert: summaries.reduce(0) { $0 + $1.insert }
            case .update: summaries.reduce(0) { $0 + $1.update }
            case .delete, .mark: summaries.reduce(0) { $0 + $1.delete }
            case .gone: own.reduce(0) { $0 + $1.reportedGone }
            case .missing: own.reduce(0) { $0 + $1.suspected }
            case .conflict: summaries.reduce(0) { $0 + $1.conflict }
            case .within, .kept, .over, .conflictWithin, .invalid: 0
            }
        }
    }
}
