internal import SluiceDiagnostics
internal import SluiceStore
internal import SluiceSync

/// The parts of a report that are held in memory, for people.
struct ReportText {
    let style: TextStyle

    /// The line that says it all.
    func headline(_ report: RunReport, seconds: Double) -> String {
        let name = report.retry == nil ? report.pipeline : "the quarantine of \(report.pipeline)"
        let text: String
        switch (report.status, report.command) {
        case (.failed, .plan): text = "Plan for \(name): failed"
        case (.failed, .run) where report.run != nil: text = "Run of \(name): failed, the pages before are kept"
        case (.failed, .run): text = "Run of \(name): failed, the store is as before"
        case (.interrupted, .plan): text = "Plan for \(name): stopped"
        case (.interrupted, .run) where report.run != nil: text = "Run of \(name): stopped, the pages before are kept"
        case (.interrupted, .run): text = "Run of \(name): stopped"
        case (.locked, .plan): text = "Plan for \(name): not done, the store is in use"
        case (.locked, .run): text = "Run of \(name): not done, the store is in use"
        case (_, .plan): text = "Plan for \(name): " + counts(SummaryText.planned(report), report, "nothing to change")
        case (_, .run):
            let number = report.run.map { "Run \($0) of" } ?? "Run of"
            let counts = counts(SummaryText.done(report), report, "nothing changed")
            return style.paint("\(number) \(name): \(counts)", .strong)
                + style.paint("  (\(CountText.duration(seconds)))", .faint) + "\n"
        }
        return style.paint(text, .strong) + "\n"
    }

    private func counts(_ words: [String], _ report: RunReport, _ nothing: String) -> String {
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
            case .renameTable, .renameColumn:
                return "\(style.paint("~", .changed)) \(change.kind == .renameTable ? "table" : "column of") \(table)  "
                    + faint(statement(change))
            case .renameSource:
                return "\(style.paint("~", .changed)) source of \(table)  " + faint("was \(ShortText.of(change.sql))")
            case .forgetSource:
                return "\(style.paint("-", .removed)) source of \(table)  "
                    + faint("\(ShortText.of(change.sql)) is forgotten; the table stays as it is")
            case .redactValues:
                return "\(style.paint("~", .changed)) values of \(table)  "
                    + faint(
                        "\(ShortText.of(change.sql)), also of what is stored in clear: rows, base, conflicts, history, quarantine"
                    )
            case .leaveColumn:
                return "\(style.paint("!", .conflict)) column of \(table)  "
                    + faint("\(ShortText.of(change.sql)) is filled by no field any more, and stays as it is")
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
