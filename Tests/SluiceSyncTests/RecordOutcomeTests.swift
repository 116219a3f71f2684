import SluiceReport
import Testing

/// What a record counts by that several pages of a run have.
@Suite struct RecordOutcomeTests {
    @Test(arguments: [
        (RecordOutcome.unchanged, RecordOutcome.unchanged, RecordOutcome.unchanged),
        (.unchanged, .update, .update), (.unchanged, .keptLocal, .keptLocal), (.unchanged, .conflict, .conflict),
        (.keptLocal, .unchanged, .keptLocal), (.keptLocal, .update, .update),
        (.insert, .unchanged, .insert), (.insert, .update, .insert), (.insert, .conflict, .conflictWritten),
        (.update, .unchanged, .update), (.update, .update, .update), (.update, .keptLocal, .update),
        (.update, .conflict, .conflictWritten),
        (.conflict, .conflict, .conflict), (.conflict, .conflictWritten, .conflictWritten),
        (.conflict, .unchanged, .unchanged),
        (.conflict, .update, .update), (.conflictWritten, .conflict, .conflictWritten),
        (.conflictWritten, .unchanged, .update),
        (.quarantined, .insert, .quarantined), (.unchanged, .quarantined, .quarantined),
    ])
    func twoPages(first: RecordOutcome, second: RecordOutcome, whole: RecordOutcome) {
        #expect(second.following(first) == whole)
    }

    @Test(arguments: [
        RecordOutcome.unchanged, .insert, .update, .delete, .keptLocal, .conflict, .conflictWritten, .quarantined,
    ])
    func whatIsCountedCanBeTakenAway(outcome: RecordOutcome) {
        var summary = RunSummary()
        summary.count(outcome)
        #expect(summary != RunSummary())
        #expect((summary.conflictWritten == 1) == (outcome == .conflictWritten))
        summary.count(outcome, by: -1)
        #expect(summary == RunSummary())
    }
}
