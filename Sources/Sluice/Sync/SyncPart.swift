internal import SluiceReport

/// The part of a sync that is kept at once.
struct SyncPart {
    /// What the parts before came to; nil for the first one.
    var before: RunReport?
    /// Whether others follow.
    var isFollowed = false
    /// Whether it looks for what is gone alone: its records were counted by the parts before.
    var isLookBack = false

    /// The number of the run that it belongs to; nil where that is not known yet.
    var run: Int64? { before?.run }

    /// Makes the report of a part one of all parts so far.
    func complete(_ report: inout RunReport) {
        if isFollowed && report.status == .succeeded { report.status = .partial }
        guard let before else { return }
        report.startedAt = before.startedAt
        report.problems = before.problems + report.problems.filter { !before.problems.contains($0) }
        report.schemaChanges = before.schemaChanges + report.schemaChanges
        report.linked += before.linked
        for index in report.streams.indices where before.streams.indices.contains(index) {
            let (stream, own) = (before.streams[index], report.streams[index])
            report.streams[index].summary = sum(stream.summary, own.summary)
            for part in own.parts.indices where stream.parts.indices.contains(part) {
                report.streams[index].parts[part].summary = sum(stream.parts[part].summary, own.parts[part].summary)
            }
            report.streams[index].read = stream.read + (isLookBack ? 0 : own.read)
            report.streams[index].filtered = stream.filtered + (isLookBack ? 0 : own.filtered)
        }
    }

    /// The counts of records, with those of the parts before.
    private func sum(_ before: RunSummary, _ own: RunSummary) -> RunSummary {
        var summary = before
        if !isLookBack {
            summary.add(own)
            return summary
        }
        summary.delete += own.delete
        summary.deleteRefused += own.deleteRefused
        // It met all that are open, and those of rows that were changed and are gone.
        summary.conflict = own.conflict
        return summary
    }
}
