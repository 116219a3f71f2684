internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePipeline
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// Records whose key was on a page that is merged and kept already.
extension StreamMerger {
    /// Does with such a record what the stream's rule says. It is a duplicate, whatever it changes.
    mutating func mergeRepeated(_ record: Int, of batch: borrowing RecordBatch) throws {
        forgetMeeting(record)
        report.duplicates += 1
        let isLost = ![.quarantine, .fail].contains(duplicateRule) && !expectsRepeats
        if isLost, try differs(record, of: batch) {
            let key = batch.key(of: record, schema: schema)
            report.differing.add(
                batch.keyHashes[record], besides: 1, key: FieldJSON.object(key: key, schema: schema))
        }
        guard try counts(record, of: batch) else {
            passedOver.insert(batch.origins[record].ordinal)
            return
        }
        inserts.removeAll(keepingCapacity: true)
        renewed.removeAll(keepingCapacity: true)
        repeatedOrdinals.insert(batch.origins[record].ordinal)
        try mergeNews([record], of: batch)
        if !inserts.isEmpty { try insert(batch) }
    }

    /// Counts a record by what became of it. One that an earlier page of the run had as well counts once, by what became of it
    /// in the end.
    mutating func count(_ outcome: RecordOutcome, of hash: UInt64) {
        if written?.meet(hash) == true && isAgain { metLate += 1 }
        if isCountedBefore(hash) { return recount(outcome, of: hash) }
        let known = writtenOutcome(of: hash, now: outcome)
        let latest = known.map { outcome.following($0) } ?? outcome
        if latest.isWritten && latest != known { written?.record(latest, of: hash) }
        add(latest, of: hash)
        guard let known else { return }
        if outcome.isWritten { report.rewritten += 1 }
        report.summary.count(known, by: -1)
        // All that are in conflict in the end are met again.
        if known.isOpen { report.summary.conflict += 1 }
    }

    /// What became of a record that the run wrote, where its stream is merged once more; nil where it is counted for the first time.
    /// Of more than can be known the second time says nothing new.
    private func writtenOutcome(of hash: UInt64, now outcome: RecordOutcome) -> RecordOutcome? {
        guard isAgain, let written else { return nil }
        return written[hash] ?? (written.isWhole || !outcome.isWritten ? nil : outcome)
    }

    /// Whether a page before had a record, so that it is counted.
    func isCountedBefore(_ hash: UInt64) -> Bool { repeated.contains(hash) || repeatedWithin.contains(hash) }

    /// Whether the run wrote a record before, and counts it as that. One that was in conflict, and is so no longer, counts as updated
    /// only now.
    ///
    /// - Parameters:
    ///   - hash: The hash of its key.
    ///   - isUpdate: Whether it is updated now, with nothing left to decide.
    /// - Returns: Whether what is told of it now is no further outcome.
    func isWrittenBefore(_ hash: UInt64, isUpdate: Bool) -> Bool {
        let known = isCountedBefore(hash) ? outcome(of: hash) : isAgain ? written?[hash] : nil
        return known?.isWritten == true && !(isUpdate && known?.isOpen == true)
    }

    /// Counts a record that its source states to be deleted, on top of the delete: as an outcome of the records that were read.
    mutating func countStatedDelete(of hash: UInt64) {
        let known = outcome(of: hash)
        if isCountedBefore(hash) {
            if known?.isWritten == true || known == .delete { return }
            if let known = known ?? (counted?.isWhole == true ? .unchanged : nil) {
                add(known, of: hash, by: -1)
            } else {
                report.duplicates -= 1
            }
        }
        report.statedDeletes += 1
    }

    /// Records that a record could not be decoded, unless a page before had it.
    mutating func recordQuarantined(_ key: RecordKey?) {
        guard counted != nil, let hash = key.map({ KeyHash.hash($0) }), outcome(of: hash) == nil else { return }
        outcomes[hash] = .quarantined
    }

    private func outcome(of hash: UInt64) -> RecordOutcome? { outcomes[hash] ?? counted?[hash] }

