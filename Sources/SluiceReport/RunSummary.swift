/// How many records had which outcome.
package struct RunSummary: Codable, Sendable, Equatable {
    /// Records that are new in the store.
    package var insert = 0
    /// Records of whose row something was written.
    package var update = 0
    /// Rows that were deleted or marked as deleted.
    package var delete = 0
    /// Records about which the source says what it said before, or what the store already holds.
    package var unchanged = 0
    /// Records whose change was not taken because the local value stands.
    package var keptLocal = 0
    /// Records that have an open conflict after the run.
    package var conflict = 0
    /// Of the records in conflict those that were written in part: in the fields that nobody has to decide about.
    package var conflictWritten = 0
    /// Records that could not be taken.
    package var quarantined = 0
    /// Rows that are gone from the source and stay, since a safety guard or the table itself refused their deletes.
    package var deleteRefused = 0

    /// Records that are left as they are, since a saved plan says something else of them.
    package var stale = 0

    /// Rows that are gone from the source and stay, since `delete_missing: report` only tells of them.
    package var deleteReported = 0
    /// Records whose key came again.
    package var duplicates = 0

    /// What a coded report has here; the other counts are coded with their streams, by ``StreamReport/reportedGone`` and
    /// ``StreamReport/duplicates``.
    private enum CodingKeys: String, CodingKey {
        case insert, update, delete, unchanged, keptLocal, conflict, conflictWritten, quarantined, deleteRefused, stale
    }

    /// Whether rows were written.
    package var hasWrites: Bool { insert + update + delete + conflictWritten > 0 }
    /// Whether some record is not as it was and as its source says.
    package var hasNews: Bool {
        hasWrites || conflict + keptLocal + quarantined + deleteRefused + stale + deleteReported > 0
    }

    /// Makes zero counts.
    package init() {}

    /// Adds other counts.
    package mutating func add(_ other: RunSummary) {
        insert += other.insert
        update += other.update
        delete += other.delete
        unchanged += other.unchanged
        keptLocal += other.keptLocal
        conflict += other.conflict
        conflictWritten += other.conflictWritten
        quarantined += other.quarantined
        deleteRefused += other.deleteRefused
        stale += other.stale
        deleteReported += other.deleteReported
        duplicates += other.duplicates
    }
}
