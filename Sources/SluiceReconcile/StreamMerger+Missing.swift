internal import SluiceMerge
internal import SluiceModel
package import SluiceReport
internal import SluiceStore

/// Records that a complete scan did not see and that do not count as gone yet.
extension StreamMerger {
    /// Counts one more scan that missed a record, and lists it.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - scansLeft: How many further scans must miss it before it counts as gone.
    /// - Throws: `StoreError`.
    mutating func suspect(_ record: GoneRecord, scansLeft: Int) throws {
        guard var base = record.base, record.matters else { return }
        report.suspected += 1
        base.missedScans += 1
        // The run that changed the base last stays: its source said nothing new of the record.
        try context.table.write(planner.absence(record.key, base, .unseen))
        guard record.isListed else { return }
        var change = planner.deleteChange(record, base, kind: .delete, .suspected)
        change.suspicion = RecordChange.Suspicion(missedScans: base.missedScans, scansLeft: scansLeft)
        notify(change.key, change)
    }

    /// Counts a record that is missing and that its source did not say is gone.
    package mutating func keep(_ record: GoneRecord, _ answer: Presence.Answer) {
        guard record.matters else { return }
        if answer == .there { report.stillThere += 1 } else { report.unconfirmed += 1 }
    }

    /// Forgets the scans that missed a record which was seen now, although nothing of it was taken.
    func noteSeen(_ key: RecordKey) throws {
        let facts = RecordFacts(key: key, base: try context.table.baseRow(key))
        if let write = planner.seen(facts) { try context.table.write(write) }
    }
}