    private mutating func recount(_ outcome: RecordOutcome, of hash: UInt64) {
        let known = self.outcome(of: hash)
        if outcome.isWritten { report.rewritten += 1 }
        if outcome == .quarantined && known?.isWritten == true {
            // What the earlier page says is written, and what this one says waits.
            report.duplicates -= 1
            report.quarantined += 1
            return report.summary.quarantined += 1
        }
        // A row that is inserted was not met before as one that is as it was.
        let earlier =
            known == .delete
            ? nil : known ?? (counted?.isWhole == true && outcome != .insert ? .unchanged : nil)
        let latest = earlier.map { outcome.following($0) } ?? outcome
        if latest == earlier || earlier == nil && latest == .unchanged { return }
        // One that an earlier run counted counts in this one by what it brings, and not as a duplicate.
        if let earlier { add(earlier, of: hash, by: -1) } else { report.duplicates -= 1 }
        add(latest, of: hash)
    }

    private mutating func add(_ outcome: RecordOutcome, of hash: UInt64, by number: Int = 1) {
        report.summary.count(outcome, by: number)
        if outcome == .quarantined { report.quarantined += number }
        // Whichever sources disagree about it, it is one row.
        if outcome.isOpen && !context.otherSources.isEmpty {
            let row = ConflictRow(table: schema.table, key: hash)
            if number > 0 { report.conflictRows.insert(row) } else { report.conflictRows.remove(row) }
        }
        if let counted, number > 0, outcome != .unchanged || !counted.isWhole { outcomes[hash] = outcome }
    }

    /// Whether the record counts rather than the one before it, as far as the base tells that one.
    private mutating func counts(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        switch duplicateRule {
        case .last: return true
        case .first: return false
        case .newest: return try isNewer(record, of: batch)
        case .fail:
            guard try differs(record, of: batch) else { return false }
            let key = batch.key(of: record, schema: schema)
            var error = SyncError(
                .duplicateKey,
                "A record of `\(schema.stream)` has the key \(FieldJSON.object(key: key, schema: schema)) of one on an earlier page and differs from it. `on_duplicate` is `fail`, which ends the run. Correct the source, or set `on_duplicate` to `last`, `first`, `newest` or `quarantine`."
            )
            error.place = RecordPlace(entity: schema.entity, key: key)
            throw error
        case .quarantine:
            guard try differs(record, of: batch) else { return false }
            report.duplicates -= 1
            report.quarantined += 1
            report.summary.quarantined += 1
            refusals.append(
                Refusal(
                    key: batch.key(of: record, schema: schema), reason: .duplicate,
                    message:
                        "A record on an earlier page has this key and differs; that record was taken. Correct the source, set another `on_duplicate`, or set `commit: run`.",
                    ordinals: [batch.origins[record].ordinal]))
            return false
        }
    }

    private func isNewer(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        guard let field = schema.newestField,
            let known = try context.table.baseRow(batch.key(of: record, schema: schema)),
            let earlier = known.entries[field].value.flatMap({ CursorPoint($0) })
        else { return true }
        return batch.value(record: record, field: field).flatMap { CursorPoint($0) }.map { $0 >= earlier } ?? false
    }

    /// Whether the record differs from the one before it. Where a conflict is open the base does not tell that.
    private func differs(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        guard let known = try context.table.baseRow(batch.key(of: record, schema: schema)), !known.isOpen else {
            return false
        }
        let isDeleted = batch.deleted.contains(record)
        if isDeleted || known.state.isGone { return isDeleted != known.state.isGone }
        let before = canonical.sides(saidBefore: known)
        let said = planner.saidSides(record, of: batch, since: known)
        if RecordMerge.isChanged(base: before, remote: said) { return true }
        // A default that is another value was taken of the record before, unless it gave way to an edit.
        let sides = canonical.sides(of: record, in: batch)
        let assumed = sides.indices.filter { said[$0] == .nothing && sides[$0] != .nothing && sides[$0] != before[$0] }
        if assumed.isEmpty { return false }
        let key = batch.key(of: record, schema: schema)
        guard let local = try context.table.localRows([key])[0].map({ canonical.sides(of: $0) }) else { return false }
        return assumed.contains { local[$0] == before[$0] }
    }
}
