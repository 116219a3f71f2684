internal import SluicePipeline
internal import SluiceReport
internal import SluiceSync

/// What there is to tell of a run, in a few sentences for people who see nothing else of it.
enum NoticeText {
    static func of(_ report: RunReport, events: [NotificationDefinition.Event]) -> String {
        let severities: [RunProblem.Severity] =
            report.status == .succeeded ? [] : [.error, .warning]
        let problem = severities.lazy.compactMap { severity in
            report.problems.first { $0.severity == severity }?.message
        }.first
        let sentences = events.map { sentence($0, report) } + (problem.map { [$0] } ?? [])
        return "\(report.pipeline): " + sentences.joined(separator: " ")
    }

    private static func sentence(_ event: NotificationDefinition.Event, _ report: RunReport) -> String {
        let run = report.run.map { "Run \($0)" } ?? "The run"
        return switch event {
        case .failed: report.status == .partial ? "A part of the run failed." : "The run failed."
        case .recovered: "\(run) succeeded, and the one before had not."
        case .refused: "A safety guard refused a part of the run."
        case .conflict: "\(run) opened \(CountText.of(report.openedConflicts, "conflict"))."
        case .attention: "\(run) succeeded, and somebody should look at it\(reasons(report))."
        case .late: "The run could not be started in time."
        }
    }

    /// What there is to look at, with a colon before it.
    private static func reasons(_ report: RunReport) -> String {
        let counts = report.total
        let conflicts = CountText.of(counts.conflict, "record is", "records are") + " in conflict"
        let invalid = CountText.of(counts.quarantined, "record was", "records were") + " not written"
        let reasons = [(counts.conflict, conflicts), (counts.quarantined, invalid)].filter { $0.0 > 0 }.map(\.1)
        return reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")
    }
}
