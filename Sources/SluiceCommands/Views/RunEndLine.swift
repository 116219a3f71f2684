internal import SluiceReport

extension Log {
    /// Tells how a run ended, by the counts of its report: those of the streams' own records, and apart from them those of
    /// records that stand within others.
    ///
    /// - Parameters:
    ///   - report: The run.
    ///   - seconds: How long it took.
    func finished(_ report: RunReport, seconds: Double) {
        let end = "\(report.commandName) \(report.status.rawValue) in \(CountText.duration(seconds))"
        var details: [(LogDetail, LogValue)] = [(.status, .text(report.status.rawValue))]
        if let run = report.run { details.append((.run, .number(Int(run)))) }
        details.append((.seconds, .decimal(seconds)))
        details += LogDetail.counts.map { ($0, .number(report.summary[keyPath: $1])) }
        details += LogDetail.rareCounts.filter { report.summary[keyPath: $0.1] > 0 }
            .map { ($0, .number(report.summary[keyPath: $1])) }
        if !report.entities.isEmpty { details.append((.entities, .object(ReportJSON.entities(report.entities)))) }
        let words =
            report.undoes == nil
            ? SummaryText.whyNothing(report) ?? SummaryText.wholeLine(report) : SummaryText.undone(report)
        self.report(.runFinished, "\(end), \(words)", details)
    }
}

extension LogDetail {
    /// The counts of a run, by the names that its report has for them.
    fileprivate static var counts: [(LogDetail, KeyPath<RunSummary, Int>)] {
        [
            (.insert, \.insert), (.update, \.update), (.delete, \.delete), (.unchanged, \.unchanged),
            (.keptLocal, \.keptLocal), (.conflict, \.conflict), (.conflictWritten, \.conflictWritten),
            (.quarantined, \.quarantined), (.deleteRefused, \.deleteRefused),
        ]
    }

    /// The counts that are left out where they are zero.
    fileprivate static var rareCounts: [(LogDetail, KeyPath<RunSummary, Int>)] {
        [(.stale, \.stale), (.deleteReported, \.deleteReported), (.duplicates, \.duplicates)]
    }
}
