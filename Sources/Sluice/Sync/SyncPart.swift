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
            var summary = before.streams[index].summary
            let own = report.streams[index].summary
            if isLookBack {
                summary.delete += own.delete
                summary.deleteRefused += own.deleteRefused
                // It met all that are open, and those of rows that were changed and are gone.
                summary.conflict = own.conflict
            } else {
                summary.add(own)
                report.streams[index].read += before.streams[index].read
                report.streams[index].filtered += before.streams[index].filtered
            }
            report.streams[index].summary = summary
            if isLookBack {
                report.streams[index].read = before.streams[index].read
                report.streams[index].filtered = before.streams[index].filtered
            }
        }
    }
}
