internal import Dispatch
package import SluiceDecode
internal import SluiceGzip
internal import SluiceJSON
internal import SluiceModel
package import SluicePipeline
internal import SluiceReport
package import SluiceStore
package import SluiceSystem

/// Decodes the pages of a stream on a thread of its own, a few batches ahead of whoever takes them.
package final class DecodeStage: RecordStage, Sendable {
    private let queue = BoundedQueue<DecodeOutput>(capacity: FingerprintPace.queueCapacity)
    package let pages: [Page]
    package let stream: StreamDefinition
    package let maximumRecordBytes: Int
    package let plan: DecodePlan
    private let tools: DecodeTools
    package let cancellation: Cancellation
    /// Where records may be known by their texts: whether to look at no more than their keys at first.
    package let pace: FingerprintPace?
    /// The marks of texts as they were, which are read beside the run; nil where these are not.
    private let marks: TextsBeside?
    /// How many records are handed over together.
    private let size: BatchSize

    package init(
        pages: [Page], stream: StreamDefinition, maximumRecordBytes: Int, plan: DecodePlan, tools: DecodeTools,
        cancellation: Cancellation, pace: FingerprintPace? = nil, marks: TextsBeside? = nil, size: BatchSize = .usual
    ) {
        self.tools = tools
        self.pace = pace
        self.marks = marks
        self.size = size
        self.pages = pages
        self.stream = stream
        self.maximumRecordBytes = maximumRecordBytes
        self.plan = plan
        self.cancellation = cancellation
    }

    /// Starts the thread; ``next()`` gives what it makes until `end` or `error`.
    package func start() {
        DispatchQueue(label: "sluice.decode").async { [self] in
            Niceness.hold()
            do {
                try tools.lend(to: self) { decoder, reading in
                    var producer = BatchProducer(stage: self, decoder: decoder, reading: reading)
                    try producer.run()
                }
            } catch {
                _ = queue.push(.error(error))
            }
            queue.close()
        }
    }

    /// The next output, waiting for it; nil after the last one.
    package func next() -> DecodeOutput? { queue.pop() }

    /// Ends the stage early.
    package func stop() { queue.close() }

    /// Reads pages and fills batches; its state stays in this value, out of reach of other threads.
    private struct BatchProducer {
        let stage: DecodeStage
        private var decoder: RecordDecoder
        private let reading: RecordsReading
        private let fingerprintReader: FingerprintReader?
        /// Compares what it reads.
        private var marks: TextsInOrder
        /// Decodes what has changed.
        private var changed: ChangedRecords
        private var batch: RecordBatch
        private var parts: [NestedBatch]
        /// The records since the batch began that could not be decoded.
        private var failures: [DecodeFailure] = []
        private var fingerprinted: FingerprintBatch?
        /// The number of the batch that is filled, and whether its records are compared by fingerprints.
        private var turn = (number: 0, usesFingerprints: false)
        /// Whether the batch of the last number was handed over, so that the next one gets its own.
        private var needsTurn = true
        private var records = 0
        private var bytes = 0

        init(stage: DecodeStage, decoder: RecordDecoder, reading: RecordsReading) {
            self.stage = stage
            self.decoder = decoder
            self.reading = reading
            fingerprintReader = stage.pace.flatMap { _ in FingerprintReader(plan: stage.plan) }
            marks = TextsInOrder(stage.marks)
            changed = ChangedRecords(plan: stage.plan, stream: stage.stream)
            batch = RecordBatch(fieldCount: stage.plan.fields.count)
            parts = decoder.emptyNested
        }

        mutating func run() throws {
            for (number, page) in stage.pages.enumerated() {
                do {
                    if try !read(page, number: number) { return }
                } catch var error as JSONError {
                    // A record before it, of which only the key was read, may be the first that is broken.
                    if try !flushFingerprints() { return }
                    if stage.plan.redactor != nil { error.found = nil }
                    throw unreadable(page, error.advice)
                } catch let error as GzipError {
                    throw unreadable(page, error.message + ". Compress or fetch it again.")
                }
            }
            if !flush() { return }
            var unmapped = decoder.unmapped
            unmapped.formUnion(changed.unmapped)
            let cuts = decoder.cuts.found
            _ = stage.queue.push(
                .end(
                    filtered: decoder.filteredCount, bytes: bytes, unmapped: unmapped,
                    cutLists: cuts + changed.cutLists.filter { !cuts.contains($0) }))
        }

        private func unreadable(_ page: Page, _ reason: String) -> SyncError {
            SyncError(
                .invalidDocument,
                "\(page.name) of the stream `\(stage.stream.name)` cannot be read: \(reason)")
        }

        /// Reads one page; false where nobody waits for more.
        private mutating func read(_ page: Page, number: Int) throws -> Bool {
            let source = try PageBytes(page)
            let reader = try reading.makeReader(of: source, page)
            let before = records
            let filters = stage.plan.partitionCursors
            let cursor = filters.isEmpty ? nil : page.partition.flatMap { filters[$0.key] }
            let place = RecordDecoder.Page(
                number: number, name: page.name, firstOrdinal: before, fileStem: page.fileStem,
                partition: page.partition,
                cursor: cursor, textSeed: stage.plan.textSeed(of: page), lists: page.lists)
            while let record = try reader.next() {
                records = before + record.ordinal + 1
                if let isTaken = try readFingerprint(of: record, place) {
                    if !isTaken { return false }
                    continue
                }
                if let failure = decoder.decode(record, page: place, into: &batch, parts: &parts) {
                    if let end = failure.runEnd {
                        throw end.error(at: whereabouts(of: record, page, reader), failure)
                    }
                    // A line of its own may be broken alone; a document with such a fault in it is none.
                    if let fault = failure.syntaxError, stage.stream.format == .json {
                        throw reader.located(fault, in: record)
                    }
                    failures.append(failure)
                }
                let isFull =
                    batch.isFull(stage.size) || failures.count >= stage.size.records
                    || decoder.leftOut.count >= stage.size.records
                    || isAnyPartFull
                if isFull, !flush() { return false }
            }
            if try !flushFingerprints() { return false }
            bytes += source.byteCount
            if !reader.pathWasFound {
                throw SyncError.noRecords(
                    in: page, "\(page.name) of the stream `\(stage.stream.name)`", at: stage.stream.records,
                    showsValues: stage.plan.redactor == nil, consequence: "Check `records`.")
            }
            return true
        }

        /// Whether it is time to hand over what stands within the records. A closure would be given a copy of each part.
        private var isAnyPartFull: Bool {
            for part in parts.indices where parts[part].records.isFull(stage.size) { return true }
            return false
        }

        /// Reads the fingerprint of a record: whether somebody waits for more, or nil where it is to be decoded.
        private mutating func readFingerprint(of record: RawRecord, _ page: RecordDecoder.Page) throws -> Bool? {
            guard let fingerprintReader else { return nil }
            if fingerprinted == nil {
                if needsTurn { takeTurn() }
                if !turn.usesFingerprints { return nil }
                // Records keep their order.
                if batch.count > 0 {
                    if !flush() { return false }
                    takeTurn()
                    if !turn.usesFingerprints { return nil }
                }
                fingerprinted = FingerprintBatch(
                    fieldCount: stage.plan.fields.count, page: page, number: turn.number, size: stage.size)
            }
            switch fingerprintReader.accept(record, into: &fingerprinted, comparing: &marks) {
            case .unread: return try flushFingerprints() ? nil : false
            case .taken: return true
            case .full: return try flushFingerprints()
            }
        }

        private mutating func takeTurn() {
            if let next = stage.pace?.begin() { turn = next }
            needsTurn = false
        }

        /// Where a record stands, as in "books.json of the stream `books`, record 2 in line 5".
        private func whereabouts(of record: RawRecord, _ page: Page, _ reader: JSONRecordReader) -> String {
            let start = reader.located(JSONError(code: .internal, message: "", byteOffset: 0), in: record)
            let line = stage.stream.recordsProgram == nil ? start.line.map { " in line \($0)" } ?? "" : ""
            return "\(page.name) of the stream `\(stage.stream.name)`, record \(record.ordinal + 1)\(line)"
        }

        /// Hands over the records of which only the keys were read and, where all were compared, what was decoded of those that are
        /// not as they were.
        private mutating func flushFingerprints() throws -> Bool {
            guard var full = fingerprinted else { return true }
            fingerprinted = nil
            if full.records.count == 0 { return true }
            needsTurn = true
            marks.endBatch(isCompared: full.isCompared)
            if full.isCompared { full.changes = try changed.decode(full.found.others, of: full) }
            return !stage.cancellation.isCancelled && stage.queue.push(.fingerprinted(full))
        }

        /// Hands over the records that were decoded, and behind them those that could not be and those that were left out.
        private mutating func flush() -> Bool {
            var outputs: [DecodeOutput] = []
            if batch.count > 0 {
                outputs.append(.batch(batch, parts: parts))
                batch = RecordBatch(fieldCount: batch.fieldCount, capacity: stage.size.records)
                parts = decoder.emptyNested
                needsTurn = true
            }
            if !failures.isEmpty {
                outputs.append(.failures(failures))
                failures = []
            }
            if !decoder.leftOut.isEmpty { outputs.append(.leftOut(decoder.takeLeftOut())) }
            return outputs.allSatisfy { !stage.cancellation.isCancelled && stage.queue.push($0) }
        }
    }
}
