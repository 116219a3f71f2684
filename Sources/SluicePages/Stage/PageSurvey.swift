package import SluiceDecode
internal import SluiceGzip
internal import SluiceJSON
package import SluiceModel
package import SluicePipeline
package import SluiceReport

/// What the records of a page say besides the values of fields: keys that no field takes, and values that do not fit.
package struct PageSurvey {
    /// Values of one place that could not be taken for one reason.
    package struct Misfit: Sendable, Hashable {
        /// The JSON pointer of the values within their records.
        package let pointer: String
        package let reason: Mismatch.Reason
    }

    /// How many keys of records are kept.
    private static let mostKeys = 1_000
    /// How many records of a page are looked at.
    package static let mostRecords = 10_000

    private let stream: StreamDefinition
    private let reading: RecordsReading
    private var decoder: RecordDecoder
    /// How many records were looked at that the stream's filter keeps.
    package private(set) var records = 0
    /// The keys that no field takes.
    package private(set) var keys: KeySurvey
    /// The records that a run would not write, and the first value of each kind.
    package private(set) var misfits: [Misfit: (records: Int, sample: String?)] = [:]

    /// For each field whether a record says something of it.
    private var isGiven: [Bool]
    /// The keys of the first records that have one.
    package private(set) var recordKeys: [RecordKey] = []

    /// The fields of which no record says anything, where there are records; a key is in every record.
    package var missingFields: [String] {
        recordKeys.isEmpty ? [] : zip(decoder.plan.fields, isGiven).filter { !$1 }.map(\.0.name)
    }

    /// - Parameters:
    ///   - stream: The stream.
    ///   - plan: How its records are decoded.
    ///   - maximumRecordBytes: The limit of one record.
    /// - Throws: ``SyncError`` where a program cannot be used.
    package init(_ stream: StreamDefinition, plan: DecodePlan, maximumRecordBytes: Int) throws {
        self.stream = stream
        reading = try RecordsReading(
            stream: stream, maximumRecordBytes: maximumRecordBytes, showsValues: plan.redactor == nil)
        decoder = try RecordDecoder(
            plan: plan, entriesKey: stream.entries, filter: stream.filter, deletedWhen: stream.deletedWhen)
        keys = KeySurvey(plan)
        isGiven = Array(repeating: false, count: plan.fields.count)
    }

    /// Looks at the records of a page.
    ///
    /// - Throws: What reading a page throws.
    package mutating func read(_ page: Page) throws {
        do {
            let source = try PageBytes(page)
            let reader = try reading.makeReader(of: source, page)
            let place = RecordDecoder.Page(fileStem: page.fileStem, partition: page.partition, lists: page.lists)
            while records < Self.mostRecords, let record = try reader.next() { add(record, place) }
        } catch var error as JSONError {
            if decoder.plan.redactor != nil { error.found = nil }
            throw unreadable(page, error.advice)
        } catch let error as GzipError {
            throw unreadable(page, error.message + ".")
        }
    }

    private func unreadable(_ page: Page, _ reason: String) -> SyncError {
        SyncError(.invalidDocument, "\(page.name) of the stream `\(stream.name)` cannot be read: \(reason)")
    }

    private mutating func add(_ record: RawRecord, _ page: RecordDecoder.Page) {
        var batch = RecordBatch(fieldCount: decoder.plan.fields.count)
        var parts = decoder.emptyNested
        let filtered = decoder.filteredCount
        decoder.failures = []
        let failure = decoder.decode(record, page: page, into: &batch, parts: &parts)
        if decoder.filteredCount > filtered { return }
        records += 1
        // A run is content with the first that does not fit.
        for failure in decoder.failures.flatMap({ $0.isEmpty ? nil : $0 }) ?? [failure].compactMap({ $0 }) {
            let misfit = Misfit(pointer: failure.pointer, reason: failure.reason)
            misfits[misfit, default: (0, failure.value)].records += 1
        }
        if let failure {
            recordFields(ofRefused: failure)
        } else if !batch.deleted.contains(0) {
            // What is deleted need not say more than its key.
            recordFields(of: batch)
        }
        if let document = try? JSONDocument(record.copy) { keys.add(document.root) }
    }

    /// A record that a run would not write may be refused for just the field that it says nothing of.
    private mutating func recordFields(ofRefused failure: DecodeFailure) {
        guard let key = failure.key else { return }
        for field in isGiven.indices where decoder.mayGive(field) { isGiven[field] = true }
        if recordKeys.count < Self.mostKeys { recordKeys.append(key) }
    }

    private mutating func recordFields(of batch: borrowing RecordBatch) {
        // A default counts: the field has a value, and nobody knows any more which record it was first assumed for.
        for field in isGiven.indices where batch.cells[field].kind != .absent { isGiven[field] = true }
        if recordKeys.count < Self.mostKeys { recordKeys.append(batch.key(of: 0, schema: decoder.plan.schema)) }
    }
}
