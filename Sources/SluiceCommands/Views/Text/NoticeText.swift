internal import SluiceNotices
internal import SluicePipeline
internal import SluiceReport

/// What there is to tell of a run, in a few sentences for people who see nothing else of it.
enum NoticeText {
    static func of(_ report: RunReport, events: [NotificationDefinition.Event]) -> String {
        let severities: [RunProblem.Severity] =
            report.status == .succeeded ? [] : [.error, .warning]
        let problem = severities.lazy.compactMap { severity in
            report.problems.first { $0.severity == severity }?.message
        }.first
        var sentences = events.map { sentence($0, report) } + (problem.map { [$0] } ?? [])
        if events.contains(.attention) { sentences += warnings(report) }
        return "\(report.pipeline): " + sentences.joined(separator: " ")
    }

    private static func sentence(_ event: NotificationDefinition.Event, _ report: RunReport) -> String {
        let run = report.run.map { "Run \($0)" } ?? "The run"
        return switch event {
        case .failed: report.status == .partial ? "A part of the run failed." : "The run failed."
        case .recovered: "\(run) succeeded, and the one before had not."
        case .refused: "A safety guard refused a part of the run."
        case .conflict: "\(run) opened or renewed \(CountText.of(report.openedConflicts, "conflict"))."
        case .attention: "\(run) succeeded, and somebody should look at it\(reasons(report))."
        case .late: "The run could not be started in time."
        }
    }

    /// The first of the warnings for which somebody should look at a run that succeeded.
    private static func warnings(_ report: RunReport) -> [String] {
        let messages = report.problems.filter(\.needsAttention).map(\.message)
        let others = messages.count - mostWarnings
        let more = others > 0 ? ["\(CountText.of(others, "more warning is", "more warnings are")) in the report."] : []
        return Array(messages.prefix(mostWarnings)) + more
    }

    /// How many warnings a notice quotes.
    private static let mostWarnings = 3

    /// What there is to look at, with a colon before it.
    private static func reasons(_ report: RunReport) -> String {
        let counts = report.total
        let conflicts = CountText.of(counts.conflict, "record is", "records are") + " in conflict"
        let invalid = CountText.of(counts.quarantined, "record was", "records were") + " not written"
        let open = report.openBesides
        let older = CountText.of(open.conflicts, "record", "records") + " that the run left "
        let held = CountText.of(open.quarantined, "record", "records") + " that the run did not read "
        let reasons = [
            (counts.conflict, conflicts), (counts.quarantined, invalid),
            (
                open.conflicts,
                older + CountText.word(open.conflicts, "as it was has", "as they were have") + " open conflicts"
            ),
            (open.quarantined, held + CountText.word(open.quarantined, "is", "are") + " in quarantine"),
            (open.typeChanged, open.typeChangedWords),
        ].filter { $0.0 > 0 }.map(\.1)
        let isOld = counts.conflict + open.conflicts > 0 && report.openedConflicts == 0
        return reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ") + (isOld ? "; no conflict is new" : "")
    }
}
