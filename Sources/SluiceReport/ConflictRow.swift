/// A row that is in conflict, whichever sources disagree about it.
package struct ConflictRow: Codable, Hashable {
    package let table: String
    /// The hash of its key.
    package let key: UInt64

    /// Makes one of its parts.
    package init(table: String, key: UInt64) {
        self.table = table
        self.key = key
    }
}

extension StreamReport {
    /// The counts of the stream's own records, with their rows in conflict.
    package var outcomes: (counts: RunSummary, conflicts: Set<ConflictRow>) {
        var counts = summary
        (counts.deleteReported, counts.duplicates) = (reportedGone, duplicates)
        return (counts, conflictRows)
    }
}

extension StreamReport.Part {
    /// The counts, with the rows in conflict.
    package var outcomes: (counts: RunSummary, conflicts: Set<ConflictRow>) { (summary, conflictRows) }
}

extension RunSummary {
    /// The sum of counts, in which a row that is in conflict for several sources counts once.
    static func ofRows(_ parts: [(counts: RunSummary, conflicts: Set<ConflictRow>)]) -> RunSummary {
        var sum = RunSummary()
        var rows: Set<ConflictRow> = []
        for part in parts {
            sum.add(part.counts)
            sum.conflict -= rows.intersection(part.conflicts).count
            rows.formUnion(part.conflicts)
        }
        sum.conflictWritten = min(sum.conflictWritten, sum.conflict)
        return sum
    }
}
