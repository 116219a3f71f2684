internal import SluiceReport
package import SluiceStore

/// The counts of a run in words.
package enum SummaryText {
    /// What is called that rows are inserted, updated or deleted.
    typealias Verbs = (insert: String, update: String, delete: String, written: String)

    /// What a plan would do.
    private static let planned = (
        insert: "to insert", update: "to update", delete: "to delete", written: "to write in part"
    )
    /// What a run did.
    private static let done = (
        insert: "inserted", update: "updated", delete: "deleted", written: "written in part"
    )

    /// That pages of which none was read are as before.
    static func asBefore(pages: Int) -> String {
        let subject =
            pages == 2
            ? "both pages are" : CountText.word(pages, "the page is", "all \(CountText.grouped(pages)) pages are")
        return "\(subject) as before"
    }

    /// Why nothing changed, where the source gave nothing since nothing is new there; nil where it gave something.
    static func whyNothing(_ report: RunReport) -> String? {
        let run = RunEntry(report)
        if report.hasChanges || report.streams.contains(where: { $0.read > 0 }) { return nil }
        return report.against == nil || run.pagesAsBefore != nil ? whyNothing(run) : nil
    }

    /// The same of a run as the store remembers it.
    private static func whyNothing(_ run: RunEntry) -> String? {
        run.pagesAsBefore.map { asBefore(pages: $0) } ?? (isAsBefore(run) ? asBefore : nil)
    }

    /// What became of records that stand within others, an entity each.
    static func within(_ run: RunEntry) -> [String] { within(run.within) }

    /// What became of records, by entity.
    static func within(_ counts: [String: RunCounts]) -> [String] {
        counts.sorted { $0.key < $1.key }.map { entity, counts in
            "\(ShortText.of(entity)): \(words(RunSummary(counts)).joined(separator: ", "))"
        }
    }

    /// What becomes of the records that stand within the streams' own; none where all of them are as they were.
    static func within(_ report: RunReport) -> [String] {
        counts(report.within, verbs: report.command == .plan ? planned : done)
    }

    /// What a plan would do or a run did, in one line: with the streams' own records, with those within them, with tables.
    static func wholeLine(_ report: RunReport) -> String {
        let within = within(report)
        return words(report).joined(separator: ", ")
            + (within.isEmpty ? "" : "; within them \(within.joined(separator: ", "))") + tables(report)
    }

    /// The tables that a plan would change or a run changed, behind what became of records; nothing where there are none.
    private static func tables(_ report: RunReport) -> String {
        let tables = report.schemaChanges.changedTables
        if tables.isEmpty { return "" }
        let names = ShortText.of(tables.joined(separator: ", "))
        return report.command == .plan ? "; tables to change: \(names)" : "; changed tables: \(names)"
    }

    /// What taking a run back does, or would do.
    static func undone(_ report: RunReport) -> String { undoneRecords(report) + tables(report) }

    private static func undoneRecords(_ report: RunReport) -> String {
        let verbs = report.command == .plan ? planned : done
        var words = counts(report.summary, verbs: verbs) + linked(report.linked, isPlan: report.command == .plan)
        let within = counts(report.within, verbs: verbs)
        let back = report.schemaChanges.filter { $0.kind == .restoreValues }.reduce(0) { $0 + ($1.rows ?? 0) }
        if back > 0 { words.append("\(CountText.of(back, "value")) back from the quarantine") }
        if words.isEmpty && within.isEmpty {
            words.append(report.command == .plan ? "no row to change" : "no row changed")
        }
        let left = report.left == 0 ? [] : ["\(CountText.of(report.left, "stays", "stay"))"]
        if within.isEmpty { return (words + left).joined(separator: ", ") }
        let own = words.isEmpty ? "" : words.joined(separator: ", ") + "; "
        return (["\(own)within them \(within.joined(separator: ", "))"] + left).joined(separator: "; ")
    }

    /// What a plan would do with the streams' own records, or a run did.
    static func words(_ report: RunReport) -> [String] {
        var all = words(report.summary, verbs: report.command == .plan ? planned : done)
        all += seen(filtered: report.filtered, missing: report.suspected)
        let isPlan = report.command == .plan
        return all + linked(report.linked, isPlan: isPlan) + unlinked(report.unlinked ?? [:], isPlan: isPlan)
    }

    /// How many records were left out, and how many are missing and stay for the time being; nothing where there are none.
    private static func seen(filtered: Int, missing: Int) -> [String] {
        [(filtered, "filtered out"), (missing, "missing")].filter { $0.0 > 0 }
            .map { "\(CountText.grouped($0.0)) \($0.1)" }
    }

    /// How many rows lose a reference; nothing where none does.
    static func unlinked(_ counts: [String: Int], isPlan: Bool = false) -> [String] {
        let count = counts.values.reduce(0, +)
        return count == 0 ? [] : ["\(CountText.grouped(count)) \(isPlan ? "to lose" : "lost") a reference"]
    }

    /// What became of references that had waited; nothing where there are none.
    static func linked(_ count: Int, isPlan: Bool = false) -> [String] {
        count == 0 ? [] : ["\(CountText.of(count, "reference")) \(isPlan ? "to link" : "linked")"]
    }

    /// What is said of a source that gave nothing since there is nothing new.
    private static let asBefore = "the source is as before"

    /// What a run read is not known where its source said that all is as before.
    private static func isAsBefore(_ run: RunEntry) -> Bool {
        let commands: [RunReport.Command] = [.run, .plan]
        return RunSummary(run) == RunSummary() && run.within.isEmpty && run.linked == 0 && run.unlinked.isEmpty
            && run.recordsRead == nil && run.filtered == 0 && run.suspected == 0 && run.scope == nil
            && run.undoes == nil
            && commands.map(\.rawValue).contains(run.command)
            && run.status == RunReport.Status.succeeded.rawValue
    }

    /// What a run did with the streams' own records, as the store remembers it.
    package static func words(_ run: RunEntry) -> [String] {
        if run.command == RunEntry.dropCommand { return ["records in quarantine given up"] }
        if let reason = whyNothing(run) { return ["nothing changed: \(reason)"] }
        let summary = RunSummary(run)
        let told = seen(filtered: run.filtered, missing: run.suspected) + linked(run.linked) + unlinked(run.unlinked)
        let hasNews = !run.within.isEmpty || run.linked > 0 || !run.unlinked.isEmpty
        return summary == RunSummary() && hasNews ? told : words(summary) + told
    }

    /// What a run did with all of its records, as the store remembers it, in one line.
    package static func line(_ run: RunEntry) -> String {
        ([words(run).joined(separator: ", ")].filter { !$0.isEmpty } + within(run)).joined(separator: "; ")
    }

    /// What a plan would do.
    ///
    /// - Parameter count: Gives a count of its report by its name there.
    /// - Returns: The counts that are not zero, in words.
    package static func planned(_ count: (String) -> Int) -> [String] {
        var summary = RunSummary()
        (summary.insert, summary.update, summary.delete) = (count("insert"), count("update"), count("delete"))
        (summary.unchanged, summary.keptLocal) = (count("unchanged"), count("kept_local"))
        (summary.conflict, summary.conflictWritten) = (count("conflict"), count("conflict_written"))
        (summary.quarantined, summary.deleteRefused) = (count("quarantined"), count("delete_refused"))
        (summary.deleteReported, summary.duplicates) = (count("delete_reported"), count("duplicates"))
        return words(summary, verbs: planned)
    }

    /// The counts that are not zero; the unchanged ones in any case where there is no other.
    static func words(_ summary: RunSummary, verbs: Verbs = done) -> [String] {
        var words = counts(summary, verbs: verbs)
        if summary.unchanged > 0 { words.append("\(CountText.grouped(summary.unchanged)) unchanged") }
        if words.isEmpty { words.append("no records") }
        if summary.duplicates > 0 { words.append(CountText.of(summary.duplicates, "duplicate")) }
        let gone = summary.deleteReported
        return gone == 0 ? words : words + ["\(CountText.grouped(gone)) gone from the source"]
    }

    /// How many of the records in conflict are written in part.
    private static func part(_ summary: RunSummary, _ verbs: Verbs) -> String {
        summary.conflictWritten == 0 ? "" : " (\(CountText.grouped(summary.conflictWritten)) \(verbs.written))"
    }

    /// The counts of records that are not as they were, or not as their source says.
    private static func counts(_ summary: RunSummary, verbs: Verbs) -> [String] {
        let counts = [
            (summary.insert, verbs.insert), (summary.update, verbs.update), (summary.delete, verbs.delete),
            (summary.conflict, "in conflict\(part(summary, verbs))"),
            (summary.stale, "not as planned"), (summary.quarantined, "not written"),
            (summary.keptLocal, "kept here"),
            (summary.deleteRefused, CountText.word(summary.deleteRefused, "delete refused", "deletes refused")),
        ]
        return counts.filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
    }
}
