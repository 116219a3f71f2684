internal import SluiceDecode
internal import SluiceModel
internal import SluicePages
internal import SluiceReport
internal import SluiceStore

/// Gives records that were kept in quarantine, decoded again, as the decode stage gives those of pages.
final class RetryStage: RecordStage {
    private var decoder: KeptRecordDecoder
    private let ids: [Int64]
    private let ledger: any QuarantineLedger
    private let stream: String
    private var position = 0
    private var bytes = 0
    private var batch: RecordBatch
    private var parts: [NestedBatch]
    /// What goes out after the batch before it.
    private var waiting: DecodeOutput?
    private var hasEnded = false

    /// - Parameters:
    ///   - decoder: Decodes the records.
    ///   - ids: The numbers of their entries, in the order in which they are given.
    ///   - ledger: Where they are kept.
    ///   - stream: The stream's name, for messages.
    init(
        _ decoder: KeptRecordDecoder, ids: [Int64], ledger: any QuarantineLedger, stream: String
    ) {
        self.decoder = decoder
        self.ids = ids
        self.ledger = ledger
        self.stream = stream
        batch = RecordBatch(fieldCount: decoder.fieldCount)
        parts = decoder.emptyNested
    }

    func start() {}
    func stop() { hasEnded = true }

    func texts(at ordinals: Set<Int>) throws -> [Int: RecordText] {
        var texts: [Int: RecordText] = [:]
        for ordinal in ordinals where ids.indices.contains(ordinal) {
            guard let entry = try ledger.entry(id: ids[ordinal]) else { continue }
            texts[ordinal] = RecordText(
                bytes: entry.record, page: "the quarantine", number: Int(ids[ordinal]), line: nil, pointer: nil)
        }
        return texts
    }

    func next() -> DecodeOutput? {
        if hasEnded { return nil }
        if let output = waiting {
            waiting = nil
            return output
        }
        do {
            return try read()
        } catch {
            hasEnded = true
            return .error(error)
        }
    }

    private func read() throws -> DecodeOutput {
        while position < ids.count {
            guard let entry = try ledger.entry(id: ids[position]) else {
                throw SyncError(
                    .miscounted, "Record \(ids[position]) left the quarantine by itself. This is a bug in sluice.")
            }
            bytes += entry.record.count
            position += 1
            switch decoder.decode(entry, ordinal: position - 1, into: &batch, parts: &parts) {
            case .taken: if batch.isFull() { return flush() }
            case .filtered: break
            case .failed(let failure):
                if let end = failure.runEnd {
                    let place = "Record \(ids[position - 1]) in quarantine, of the stream `\(stream)`"
                    throw end.error(at: place, failure)
                }
                return flush(before: .failures([failure]))
            case .refused(let reason):
                throw SyncError(
                    .miscounted,
                    "Record \(ids[position - 1]) in quarantine was tried: \(reason) This is a bug in sluice.")
            }
        }
        return flush(before: .end(filtered: decoder.filteredCount, bytes: bytes))
    }

    /// Hands the batch over, and something else behind it.
    private func flush(before next: DecodeOutput) -> DecodeOutput {
        if batch.count == 0 { return next }
        waiting = next
        return flush()
    }

    private func flush() -> DecodeOutput {
        let full = batch
        let fullParts = parts
        batch = RecordBatch(fieldCount: full.fieldCount)
        parts = decoder.emptyNested
        return .batch(full, parts: fullParts)
    }
}
