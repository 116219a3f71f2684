internal import SluiceDiagnostics
internal import SluiceStore
internal import SluiceSync

/// The parts of a report that are held in memory, for people.
struct ReportText {
    let style: TextStyle

    /// The line that says it all.
    func headline(_ report: RunReport, seconds: Double) -> String {
        let retry = report.retry.map { _ in ": retry of quarantined records of \(report.pipeline)" }
        let plan = "Plan" + (retry ?? " for \(report.pipeline)")
        let run = "Run" + (retry ?? " of \(report.pipeline)")
        let text: String
        switch (report.status, report.command) {
        case (.failed, .plan): text = "\(plan): failed"
        case (.failed, .run) where report.run != nil: text = "\(run): failed, the pages before are kept"
        case (.failed, .run): text = "\(run): failed, the store is as before"
        case (.interrupted, .plan): text = "\(plan): stopped"
        case (.interrupted, .run) where report.run != nil: text = "\(run): stopped, the pages before are kept"
        case (.interrupted, .run): text = "\(run): stopped"
        case (.locked, .plan): text = "\(plan): not done, the store is in use"
        case (.locked, .run): text = "\(run): not done, the store is in use"
        case (_, .plan): text = "\(plan): " + counts(SummaryText.planned(report), report, "nothing to change")
        case (_, .run):
            let number = report.run.map { "Run \($0)" + (retry ?? " of \(report.pipeline)") } ?? run
            let counts = counts(SummaryText.done(report), report, "nothing changed")
            return style.paint("\(number): \(counts)", .strong)
                + style.paint("  (\(CountText.duration(seconds)))", .faint) + "\n"
        }
        return style.paint(text, .strong) + "\n"
    }

    private func counts(_ words: [String], _ report: RunReport, _ nothing: String) -> String {
        if !report.hasChanges, let pages = SummaryText.unreadPages(report) {
            let subject =
                pages == 1 ? "the page is" : pages == 2 ? "both pages are" : "all \(CountText.grouped(pages)) pages are"
            return "\(nothing): \(subject) as before"
        }
        let within = EntityCounts.hasWritesWithinAlone(report) ? ["changes within them"] : []
        return (report.hasChanges ? words + within : [nothing] + words).joined(separator: ", ")
    }

    /// What is done to the database's tables.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - storeOption: What a command must say to use the same store, with a blank before it.
    /// - Returns: Whole lines.
    func schemaChanges(_ changes: [SchemaChange], storeOption: String = "") -> String {
        changes.map { change in
            let table = ShortText.of(change.table)
            switch change.kind {
            case .createTable: return "\(style.paint("+", .added)) table \(table)\n"
            case .adoptTable: return "\(style.paint("~", .changed)) table \(table)  " + faint("(was here before)")
            case .leaveOutView:
                return "\(style.paint("!", .conflict)) view \(table)  "
                    + faint("(left out: something else has its name; see `sluice conflicts list\(storeOption)`)")
            case .leaveOutForeignKey:
                return "\(style.paint("!", .conflict)) foreign key of \(table)  " + faint(statement(change))
                    + faint(
                        "    left out: SQLite adds none over several columns to a table that is there. Each run checks it at its end; a table that is made anew has it."
                    )
            case .addColumn: return "\(style.paint("+", .added)) column of \(table)  " + faint(statement(change))
            case .createIndex: return "\(style.paint("+", .added)) index on \(table)  " + faint(statement(change))
            }
        }.joined()
    }

    private func faint(_ text: String) -> String { style.paint(text, .faint) + "\n" }

    private func statement(_ change: SchemaChange) -> String {
        let words = change.sql.split { $0.isWhitespace }.joined(separator: " ")
        return ShortText.of(words, width: 90)
    }

    /// How many entries a list leaves out.
    func omitted(_ count: Int, noun: String, remedy: String) -> String {
        count == 0 ? "" : faint("  … and \(CountText.of(count, "more " + noun)); \(remedy)")
    }
}
