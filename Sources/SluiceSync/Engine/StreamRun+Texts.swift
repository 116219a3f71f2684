internal import SluiceDecode
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

extension StreamRun {
    private func keptTexts() throws -> TextMemory? {
        try context.store.state.value(.fingerprints, pipeline: plan.schema.pipeline, stream: stream.name)
    }

    /// Decides how texts are hashed, unless other sources fill a table.
    ///
    /// - Parameter changes: What had to be changed in the database's schema, which voids what is known.
    /// - Throws: `StoreError`.
    mutating func prepareTexts(_ changes: [SchemaChange]) throws {
        if !([context] + parts).allSatisfy(\.otherSources.isEmpty) { return }
        let kept = try keptTexts() ?? TextMemory()
        // What is only told, as every run does of a view that is left out, changes nothing.
        let isKnown = kept.fingerprint == stream.mappingFingerprint && changes.allSatisfy(\.sql.isEmpty)
        texts = KnownTexts(memory: isKnown ? kept : kept.renewed(stream.mappingFingerprint), isKnown: isKnown)
        plan.textSeed = texts?.memory.seed
    }

    /// Whether to look at no more than the keys of records at first.
    func comparesFingerprints(_ known: AttemptNeeds) -> Bool {
        texts?.isKnown == true && !options.isFull && known.duplicates == nil && !known.decodesAll
    }

    /// Whether the marks of texts may be those of before the run: nothing that it does changes the base of a record before the
    /// record itself comes.
    func readsTextsBeside(_ known: AttemptNeeds) -> Bool {
        let schema = plan.schema
        return comparesFingerprints(known) && stream.deletedWhen == nil
            && !parts.contains { $0.table.schema.source == schema.source }
            && !schema.references.contains { ColumnName.areSame($0.target, schema.table) }
    }

    /// Keeps how texts were hashed, or that hashes of earlier runs are void.
    ///
    /// - Throws: `StoreError`.
    ///
    /// - Parameter isVoid: Whether no record is to be known by its text in the next run.
    func keepTexts(isVoid: Bool) throws {
        let kept = try keptTexts()
        // Without anything within them records write their marks themselves.
        let next = isVoid ? kept?.voided : texts?.memory ?? (parts.isEmpty ? kept : kept?.voided)
        guard let next, next != kept else { return }
        try context.store.state.set(.fingerprints, to: next, pipeline: plan.schema.pipeline, stream: stream.name)
    }

    /// Merges the records of a batch whose texts are not as they were, and counts the others.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - changed: Decodes them where they were not compared when they were read.
    ///   - tree: Merges them.
    ///   - tracker: Learns of all keys.
    ///   - premature: An error that may be due to keys that come twice; nothing is merged once there is one.
    /// - Returns: False where every record has to be decoded to tell what is wrong.
    /// - Throws: What decode, merge and store throw.
    func accept(
        _ batch: borrowing FingerprintBatch, by changed: inout ChangedRecords, _ tree: inout TreeMerger,
        _ tracker: inout KeyTracker, _ premature: inout (any Error)?
    ) throws -> Bool {
        var lookup = try lookUp(batch)
        let foundCount = lookup.others.count
        try tree.doubt(&lookup, of: batch.records.count)
        pace.record(batch.number, decoded: lookup.others.count, of: batch.records.count)
        let isAllDecoded = lookup.others.count == foundCount
        let changes = try (isAllDecoded ? batch.changes : nil) ?? changed.decode(lookup.others, of: batch)
        // A line of its own may be broken alone; a document with such a fault in it is none.
        let isDocument = stream.format == .json
        if changes.failures.contains(where: { $0.runEnd != nil || $0.syntaxError != nil && isDocument }) {
            return false
        }
        tree.main.report.read += changes.filteredCount
        tree.main.report.filtered += changes.filteredCount
        try tracker.observe(batch.records, others: lookup.others, in: changes.records, schema: plan.schema)
        for failure in changes.failures {
            if let key = failure.key { try tracker.record(key, schema: plan.schema) }
        }
        for key in changes.leftOut { try tracker.leaveOut(key, schema: plan.schema) }
        try tree.main.quarantine(changes.failures)
        if premature != nil || !tracker.duplicates.isEmpty { return true }
        do {
            try tree.merge(batch.records, lookup, changed: changes.records, parts: changes.parts)
        } catch  where !tracker.isPrompt {
            premature = error
        }
        context.observer.progress(
            RunProgress(stage: .merging, stream: stream.name, records: tree.main.report.read))
        return true
    }

    /// Finds the records of a batch that are as they were, of which the store is asked for those that were not compared before.
    private func lookUp(_ batch: borrowing FingerprintBatch) throws -> TextLookup {
        if batch.isCompared { return batch.found }
        var lookup = TextLookup()
        if batch.comparedCount == 0 {
            try context.table.lookUpTexts(batch.records, into: &lookup)
            return lookup
        }
        let others = batch.uncompared
        try context.table.lookUpTexts(others, into: &lookup)
        return batch.found.followed(by: lookup, at: batch.comparedCount, count: others.count)
    }
}
