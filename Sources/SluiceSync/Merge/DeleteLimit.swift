internal import SluicePipeline

/// How many rows of records that were not seen may be deleted in one run, whether they are deleted, marked or left to
/// another source.
///
/// What a source itself says is deleted does not count: nothing can be missing by mistake there.
struct DeleteLimit {
    let rule: DeleteRule
    /// `--allow-deletes`, which stands over the rule.
    let allowed: Int?
    /// The stream's name.
    let stream: String
    /// The live base rows before the run.
    let liveBefore: Int

    /// Why a number of deletes is refused, and how they would be permitted.
    ///
    /// - Parameters:
    ///   - deletes: How many rows would be deleted.
    ///   - read: How many records the scan read.
    /// - Returns: Nil where they are permitted.
    func refusal(of deletes: Int, read: Int) -> String? {
        if deletes <= 0 { return nil }
        if let allowed, deletes <= allowed { return nil }
        let remedy = "If this is right, allow it once with `--allow-deletes \(deletes)`."
        if read < rule.minimumRecords {
            return
                "The source gave \(read) records for `\(stream)`, fewer than `min_records: \(rule.minimumRecords)`, so \(deletes == 1 ? "1 delete was" : "\(deletes) deletes were") refused. \(remedy)"
        }
        let (isOver, limit): (Bool, String) =
            switch rule.maximum {
            case .count(let count): (deletes > count, "\(count)")
            case .percent(let percent):
                (Double(deletes) > percent / 100 * Double(liveBefore), "\(Self.text(percent))% of \(liveBefore)")
            }
        guard isOver else { return nil }
        return
            "\(deletes) of the records of `\(stream)` are gone from the source, more than `max_delete` allows (\(limit)), so nothing was deleted. \(remedy)"
    }

    private static func text(_ percent: Double) -> String {
        percent == percent.rounded() ? String(Int(percent)) : String(percent)
    }
}
