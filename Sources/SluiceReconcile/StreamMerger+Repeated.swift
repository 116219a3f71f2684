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
        isRepeating = true
        defer { isRepeating = false }
        try uncounted { merger in
            try merger.mergeNews([record], of: batch)
            if !merger.inserts.isEmpty { try merger.insert(batch) }
        }
    }

    /// Does something whose outcome is that of a record which was counted before, so that only deletes count.
    mutating func uncounted(_ body: (inout StreamMerger) throws -> Void) throws {
        let before = (report.summary, report.quarantined, report.conflictRows, report.statedDeletes)
        try body(&self)
        let now = report.summary
        report.rewritten +=
            now.insert - before.0.insert + now.update - before.0.update + now.conflictWritten - before.0.conflictWritten
        (report.summary, report.quarantined, report.conflictRows, report.statedDeletes) = before
        (report.summary.delete, report.summary.deleteRefused) = (now.delete, now.deleteRefused)
    }

    /// Whether the record counts rather than the one before it, as far as the base tells that one.
    private mutating func counts(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        switch duplicateRule {
        case .last: return true
        case .first: return false
        case .newest: return try isNewer(record, of: batch)
        case .fail:
            guard try differs(record, of: batch) else { return false }
            let key = FieldJSON.object(key: batch.key(of: record, schema: schema), schema: schema)
            throw SyncError(
                .duplicateKey,
                "A record of `\(schema.stream)` has the key \(key) of one on an earlier page and differs from it. `on_duplicate` is `fail`, so nothing was written. Correct the source, or set `on_duplicate` to `last`, `first`, `newest` or `quarantine`."
            )
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
        return RecordMerge.isChanged(
            base: canonical.sides(of: known.entries), remote: canonical.sides(of: record, in: batch))
    }
}
