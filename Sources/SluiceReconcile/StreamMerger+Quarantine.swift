internal import SluiceDecode
package import SluiceModel
internal import SluicePlans
package import SluiceReport
internal import SluiceStore

/// Records that could not be taken are kept, and let go when they can be.
extension StreamMerger {
    /// Keeps records that could not be decoded.
    ///
    /// Of several that are kept as one, since key and reason are the same, one counts and is told; the others are
    /// duplicates.
    package mutating func quarantine(_ failures: [DecodeFailure]) throws {
        report.read += failures.count
        lostKeys += failures.count { $0.key == nil }
        let keys = failures.compactMap(\.key)
        if context.countsScans { try noteSeen(Array(Set(keys)).sorted()) }
        for key in keys {
            try context.otherSources.noteQuarantined(key, run: context.run)
            // What the source sent for the key before is no more what it says.
            if !quarantinedKeys.isEmpty { release(key) }
        }
        try put(failures.map(entry)) { merger, index, isFirst in
            if isFirst {
                merger.report.quarantined += 1
                merger.report.summary.quarantined += 1
                merger.noteQuarantined(failures[index].key)
            } else {
                merger.report.duplicates += 1
            }
            return isFirst
        }
    }

    private func entry(_ failure: DecodeFailure) -> QuarantineEntry {
        QuarantineEntry(
            id: failure.entry, pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity,
            key: failure.key.map { FieldJSON.object(key: $0, schema: schema) },
            recordHash: Int64(bitPattern: FieldDigest.text(failure.record)), reason: failure.reason.rawValue,
            pointer: failure.pointer, value: failure.value, message: failure.message, record: failure.record,
            firstRun: context.run, lastRun: context.run)
    }

    /// How many entries are written together.
    private static let entriesAtOnce = 500

    /// Keeps entries, many together, and tells them.
    ///
    /// - Parameters:
    ///   - entries: The records, each with the number of the entry that it had.
    ///   - counting: Is told of each, by its position, whether it is the first of its entry in the run; says whether it is told.
    /// - Throws: `StoreError`.
    private mutating func put(
        _ entries: [QuarantineEntry],
        counting: (inout StreamMerger, _ index: Int, _ isFirst: Bool) -> Bool = { _, _, _ in true }
    ) throws {
        for start in stride(from: 0, to: entries.count, by: Self.entriesAtOnce) {
            let some = entries[start..<min(start + Self.entriesAtOnce, entries.count)]
            for (index, id) in zip(some.indices, try context.store.quarantine.put(Array(some))) {
                let isFirst = keysSeenInQuarantine.insert(id).inserted
                guard counting(&self, index, isFirst) else { continue }
                var entry = some[index]
                entry.id = context.run == nil ? nil : id
                context.observer.quarantined(entry)
            }
        }
    }

    /// Keeps the records that were decoded and could not be taken.
    ///
    /// - Parameter texts: The records as they were read, by their positions in the stream.
    /// - Throws: `StoreError`.
    package mutating func keepRefusals(_ texts: [Int: RecordText]) throws {
        if context.countsScans { try noteSeen(Array(Set(refusals.map(\.key))).sorted()) }
        var entries: [QuarantineEntry] = []
        for refusal in refusals.sorted(by: { ($0.ordinals.first ?? 0) < ($1.ordinals.first ?? 0) }) {
            let record = refusal.text(texts)
            let known = refusal.ordinals.first.flatMap { texts[$0]?.entry }
            if let known, record.isEmpty {
                keysSeenInQuarantine.insert(known)
                continue
            }
            entries.append(
                QuarantineEntry(
                    id: known, pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity,
                    key: FieldJSON.object(key: refusal.key, schema: schema),
                    recordHash: Int64(bitPattern: FieldDigest.text(record)), reason: refusal.reason.rawValue,
                    pointer: "", value: nil,
                    message: refusal.message + (hasRedactions ? " " + RecordRedactor.note : ""),
                    record: record, firstRun: context.run, lastRun: context.run))
        }
        try put(entries)
    }

    /// Whether a record that the scan did not show so far waits in quarantine.
    func isQuarantined(_ key: RecordKey) -> Bool {
        quarantinedKeys[ExactText(FieldJSON.object(key: key, schema: schema))] != nil
    }

    package mutating func release(_ key: RecordKey) {
        released += quarantinedKeys.removeValue(forKey: ExactText(FieldJSON.object(key: key, schema: schema))) ?? []
    }

    /// Closes the entries of records that were taken, and those that a complete scan did not meet again, once what is gone was
    /// dealt with. A record whose row stays all the same, since deletes wait or are not wanted, is not known as its source says
    /// it now: its entry stays with it.
    ///
    /// - Parameter isComplete: Whether the scan was complete.
    /// - Throws: `StoreError`.
    package func closeQuarantine(isComplete: Bool) throws {
        var closed = Set(released).subtracting(keysSeenInQuarantine)
        if isComplete {
            closed.formUnion(
                try quarantinedKeyless.union(entriesOfGoneRecords()).subtracting(keysSeenInQuarantine))
        }
        try context.store.quarantine.close(closed.sorted(), run: context.run)
        if !closed.isEmpty { try context.otherSources.quarantineClosed(of: schema.source) }
    }

    /// The entries of records that the scan did not show and of which the source counts as having none, or that have no row
    /// here.
    private func entriesOfGoneRecords() throws -> [Int64] {
        let unseen = quarantinedKeys.filter { !keysSeenInQuarantine.isSuperset(of: $0.value) }
        if unseen.isEmpty { return [] }
        let keyed = unseen.map { (key: StoredJSON().key($0.key.text, schema: schema), entries: $0.value) }
        let keys = keyed.compactMap(\.key)
        let (bases, rows) = (try context.table.baseRows(keys), try context.table.localRows(keys))
        let stays = Dictionary(
            keys.indices.map { (keys[$0], bases[$0]?.state.isLive == true && rows[$0] != nil) }
        ) { $0 || $1 }
        return keyed.flatMap { key, entries in key.flatMap { stays[$0] } ?? false ? [] : entries }
    }
}
