internal import SluiceDiagnostics
internal import SluiceReport
internal import SluiceStore

/// The parts of a report that are held in memory, for people.
struct ReportText {
    let style: TextStyle

    /// What is said of the store where the connection to it was lost at a commit.
    static let unknown = "it is not known whether the store has it"

    /// The line that says it all.
    func headline(_ report: RunReport, seconds: Double) -> String {
        let retry = report.retry.map { _ in ": retry of quarantined records of \(report.pipeline)" }
        let plan =
            report.against.map { "Comparison with \(ShortText.of($0)) of \(report.pipeline)" }
            ?? "Plan" + (retry ?? " for \(report.pipeline)")
        let run = "Run" + (report.run.map { " \($0)" } ?? "") + (retry ?? " of \(report.pipeline)")
        let text: String
        switch (report.status, report.command) {
        case (.failed, .plan): text = "\(plan): failed"
        case (.failed, .run) where report.isOutcomeUnknown:
            text = "\(run): failed, and \(Self.unknown)"
        case (.failed, .run) where report.keepsPages: text = "\(run): failed, the pages before are kept"
        case (.failed, .run): text = "\(run): failed, the store is as before"
        case (.interrupted, .run) where report.isOutcomeUnknown: text = "\(run): stopped, and \(Self.unknown)"
        case (.interrupted, .plan): text = "\(plan): stopped"
        case (.interrupted, .run) where report.keepsPages: text = "\(run): stopped, the pages before are kept"
        case (.interrupted, .run): text = "\(run): stopped"
        case (.locked, .plan): text = "\(plan): not done, the store is in use"
        case (.locked, .run): text = "\(run): not done, the store is in use"
        case (.refused, _) where !report.keepsPages && report.streams.isEmpty:
            text = "\(report.command == .plan ? plan : run): refused, the store is as before"
        case (_, .plan) where report.problems.contains { $0.code == RunProblem.notCompared }:
            text = "\(plan): not compared"
        case (_, .plan):
            text =
                "\(plan): "
                + counts(report, report.against == nil ? "nothing to change" : "nothing differs")
        case (_, .run):
            let counts = counts(report, "nothing changed")
            return style.paint("\(run): \(counts)", .strong)
                + style.paint("  (\(CountText.duration(seconds)))", .faint) + "\n"
        }
        return style.paint(text, .strong) + "\n"
    }

    private func counts(_ report: RunReport, _ nothing: String) -> String {
        if let reason = SummaryText.whyNothing(report) { return "\(nothing): \(reason)" }
        return (report.hasChanges ? "" : "\(nothing), ") + SummaryText.wholeLine(report)
    }

