internal import SluiceReport

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
    ///   - newTables: The tables whose new records are only counted.
    ///   - seconds: How long the run took.
    ///   - conflicts: The conflicts that the run opened or brought up to date.
    ///   - quarantined: The number of a record that was not valid, nil where there is none.
    ///   - output: Where the text goes.
    /// - Throws: `SystemError`.
    func write(
        _ report: RunReport, _ entries: GroupedEntries, newTables: [String], seconds: Double, conflicts: ToldConflicts,
        quarantined: Int64?, to output: ResultOutput
    ) throws {
        let totals = ReportTotals.of(report, families)
        let view = ReportText(style: style)
        try output.write(view.headline(report, seconds: seconds))
        if report.streams.count > 1 { try output.write("\n" + StreamsText.text(report.streams, style: style)) }
        let entities = EntityCounts.text(report, families, style: style)
        if !entities.isEmpty { try output.write("\n" + entities) }
        try output.write(report.streams.map(cursorLine).joined())
        if !report.schemaChanges.isEmpty {
            try output.write(
                "\n" + view.schemaChanges(report.schemaChanges, storeOption: commands.storeOption))
        }
        let counted = counted(newTables, report, totals)
        try output.write(counted)
        if !entries.isEmpty { try output.write("\n") }
        let store = commands.storeOption
        try entries.write(
            isPlan: report.command == .plan,
            totals: { group in
                // What came into new tables is told above.
                [.insert, .update].contains(group.kind) && newTables.contains(group.table) ? 0 : totals(group)
            },
            omission: { sort in
                let (noun, remedy) =
                    switch sort {
                    case .change: ("change", "list more with \(commands.listing(of: report))")
                    case .kept: ("record kept", "list more with `--changes N` or `--changes all`")
                    case .conflict: ("conflict", "see `sluice conflicts list\(store)`")
                    case .invalid where report.command == .plan:
                        // A plan puts nothing into the quarantine.
                        ("invalid record", "list more with `--changes N` or `--changes all`")
                    case .invalid: ("invalid record", "see `sluice quarantine list\(store)`")
                    }
                return view.omitted(entries.omitted(sort), noun: noun, remedy: remedy)
            }, style: style, to: output)
        let problems = ProblemsText(style: style).text(report.problemsBesideStop)
        let steps = NextSteps(commands: commands, style: style)
            .text(report, conflicts: conflicts, quarantined: quarantined)
        let hasBody =
            report.streams.count > 1 || !entities.isEmpty || !entries.isEmpty || !counted.isEmpty
            || !report.schemaChanges.isEmpty
        if !problems.isEmpty { try output.write((hasBody ? "\n" : "") + problems) }
        if !steps.isEmpty { try output.write("\n" + steps) }
        try output.flush()
    }

    /// A line for each table that had no record, with how many it gets, and how they are listed.
    private func counted(_ tables: [String], _ report: RunReport, _ totals: (ReportGroup) -> Int) -> String {
        var lines: [String] = []
        // What belongs to others stands behind them.
        let entities = report.streams.flatMap { [$0.entity] + $0.parts.map(\.entity) }
        for table in entities.map({ families.table(of: $0) }) + tables where tables.contains(table) {
            let count = totals(ReportGroup(kind: .insert, table: table))
            let verb = report.command == .plan ? "to insert" : "inserted"
            let head = style.paint("\(CountText.grouped(count)) \(verb) into \(ShortText.of(table))", .strong)
            // Another stream of the same run may change what the first one brought.
            let updates = totals(ReportGroup(kind: .update, table: table))
            let change = report.command == .plan ? "to update" : "updated"
            let after = updates > 0 ? "; \(CountText.grouped(updates)) \(change) after that" : ""
            let line = head + style.paint(", which had no rows\(after)", .faint) + "\n"
            if count > 0 && !lines.contains(line) { lines.append(line) }
        }
        if lines.isEmpty { return "" }
        let total = tables.reduce(0) { $0 + totals(ReportGroup(kind: .insert, table: $1)) }
        let they = CountText.word(total, "It is", "They are")
        // The history has the keys of new records, and their values only where a pipeline asks for that.
        let them =
            commands.listsHistory(of: report)
            ? CountText.word(total, "its key", "their keys") : CountText.word(total, "it", "them")
        let hint = "  \(they) not listed; list \(them) with \(commands.listing(of: report))"
        return "\n" + lines.joined() + style.paint(hint, .faint) + "\n"
    }

    /// Since when an incremental stream was asked, empty for another one.
    private func cursorLine(_ stream: StreamReport) -> String {
        guard let cursor = stream.cursor, let start = cursor.start else { return "" }
        let end = cursor.end.map { " until \($0)" } ?? ""
        let verb = cursor.isClientSide == true ? "took" : "asked for"
        return style.paint("  \(ShortText.of(stream.stream)): \(verb) changes since \(start)\(end)", .faint) + "\n"
    }
}
