internal import SluiceDiagnostics
internal import SluicePipeline

/// How many rows of records that were not seen may be deleted in one run, whether they are deleted, marked or left to
/// another source.
///
/// What a source itself says is deleted does not count: nothing can be missing by mistake there.
package struct DeleteLimit {
    let rule: DeleteRule
    /// What is left of `--allow-deletes`, which stands over the rule.
    let allowed: Int?
    /// The stream's name.
    let stream: String
    /// The rows that a limit in percent counts.
    package let rows: LiveRows

    /// Why a number of records does not count as gone.
    ///
    /// - Parameters:
    ///   - records: How many records would.
    ///   - deletes: Of how many of them the row would be deleted.
    ///   - read: How many records the scan read.
    /// - Returns: Nil where they are permitted.
    func refusal(of records: Int, ofThem deletes: Int, read: Int) -> String? {
        if let allowed, records <= allowed { return nil }
        guard let excess = excess(of: records, read: read) else { return nil }
        return switch excess {
        case .fewRecords where deletes < records:
            "The source gave \(Plural.of(read, "record")) for `\(stream)`, fewer than `min_records: \(rule.minimumRecords)`, so \(Plural.of(records, "record that is missing does", "records that are missing do")) not count as gone."
        case .fewRecords:
            "The source gave \(Plural.of(read, "record")) for `\(stream)`, fewer than `min_records: \(rule.minimumRecords)`, so \(Plural.of(deletes, "delete was", "deletes were")) refused."
        case .manyRows(let limit):
            "\(Plural.of(records, "record")) of `\(stream)` \(Plural.word(records, "is", "are")) gone from the source, more than `max_delete` allows (\(limit)), so \(Plural.word(records, "it stays", "they stay"))."
        }
    }

    /// Why it does not count that records are missing which would be gone after further scans.
    ///
    /// - Parameters:
    ///   - missing: How many records are missing.
    ///   - scans: After how many further scans they are gone.
    ///   - read: How many records the scan read.
    /// - Returns: Nil where it is permitted.
    func refusal(of missing: Int, confirmedIn scans: Int, read: Int) -> String? {
        if let allowed, missing <= allowed { return nil }
        return
            "The source gave \(Plural.of(read, "record")) for `\(stream)`, fewer than `min_records: \(rule.minimumRecords)`, so that \(Plural.of(missing, "record is", "records are")) missing does not count. \(Plural.word(missing, "It goes", "They go")) after \(Plural.of(scans, "further scan")), each with the option that allows it."
    }

    /// Whether a number of deletes is more than the rule permits, whatever is allowed for once.
    func isExceeded(by deletes: Int, read: Int) -> Bool { excess(of: deletes, read: read) != nil }

    private enum Excess {
        /// The scan read fewer records than the rule asks for.
        case fewRecords
        /// There are more deletes than the limit, which stands here in words.
        case manyRows(limit: String)
    }

    private func excess(of deletes: Int, read: Int) -> Excess? {
        if deletes <= 0 { return nil }
        if read < rule.minimumRecords { return .fewRecords }
        switch rule.maximum {
        case .count(let count): return deletes > count ? .manyRows(limit: "\(count)") : nil
        case .percent(let percent):
            let limit = percent / 100 * Double(rows.counted)
            let none = limit < 1 ? ", which is less than 1" : ""
            return Double(deletes) > limit ? .manyRows(limit: "\(Self.text(percent))% of \(rows.words)\(none)") : nil
        }
    }

    private static func text(_ percent: Double) -> String {
        percent == percent.rounded() ? String(Int(percent)) : String(percent)
    }
}