    /// What is done to the database's tables.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - storeOption: What a command must say to use the same store, with a blank before it.
    /// - Returns: Whole lines.
    func schemaChanges(_ changes: [SchemaChange], storeOption: String = "") -> String {
        var renamed: Set<String> = []
        return changes.map { change in
            let table = ShortText.of(change.table)
            switch change.kind {
            case .createTable: return "\(style.paint("+", .added)) table \(table)\n"
            case .adoptTable: return "\(style.paint("~", .changed)) table \(table)  " + faint("(was here before)")
            case .renameTable, .renameColumn:
                return
                    "\(style.paint("~", .changed)) \(change.kind == .renameTable ? "table" : "column of") \(table)\(Self.rows(change))  "
                    + faint(statement(change))
            case .renameSource:
                let line = "\(style.paint("~", .changed)) " + renamedSource(change, table)
                // Several streams may fill the table of an entity.
                return renamed.insert(line).inserted ? line : ""
            case .forgetSource:
                return "\(style.paint("-", .removed)) source of \(table)\(Self.rows(change))  "
                    + faint("\(ShortText.of(change.sql)) is forgotten; the table stays as it is")
            case .redactValues:
                return "\(style.paint("~", .changed)) values of \(table)  "
                    + faint(
                        "\(ShortText.of(change.sql)), also of what is stored in clear\(Self.places(change.redacted))")
            case .changeKey:
                return
                    "\(style.paint("~", .changed)) identifier of \(table)\(Self.rows(change))  "
                    + faint(statement(change))
            case .spellKeys:
                return "\(style.paint("~", .changed)) identifiers of \(table)\(Self.rows(change))  "
                    + faint("as they are compared: \(statement(change))")
            case .changeReference:
                return "\(style.paint("~", .changed)) reference of \(table)\(Self.rows(change))  "
                    + faint(statement(change))
            case .quarantineValues:
                return "\(style.paint("!", .conflict)) values of \(table)\(Self.rows(change))  "
                    + faint("\(ShortText.of(change.sql)): to the quarantine, and null") + examples(change)
            case .restoreValues:
                return "\(style.paint("~", .changed)) values of \(table), \(CountText.of(change.rows ?? 0, "row"))  "
                    + faint("\(ShortText.of(change.sql)): back from the quarantine")
            case .dropIndex:
                return "\(style.paint("-", .removed)) index on \(table)\(Self.rows(change))  "
                    + faint(statement(change))
            case .leaveOutObject:
                return "\(style.paint("!", .conflict)) not made again  " + faint(statement(change))
            case .restoreObject:
                return "\(style.paint("+", .added)) made again  " + faint(statement(change))
            case .changeType:
                return "\(style.paint("~", .changed)) column of \(table)\(Self.rows(change, "value"))  "
                    + faint(statement(change))
            case .leaveColumn:
                return "\(style.paint("!", .conflict)) column of \(table)\(Self.rows(change, "value"))  "
                    + faint("\(ShortText.of(change.sql)) is filled by no field any more, and stays as it is")
            case .leaveTable:
                let words =
                    change.sql.isEmpty
                    ? "is filled by no entity any more, and stays as it is"
                    : "the links of \(ShortText.of(change.sql)) are filled by no field any more, and stay as they are"
                return "\(style.paint("!", .conflict)) table \(table)\(Self.rows(change))  " + faint(words)
            case .closeConflicts:
                let source = ShortText.of(change.sql.split(separator: " ").first.map(String.init) ?? "")
                let field = change.name.map { " over \(ShortText.of($0))" } ?? ""
                return
                    "\(style.paint("!", .conflict)) \(CountText.of(change.rows ?? 0, "conflict")) of \(table)\(field)  "
                    + faint("closed: \(source) no longer fills \(field.isEmpty ? "what they are about" : "it")")
            case .leaveOutView:
                return "\(style.paint("!", .conflict)) view \(table)  "
                    + faint("(left out: something else has its name; see `sluice conflicts list\(storeOption)`)")
            case .leaveOutForeignKey:
                return "\(style.paint("!", .conflict)) foreign key of \(table)  " + faint(statement(change))
                    + faint(
                        "    left out: SQLite adds none over several columns to a table that is there. Each run checks it at its end; a table that is made anew has it."
                    )
            case .leaveOutIndex:
                return "\(style.paint("!", .conflict)) index on \(table)  " + faint(statement(change))
                    + faint(
                        "    left out: only the owner of the table may make it. Runs work without it, and are slower.")
            case .addColumn, .addForeignKey, .createIndex:
                let noun =
                    switch change.kind {
                    case .addColumn: "column of"
                    case .addForeignKey: "foreign key of"
                    default: "index on"
                    }
                return "\(style.paint("+", .added)) \(noun) \(table)\(Self.rows(change))  "
                    + faint(statement(change))
            }
        }.joined()
    }

    /// What of a source's name is another one now: that of the pipeline, the stream or the entity.
    private func renamedSource(_ change: SchemaChange, _ table: String) -> String {
        func parts(_ name: String) -> [String] {
            name.split { $0 == "/" || $0 == " " }.map { ShortText.of(String($0)) }
        }
        let (old, new) = (parts(change.sql), change.name.map(parts) ?? [])
        let changed = zip(["pipeline", "stream", "entity"], zip(old, new)).filter { $0.1.0 != $0.1.1 }
        guard old.count == new.count, old.count == 3, changed.count == 1, let (noun, names) = changed.first else {
            return "source of \(table)  " + faint("was \(ShortText.of(change.sql))")
        }
        return "\(noun) \(names.1)  " + faint("was \(names.0)  (table \(table))")
    }

    /// How many rows a change touches, where that is known.
    private static func rows(_ change: SchemaChange, _ noun: String = "row") -> String {
        change.rows.map { ", \(CountText.of($0, noun))" } ?? ""
    }

    /// The first values that go to the quarantine, one to a line.
    private func examples(_ change: SchemaChange) -> String {
        // The history knows how many there were, and the quarantine has the values.
        guard let first = change.examples, !first.isEmpty else { return "" }
        let more = (change.rows ?? first.count) - first.count
        let lines =
            first.map { "    " + ShortText.of($0, width: 120) }
            + (more > 0 ? ["    … and \(CountText.grouped(more)) more"] : [])
        return lines.map(faint).joined()
    }

    /// How much of what is stored in clear is replaced, and where.
    private static func places(_ counts: RedactedCounts?) -> String {
        guard let counts else { return "" }
        let found = counts.places.filter { $0.count > 0 && $0.name != "edited_rows" }
            .map { "\($0.name) \(CountText.grouped($0.count))" }
        let edited = counts.edited == 0 ? "" : "; left as people wrote it: \(CountText.of(counts.edited, "row"))"
        return ": " + (found.isEmpty ? "nothing" : found.joined(separator: ", ")) + edited
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
