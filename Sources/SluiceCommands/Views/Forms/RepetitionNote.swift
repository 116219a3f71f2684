internal import SluiceReport
package import SluiceStore

/// That a run does again what an undo took back, since its source still says so.
package enum RepetitionNote {
    /// What people should know.
    package static let text =
        "While the source says the same, the next run does it again. Correct the source, the pipeline or the rows."

    /// Whether the next run would do again what a run did: what it did came from a source.
    package static func applies(to run: RunEntry) -> Bool {
        [RunReport.Command.run.rawValue, RunEntry.applyCommand].contains(run.command)
    }

    /// What is told of an undo that wrote rows; nil where no run does it again.
    ///
    /// - Parameters:
    ///   - report: What the undo came to.
    ///   - run: The run that it takes back.
    /// - Returns: A note.
    static func problem(_ report: RunReport, of run: RunEntry) -> RunProblem? {
        guard report.run != nil, applies(to: run), report.summary.hasWrites || report.within.hasWrites else {
            return nil
        }
        return RunProblem(code: "done_again", severity: .note, message: text)
    }
}
