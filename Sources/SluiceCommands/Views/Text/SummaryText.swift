internal import SluiceReport
package import SluiceStore

/// The counts of a run in words.
package enum SummaryText {
    /// What is called that rows are inserted, updated or deleted.
    typealias Verbs = (insert: String, update: String, delete: String, write: String)

    /// What a plan would do.
    private static let planned = (
        insert: "to insert", update: "to update", delete: "to delete", write: "to write in part"
    )
    /// What a run did.
    private static let done = (
        insert: "inserted", update: "updated", delete: "deleted", write: "written in part"
    )

    /// How many pages the source has, where it says of all of them that they are as before, so that none was read.
    static func unreadPages(_ report: RunReport) -> Int? {
        let isUnread = !report.streams.isEmpty && report.streams.allSatisfy { $0.notModified > 0 && $0.pages == 0 }
        return isUnread ? report.streams.reduce(0) { $0 + $1.notModified } : nil
    }

    /// What became of records that stand within others, an entity each.
    static func within(_ run: RunEntry) -> [String] {
        run.within.sorted { $0.key < $1.key }.map { entity, counts in
            "\(ShortText.of(entity)): \(words(RunSummary(counts)).joined(separator: ", "))"
        }
    }

    /// What becomes of the records that stand within the streams' own; none where all of them are as they were.
    static func within(_ report: RunReport) -> [String] {
        counts(report.within, verbs: report.command == .plan ? planned : done)
    }

    /// What a plan would do with the streams' own records, or a run did.
    static func words(_ report: RunReport) -> [String] {
        var all = words(report.summary, verbs: report.command == .plan ? planned : done)
        let duplicates = report.streams.reduce(0) { $0 + $1.duplicates }
        if duplicates > 0 { all.append(CountText.of(duplicates, "duplicate")) }
        let filtered = report.streams.reduce(0) { $0 + $1.filtered }
        if filtered > 0 { all.append("\(CountText.grouped(filtered)) filtered out") }
        let gone = report.streams.reduce(0) { $0 + $1.reportedGone }
        if gone > 0 { all.append("\(CountText.grouped(gone)) gone from the source") }
        let missing = report.streams.reduce(0) { $0 + $1.suspected }
        if missing > 0 { all.append("\(CountText.grouped(missing)) missing") }
        return all + linked(report.linked, isPlan: report.command == .plan)
    }

    /// What became of references that had waited; nothing where there are none.
    static func linked(_ count: Int, isPlan: Bool = false) -> [String] {
        count == 0 ? [] : ["\(CountText.of(count, "reference")) \(isPlan ? "to link" : "linked")"]
    }

    /// What a run did with the streams' own records, as the store remembers it.
    package static func words(_ run: RunEntry) -> [String] {
        let summary = RunSummary(run)
        // What it read is not known where the source said that all is as before.
        let isAsBefore =
            summary == RunSummary() && run.linked == 0 && run.recordsRead == nil && run.scope == nil
            && run.undoes == nil
            && run.command == RunReport.Command.run.rawValue && run.status == RunReport.Status.succeeded.rawValue
        return isAsBefore ? ["nothing changed: the source is as before"] : words(summary) + linked(run.linked)
    }

    /// The counts that are not zero; the unchanged ones in any case where there is no other.
    static func words(_ summary: RunSummary, verbs: Verbs = done) -> [String] {
        var words = counts(summary, verbs: verbs)
        if summary.unchanged > 0 { words.append("\(CountText.grouped(summary.unchanged)) unchanged") }
        return words.isEmpty ? ["no records"] : words
    }

    /// The counts of records that are not as they were, or not as their source says.
    private static func counts(_ summary: RunSummary, verbs: Verbs) -> [String] {
        let counts = [
            (summary.insert, verbs.insert), (summary.update, verbs.update), (summary.delete, verbs.delete),
            (summary.conflict, "in conflict"), (summary.conflictWritten, verbs.write),
            (summary.stale, "changed since the plan"), (summary.quarantined, "not written"),
            (summary.keptLocal, "kept against the source"),
            (summary.deleteRefused, summary.deleteRefused == 1 ? "delete refused" : "deletes refused"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
    }
}
