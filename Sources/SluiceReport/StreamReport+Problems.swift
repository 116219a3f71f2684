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
    /// then, rather than records. Of changes alone that says nothing, nor does it of one record where no other is known.
    package var nothingTaken: RunProblem? {
        // What becomes of records that were not read says nothing of those that were; a deletion that is stated was read.
        let taken =
            summary.insert + summary.update + summary.unchanged + summary.keptLocal + summary.conflict + summary.stale
            + statedDeletes - outcomesOnTop
        // One that came several times is in quarantine once.
        let count = summary.quarantined + duplicates
        guard summary.quarantined > 0, count > (knowsOthers == true ? 0 : 1), taken == 0, notModified == 0,
            resumedAtPage == nil,
            cursor?.isFiltered != true
        else { return nil }
        var problem = RunProblem(
            code: RunProblem.nothingTaken, severity: .warning,
            message: count == 1
                ? "The only record that was read is in quarantine, though the source had others before, so nothing is written. Its reason is there. Where the answer is something else than records, such as an error, `records` of the stream says where these are."
                : "All \(count) records that were read are in quarantine, so nothing of them is written. Each has its reason there; one wrong field or `expr` can be the reason of all."
        )
        problem.stream = stream
        return problem
    }
}

extension RunEntry {
    /// Whether a stream could take none of its records.
    package var tookNothing: Bool { warnings.contains { $0.code == RunProblem.nothingTaken } }
}
