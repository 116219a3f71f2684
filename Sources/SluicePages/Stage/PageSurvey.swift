package import SluiceDecode
internal import SluiceGzip
internal import SluiceJSON
internal import SluiceModel
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

    /// - Parameters:
    ///   - stream: The stream.
    ///   - plan: How its records are decoded.
    ///   - maximumRecordBytes: The limit of one record.
    /// - Throws: ``SyncError`` where a program cannot be used.
    package init(_ stream: StreamDefinition, plan: DecodePlan, maximumRecordBytes: Int) throws {
        self.stream = stream
        reading = try RecordsReading(
            stream: stream, maximumRecordBytes: maximumRecordBytes, showsValues: plan.veil == nil)
        decoder = try RecordDecoder(
            plan: plan, entriesKey: stream.entries, filter: stream.filter, deletedWhen: stream.deletedWhen)
        keys = KeySurvey(plan)
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
            if decoder.plan.veil != nil { error.found = nil }
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
        var parts = decoder.emptyParts
        let filtered = decoder.filteredCount
        let failure = decoder.decode(record, page: page, into: &batch, parts: &parts)
        if decoder.filteredCount > filtered { return }
        records += 1
        if let failure {
            let misfit = Misfit(pointer: failure.pointer, reason: failure.reason)
            misfits[misfit, default: (0, failure.value)].records += 1
        }
        if let document = try? JSONDocument(record.copy) { keys.add(document.root) }
    }
}
