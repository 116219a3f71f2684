package import SluiceDecode
package import SluiceModel
package import SluicePipeline
package import SluiceReport

/// Decodes what a comparison of fingerprints leaves: the records whose texts are not as they were.
package struct ChangedRecords {
    private let plan: DecodePlan
    private let stream: StreamDefinition
    /// Made when the first record has changed, since programs take their time to compile.
    private var decoder: RecordDecoder?
    /// The records of the latest batch, and what stands within them.
    package private(set) var records: RecordBatch
    package private(set) var parts: [NestedBatch] = []
    /// Those of the latest batch that could not be decoded.
    package private(set) var failures: [DecodeFailure] = []

    package init(plan: DecodePlan, stream: StreamDefinition) {
        self.plan = plan
        self.stream = stream
        records = RecordBatch(fieldCount: plan.fields.count)
    }

    /// Decodes some records of a batch, in the place of those before.
    ///
    /// - Throws: ``SyncError`` where a jq program cannot be used.
    package mutating func decode(_ rows: [Int], of batch: borrowing FingerprintBatch) throws {
        records = RecordBatch(fieldCount: plan.fields.count, capacity: rows.count)
        failures.removeAll()
        if rows.isEmpty {
            parts = decoder?.emptyNested ?? []
            return
        }
        var decoder = try takeDecoder()
        parts = decoder.emptyNested
        for row in rows {
            let failure = batch.withRecord(row) { record in
                decoder.decode(record, page: batch.page, into: &records, parts: &parts)
            }
            if let failure { failures.append(failure) }
        }
        self.decoder = decoder
    }

    /// Takes the decoder out, so that it is not copied when it changes.
    private mutating func takeDecoder() throws -> RecordDecoder {
        defer { decoder = nil }
        return try decoder
            ?? RecordDecoder(
                plan: plan, entriesKey: stream.entries, filter: stream.filter, deletedWhen: stream.deletedWhen)
    }

    /// How many records the stream's filter left out.
    package var filteredCount: Int { decoder?.filteredCount ?? 0 }
    /// Takes the keys out of those that were left out.
    package mutating func takeLeftOut() -> [RecordKey] { decoder?.takeLeftOut() ?? [] }
    /// The keys that no field takes.
    package var unmapped: UnmappedKeys { decoder?.unmapped ?? UnmappedKeys() }
    /// The lists within them that say that there is more of them.
    package var cutLists: [CutList] { decoder?.cuts.found ?? [] }
}
