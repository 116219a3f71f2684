internal import SluiceDiagnostics
package import SluiceStore

extension RunProblem {
    /// That a stream read records and could take none of them.
    package static let nothingTaken = "nothing_taken"
    /// The code of a warning that another pipeline keeps something else of the values of a column.
    package static let redactionDiffers = "redaction_differs"
}

extension StreamReport {
    /// What people should know where all records of a reading from the beginning are in quarantine: the pipeline is what is wrong
    /// then, rather than records. Of one record, or of changes alone, that says nothing.
    package var nothingTaken: RunProblem? {
        let taken =
            summary.insert + summary.update + summary.unchanged + summary.keptLocal + summary.conflict + summary.stale
        guard summary.quarantined > 1, taken == 0, notModified == 0, resumedAtPage == nil, cursor?.isFiltered != true
        else { return nil }
        var problem = RunProblem(
            code: RunProblem.nothingTaken, severity: .warning,
            message:
                "All \(Plural.of(summary.quarantined, "record")) that were read are in quarantine, so nothing of them is written. Each has its reason there; one wrong field or `expr` can be the reason of all."
        )
        problem.stream = stream
        return problem
    }
}

extension RunEntry {
    /// Whether a stream could take none of its records.
    package var tookNothing: Bool { warnings.contains { $0.code == RunProblem.nothingTaken } }
}
