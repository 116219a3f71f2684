package import SluiceDecode
package import SluicePipeline
package import SluiceReport

/// Decodes what a comparison of fingerprints leaves: the records whose texts are not as they were.
package struct ChangedRecords {
    private let plan: DecodePlan
    private let stream: StreamDefinition
    /// Made when the first record has changed, since programs take their time to compile.
    private var decoder: RecordDecoder?

    package init(plan: DecodePlan, stream: StreamDefinition) {
        self.plan = plan
        self.stream = stream
    }

    /// Decodes some records of a batch.
    ///
    /// - Parameters:
    ///   - rows: Their positions, from the first to the last.
    ///   - batch: The batch.
    /// - Returns: What was decoded.
    /// - Throws: ``SyncError`` where a jq program cannot be used.
    package mutating func decode(_ rows: [Int], of batch: borrowing FingerprintBatch) throws -> DecodedChanges {
        var changes = DecodedChanges(fieldCount: plan.fields.count, capacity: rows.count)
        if rows.isEmpty {
            changes.parts = decoder?.emptyNested ?? []
            return changes
        }
        var decoder = try takeDecoder()
        changes.parts = decoder.emptyNested
        let filteredBefore = decoder.filteredCount
        for row in rows {
            let failure = batch.withRecord(row) { record in
                decoder.decode(record, page: batch.page, into: &changes.records, parts: &changes.parts)
            }
            if let failure { changes.failures.append(failure) }
        }
        changes.filteredCount = decoder.filteredCount - filteredBefore
        changes.leftOut = decoder.takeLeftOut()
        self.decoder = decoder
        return changes
    }

    /// Takes the decoder out, so that it is not copied when it changes.
    private mutating func takeDecoder() throws -> RecordDecoder {
        defer { decoder = nil }
        return try decoder
            ?? RecordDecoder(
                plan: plan, entriesKey: stream.entries, filter: stream.filter, deletedWhen: stream.deletedWhen)
    }

    /// The keys that no field takes.
    package var unmapped: UnmappedKeys { decoder?.unmapped ?? UnmappedKeys() }
    /// The lists within records that say that there is more of them.
    package var cutLists: [CutList] { decoder?.cuts.found ?? [] }
}
