internal import SluiceMerge
internal import SluiceModel
package import SluicePlans
package import SluiceReport
internal import SluiceStore

/// Records that a complete scan did not see and that do not count as gone yet.
extension StreamMerger {
    /// Counts one more scan that missed records, and lists them.
    ///
    /// - Parameter records: Each with how many further scans must miss it before it counts as gone.
    /// - Throws: `StoreError`.
    mutating func suspect(_ records: [(record: GoneRecord, scansLeft: Int)]) throws {
        var missed: [(record: GoneRecord, base: BaseRow, scansLeft: Int)] = []
        for (record, scansLeft) in records where record.matters {
            guard var base = record.base else { continue }
            base.missedScans += 1
            missed.append((record, base, scansLeft))
        }
        if missed.isEmpty { return }
        report.suspected += missed.count
        for (record, _, _) in missed { suspected.insert(KeyHash.hash(record.key)) }
        // The run that changed the base last stays: its source said nothing new of the record.
        try carryOut(bases: missed.map { planner.absence($0.record.key, $0.base, .unseen) })
        for (record, base, scansLeft) in missed where record.isListed {
            var change = planner.deleteChange(record, base, kind: .delete, .suspected)
            change.suspicion = RecordChange.Suspicion(missedScans: base.missedScans, scansLeft: scansLeft)
            notify(change.key, change)
        }
    }

    /// Counts a record that is missing and that its source did not say is gone.
    package mutating func keep(_ record: GoneRecord, _ answer: ExistenceAnswers.Answer) {
        guard record.matters else { return }
        if answer == .there { report.stillThere += 1 } else { report.unconfirmed += 1 }
    }

    /// Forgets the scans that missed records which were seen now, although nothing of them was taken.
    mutating func recordSeen(_ keys: [RecordKey]) throws {
        if keys.isEmpty { return }
        let bases = try context.table.baseRows(keys)
        try carryOut(bases: zip(keys, bases).compactMap { planner.seen(RecordFacts(key: $0, base: $1)) })
    }
}
