internal import SluiceDiagnostics
internal import SluiceReport

/// What is said once a signal has stopped a command that works through one pipeline after the other.
struct StopText {
    /// The pipelines whose runs ended before and are kept.
    private var kept: [String] = []
    /// What became of the pipeline that was stopped; nil where the signal came between two.
    private var stopped: (pipeline: String, end: End)?

    /// What is known of the run that was stopped.
    private enum End { case nothingKept, pagesKept, unknown }

    init() {}

    /// Takes a report into account.
    mutating func add(_ report: RunReport) {
        if report.status == .interrupted {
            let end: End = report.isOutcomeUnknown ? .unknown : report.keepsPages ? .pagesKept : .nothingKept
            stopped = (report.pipeline, end)
        } else if report.command == .run && report.run != nil && report.isKept {
            kept.append(report.pipeline)
        }
    }

    /// The line.
    ///
    /// - Parameter left: The pipelines that were not begun.
    /// - Returns: One sentence.
    func line(left: [String]) -> String {
        var parts: [String] = []
        switch stopped?.end {
        case .unknown: parts.append(ReportText.unknown)
        case .pagesKept: parts.append("the pages before are kept")
        case .nothingKept where !kept.isEmpty: parts.append("nothing of \(names([stopped?.pipeline ?? ""])) was kept")
        case .nothingKept: parts.append("the store is as before")
        case nil where kept.isEmpty: parts.append("the store is as before")
        case nil: break
        }
        if !kept.isEmpty {
            parts.append(
                "\(Plural.word(kept.count, "the run", "the runs")) of \(names(kept)) \(Plural.word(kept.count, "is", "are")) kept"
            )
        }
        if !left.isEmpty && !(kept.isEmpty && stopped == nil) {
            parts.append("\(names(left)) \(Plural.word(left.count, "was", "were")) not begun")
        }
        return "Stopped; \(parts.joined(separator: "; ")).\n"
    }

    private func names(_ pipelines: [String]) -> String { pipelines.map { "`\($0)`" }.joined(separator: ", ") }
}
