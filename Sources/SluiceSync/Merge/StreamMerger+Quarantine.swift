internal import SluiceMerge
internal import SluiceStore

/// Records that could not be taken are kept, and let go when they can be.
extension StreamMerger {
    /// Keeps a record that could not be decoded.
    mutating func quarantine(_ failure: DecodeFailure) throws {
        report.read += 1
        report.quarantined += 1
        report.summary.quarantined += 1
        if failure.key == nil { lostKeys += 1 }
        // What the source sent for the key before is no more what it says.
        if let key = failure.key, !quarantinedKeys.isEmpty { release(key) }
        try put(
            QuarantineEntry(
                pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity,
                key: failure.key.map { FieldJSON.object(key: $0, schema: schema) },
                recordHash: Int64(bitPattern: FieldDigest.text(failure.record)), reason: failure.reason.rawValue,
                pointer: failure.pointer, value: failure.value, message: failure.message, record: failure.record,
                firstRun: context.run, lastRun: context.run), refreshing: failure.entry)
    }

    private mutating func put(_ entry: QuarantineEntry, refreshing known: Int64? = nil) throws {
        var entry = entry
        let ledger = context.store.quarantine
        let id = try known.map { try ledger.refresh(id: $0, entry) } ?? ledger.put(entry)
        keysSeenInQuarantine.insert(id)
        entry.id = context.run == nil ? nil : id
        context.observer.quarantined(entry)
    }

    /// Keeps the records that were decoded and could not be taken.
    ///
    /// - Parameter texts: The records as they were read, by their positions in the stream.
    /// - Throws: `StoreError`.
    mutating func keepRefusals(_ texts: [Int: RecordText]) throws {
        for refusal in refusals {
            let record = refusal.text(texts)
            try put(
                QuarantineEntry(
                    pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity,
                    key: FieldJSON.object(key: refusal.key, schema: schema),
                    recordHash: Int64(bitPattern: FieldDigest.text(record)), reason: refusal.reason.rawValue,
                    pointer: "", value: nil, message: refusal.message + (hasRedactions ? " " + Veil.note : ""),
                    record: record, firstRun: context.run,
                    lastRun: context.run))
        }
    }

    mutating func release(_ key: RecordKey) {
        released += quarantinedKeys.removeValue(forKey: FieldJSON.object(key: key, schema: schema)) ?? []
    }

    /// Ends the merge: settles unique values.
    mutating func finish() throws {
        let collisions = try context.table.finish()
        notifyWaiting(except: Set(collisions.map(\.write.key)))
        for collision in collisions {
            if case .insert = collision.write.row {
                report.summary.insert -= 1
            } else if collision.write.base?.isOpen == true {
                report.summary.conflict -= 1
                try keepOpen(collision.write.key)
            } else {
                report.summary.update -= 1
            }
            report.summary.quarantined += 1
            report.quarantined += 1
            let values = collision.write.values(schema)
            try put(
                QuarantineEntry(
                    pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity,
                    key: FieldJSON.object(key: collision.write.key, schema: schema), recordHash: 0,
                    reason: Mismatch.Reason.uniqueCollision.rawValue, pointer: "", value: nil,
                    message: collision.words(schema),
                    record: Array(canonical.object(values).utf8), firstRun: context.run, lastRun: context.run))
        }
    }

    /// Closes the entries of records that were taken, and those that a complete scan did not meet again.
    func closeQuarantine(isComplete: Bool) throws {
        for id in released where !keysSeenInQuarantine.contains(id) {
            try context.store.quarantine.close(id: id, run: context.run)
        }
        guard isComplete else { return }
        for id in quarantinedKeyless.union(quarantinedKeys.values.joined()) where !keysSeenInQuarantine.contains(id) {
            try context.store.quarantine.close(id: id, run: context.run)
        }
    }

    /// Notes open conflicts of a record of which nothing else could be written.
    func keepOpen(_ key: RecordKey) throws {
        let none = [BaseEntry](repeating: .none, count: schema.fields.count)
        var base =
            try context.table.baseRow(key)
            ?? BaseRow(rowHash: 0, entries: none, state: .live, isOpen: false, firstRun: nil, lastRun: nil)
        if base.isOpen { return }
        base.isOpen = true
        try writeBase(key, base, keepsHash: true)
    }
}

extension RecordWrite {
    /// One value per field of the schema, nil where nothing is written.
    func values(_ schema: RecordSchema) -> [FieldValue?] {
        var all = [FieldValue?](repeating: nil, count: schema.fields.count)
        switch row {
        case .insert(let values): for (index, value) in values.enumerated() { all[index] = value }
        case .update(let fields, let values): for (index, value) in zip(fields, values) { all[index] = value }
        case .none, .delete, .markDeleted, .set, .restore: break
        }
        return all
    }
}
