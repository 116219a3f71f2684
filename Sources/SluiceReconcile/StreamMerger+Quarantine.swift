package import SluiceDecode
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
        if !fieldsNotGiven.isEmpty { recordGiven(failures) }
        report.read += failures.count
        lostKeys += failures.count { $0.key == nil }
        let keys = failures.compactMap(\.key)
        if context.countsScans { try recordSeen(Array(Set(keys)).sorted()) }
        for key in keys {
            try context.otherSources.recordQuarantined(key, run: context.run)
            // What the source sent for the key before is no more what it says.
            if !quarantinedKeys.isEmpty { release(key) }
        }
        try put(failures.map(entry)) { merger, index, isFirst in
            if isFirst {
                merger.report.quarantined += 1
                merger.report.summary.quarantined += 1
                merger.recordQuarantined(failures[index].key)
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
                if isFirst, !quarantinedBefore.contains(id) {
                    report.newlyQuarantined = (report.newlyQuarantined ?? 0) + 1
                }
                guard counting(&self, index, isFirst), !toldInQuarantine.contains(id) else { continue }
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
        if context.countsScans { try recordSeen(Array(Set(refusals.map(\.key))).sorted()) }
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

    /// Closes the entries of records that were taken, and those that the scan would have met again, once what is gone was
    /// dealt with. A record whose row stays all the same, since deletes wait or are not wanted, is not known as its source says
    /// it now: its entry stays with it.
    ///
    /// - Parameter coverage: What the scan proves.
    /// - Throws: `StoreError`.
    package func closeQuarantine(_ coverage: Coverage) throws {
        try closeQuarantine(isComplete: coverage.showsAll, showsKeyless: coverage.isComplete) {
            try areCovered($0, by: coverage)
        }
    }

    /// Closes the entries of records that were taken, and those that the scan would have met again.
    ///
    /// - Parameters:
    ///   - isComplete: Whether the scan was complete.
    ///   - showsKeyless: Whether it would have met records without a key again; nil for the same.
    ///   - areCovered: Which of some records one that was not would have met.
    /// - Throws: `StoreError`.
    package func closeQuarantine(
        isComplete: Bool, showsKeyless: Bool? = nil,
        _ areCovered: ([RecordKey]) throws -> [Bool] = { $0.map { _ in false } }
    ) throws {
        var closed = Set(released)
        if showsKeyless ?? isComplete { closed.formUnion(quarantinedKeyless) }
        closed.formUnion(try entriesOfGoneRecords(isComplete: isComplete, areCovered))
        closed.subtract(keysSeenInQuarantine)
        try context.store.quarantine.close(closed.sorted(), run: context.run)
        if !closed.isEmpty { try context.otherSources.quarantineClosed(of: schema.source) }
    }

    /// Which of some records a scan of some partitions would have met.
    func areCovered(_ keys: [RecordKey], by coverage: Coverage) throws -> [Bool] {
        if !coverage.dependsOnRecords { return keys.map { _ in false } }
        return zip(keys, try context.table.baseRows(keys)).map { coverage.covers($0, $1, canonical) }
    }

    /// The entries of records that the scan did not show although it would have met them, and of which the source counts as
    /// having none, or that have no row here.
    private func entriesOfGoneRecords(
        isComplete: Bool, _ areCovered: ([RecordKey]) throws -> [Bool]
    ) throws -> [Int64] {
        let unseen = quarantinedKeys.filter { !keysSeenInQuarantine.isSuperset(of: $0.value) }
        if unseen.isEmpty { return [] }
        var known: [(key: RecordKey, entries: [Int64])] = []
        var gone: [Int64] = []
        for (name, entries) in unseen {
            if let key = StoredJSON().key(name.text, schema: schema) {
                known.append((key, entries))
            } else if isComplete {
                gone += entries
            }
        }
        let keys = known.map(\.key)
        let (bases, rows) = (try context.table.baseRows(keys), try context.table.localRows(keys))
        let stay = Set(keys.indices.filter { bases[$0]?.state.isLive == true && rows[$0] != nil }.map { keys[$0] })
        let areMet = try isComplete ? keys.map { _ in true } : areCovered(keys)
        for (index, (key, entries)) in known.enumerated() where areMet[index] && !stay.contains(key) { gone += entries }
        return gone
    }
}
