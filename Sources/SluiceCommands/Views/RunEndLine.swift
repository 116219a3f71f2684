internal import SluiceReport

extension Log {
    /// Tells how a run ended.
    ///
    /// - Parameters:
    ///   - report: The run.
    ///   - seconds: How long it took.
    func finished(_ report: RunReport, seconds: Double) {
        let total = report.total
        let counts: [(LogDetail, Int, String)] = [
            (.insert, total.insert, "inserted"), (.update, total.update, "updated"),
            (.delete, total.delete, "deleted"), (.unchanged, total.unchanged, "unchanged"),
            (.conflict, total.conflict, "in conflict"), (.quarantined, total.quarantined, "in quarantine"),
        ]
        let words = counts.filter { $0.1 > 0 }.map { "\(CountText.grouped($0.1)) \($0.2)" }
        let end = "\(report.commandName) \(report.status.rawValue) in \(CountText.duration(seconds))"
        var details: [(LogDetail, LogValue)] = [(.status, .text(report.status.rawValue))]
        if let run = report.run { details.append((.run, .number(Int(run)))) }
        details.append((.seconds, .decimal(seconds)))
        tell(.runFinished, ([end] + words).joined(separator: ", "), details + counts.map { ($0.0, .number($0.1)) })
    }
}
