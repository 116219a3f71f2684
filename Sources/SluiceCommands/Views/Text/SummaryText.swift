internal import SluiceStore
internal import SluiceSync

/// The counts of a run in words.
enum SummaryText {
    /// What a plan would do.
    static func planned(_ report: RunReport) -> [String] {
        words(report, verbs: ("to insert", "to update", "to delete"))
    }

    /// What a run did.
    static func done(_ report: RunReport) -> [String] { words(report, verbs: ("inserted", "updated", "deleted")) }

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

    private static func words(_ report: RunReport, verbs: (insert: String, update: String, delete: String)) -> [String]
    {
        var all = self.words(report.summary, verbs: verbs)
        let gone = report.streams.reduce(0) { $0 + $1.reportedGone }
        if gone > 0 { all.append("\(CountText.grouped(gone)) gone from the source") }
        let missing = report.streams.reduce(0) { $0 + $1.suspected }
        if missing > 0 { all.append("\(CountText.grouped(missing)) missing") }
        if let refused = report.refusedDeletes { all.append("\(CountText.of(refused, "delete")) refused") }
        return all
    }

    /// The counts that are not zero; the unchanged ones in any case where there is no other.
    static func words(
        _ summary: RunSummary,
        verbs: (insert: String, update: String, delete: String) = ("inserted", "updated", "deleted")
    ) -> [String] {
        let conflicts = summary.conflict == 1 ? "conflict" : "conflicts"
        let counts = [
            (summary.insert, verbs.insert), (summary.update, verbs.update), (summary.delete, verbs.delete),
            (summary.conflict, conflicts), (summary.quarantined, "not written"),
            (summary.keptLocal, "kept against the source"),
            (summary.unchanged, "unchanged"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
        return words.isEmpty ? ["no records"] : words
    }
}
