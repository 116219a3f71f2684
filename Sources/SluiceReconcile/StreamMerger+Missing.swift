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
        try writeAbsence(record.key, base, .unseen)
        guard record.isListed else { return }
        var change = change(record, base, kind: .delete, .suspected)
        change.suspicion = RecordChange.Suspicion(missedScans: base.missedScans, scansLeft: scansLeft)
        notify(change.key, change)
    }

    /// A record that its source is to be asked for, with what the source said of it last, as far as that is known.
    package func missing(_ record: GoneRecord) -> MissingRecord {
        let entries = record.base?.entries ?? []
        let values = entries.indices.map { field -> FieldValue? in
            guard case .digest(let digest) = entries[field] else { return entries[field].value }
            // What was not edited is what the source said.
            guard let local = record.local?[field] else { return nil }
            return canonical.side(of: local, field: field) == FieldSide(digest: digest) ? local : nil
        }
        return MissingRecord(key: record.key, values: values)
    }

    /// Counts a record that is missing and that its source did not say is gone.
    package mutating func keep(_ record: GoneRecord, _ answer: Presence.Answer) {
        guard record.matters else { return }
        if answer == .there { report.stillThere += 1 } else { report.unconfirmed += 1 }
    }

    /// Forgets the scans that missed a record which was seen now, although nothing of it was taken.
    func noteSeen(_ key: RecordKey) throws {
        guard var base = try context.table.baseRow(key), base.missedScans > 0 else { return }
        base.missedScans = 0
        try writeAbsence(key, base, .unchanged)
    }

    private func writeAbsence(_ key: RecordKey, _ base: BaseRow, _ kind: RowKind) throws {
        var write = RecordWrite(key: key, row: .none, base: base)
        write.kind = kind
        try context.table.write(write)
    }
}

extension StreamMerger.GoneRecord {
    /// Whether anything would happen to it if it counted as gone.
    var matters: Bool {
        guard let base else { return false }
        return decision.action != .nothing || (decision.newState.map { $0 != base.state } ?? false)
    }

    /// Whether its row passes to another source that still has it.
    var passesOn: Bool { decision.kind == .heldElsewhere }

    /// Whether a report lists it.
    var isListed: Bool { [.delete, .conflict].contains(decision.action) }
}
