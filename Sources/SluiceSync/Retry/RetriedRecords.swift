internal import SluiceDecode
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore

/// The records of one stream that leave the quarantine for another try, and those that cannot.
///
/// All are looked at before any is merged: a record that a run has taken in the meantime would be set back.
package struct RetriedRecords {
    /// The numbers of the entries that are tried, the oldest first.
    private(set) var accepted: [Int64] = []
    private(set) var refused: [RetryReport.Refusal] = []
    private let stream: StreamDefinition
    private let entity: EntityDefinition
    private let plan: DecodePlan

    /// Looks at entries.
    ///
    /// - Parameters:
    ///   - ids: The open entries of the stream that are meant, the oldest first.
    ///   - stream: The stream.
    ///   - entity: Its entity.
    ///   - plan: The entity's mapping.
    ///   - store: Where the entries are.
    ///   - table: The entity's table.
    /// - Throws: ``SyncError`` and `StoreError`.
    init(
        _ ids: [Int64], stream: StreamDefinition, entity: EntityDefinition, plan: DecodePlan, store: any RecordStore,
        table: any RecordTable
    ) throws {
        self.stream = stream
        self.entity = entity
        self.plan = plan
        var decoder = try makeDecoder()
        let newestRun = try store.runs.list(pipeline: plan.schema.pipeline, limit: 100)
        let newestReading = newestRun.first { $0.command != RunEntry.retryCommand }?.id ?? newestRun.first?.id ?? 0
        for id in ids {
            guard let entry = try store.quarantine.entry(id: id) else { continue }
            var batch = RecordBatch(fieldCount: plan.fields.count)
            var parts = decoder.emptyNested
            switch decoder.decode(entry, ordinal: 0, into: &batch, parts: &parts) {
            case .refused(let reason): refuse(id, reason)
            case .failed, .filtered: accepted.append(id)
            case .taken:
                let base = try table.baseRow(batch.key(of: 0, schema: plan.schema))
                if let base, isOutdated(entry, batch, base: base, newestReading: newestReading) {
                    refuse(id, "a run may have read its key since. Run again, or give it up with `quarantine drop`.")
                } else {
                    accepted.append(id)
                }
            }
        }
    }

    /// A decoder for the records.
    func makeDecoder() throws -> KeptRecordDecoder {
        try KeptRecordDecoder(stream: stream, entity: entity, plan: plan)
    }

    private mutating func refuse(_ id: Int64, _ reason: String) {
        refused.append(RetryReport.Refusal(id: id, reason: reason))
    }

    /// Whether the source may have said something newer of the record.
    private func isOutdated(
        _ entry: QuarantineEntry, _ batch: borrowing RecordBatch, base: BaseRow, newestReading: Int64
    ) -> Bool {
        let (kept, changed) = (entry.lastRun ?? 0, base.lastRun ?? 0)
        // Where values were kept, the run that kept them noted open conflicts with the base.
        if entry.holdsValues { return changed > kept }
        if changed >= kept { return true }
        // A run closes the entries of each key that it reads. That the record has this key was not known then.
        let key = FieldJSON.object(key: batch.key(of: 0, schema: plan.schema), schema: plan.schema)
        return key != entry.key && newestReading > kept
    }
}
