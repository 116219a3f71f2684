package import SluiceReport
internal import SluiceStore

/// Keeps what happens during one run and writes it, with the run's report, in a form.
package protocol ReportRecorder: RunObserver {
    /// Writes the report of the run that was observed.
    ///
    /// - Parameters:
    ///   - report: How the run ended, with its counts and problems.
    ///   - seconds: How long the run took.
    ///   - output: Where the text goes.
    /// - Throws: `SystemError` where the text cannot be written.
    func write(_ report: RunReport, seconds: Double, to output: ResultOutput) throws
}

extension RunReport {
    /// Whether what was observed came to anything.
    var isKept: Bool {
        switch status {
        // What is refused of a run are its deletes; an undo is refused as a whole.
        case .refused: undoes == nil
        case .succeeded, .partial: true
        case .failed, .interrupted, .locked: keepsPages
        }
    }

    /// The problem that a list could not be kept.
    mutating func note(_ spools: [TextSpool]) {
        guard let error = spools.compactMap(\.error).first else { return }
        let message =
            "The program \(error), so lists of this report end early. Free some space or set `TMPDIR`."
        problems.append(RunProblem(code: "report_truncated", severity: .warning, message: message))
    }
}
