package import SluiceJSON
package import SluiceModel

/// Records of one page of which no more than the key was read: the store tells by their texts which of them are as they
/// were.
package struct FingerprintBatch: Sendable {
    /// The keys and the hashes of the texts; all other fields are absent.
    package var records: RecordBatch
    /// The page.
    package let page: RecordDecoder.Page
    /// Its number among all batches.
    package let number: Int
    /// One text after the other.
    private var texts: [UInt8] = []
    /// Where each text ends.
    private var ends: [Int] = []
    /// Where each of them stood in its document.
    private var offsets: [Int] = []

    /// How many records are handed over together.
    private let size: BatchSize

    package init(fieldCount: Int, page: RecordDecoder.Page, number: Int, size: BatchSize = .usual) {
        (self.number, self.size) = (number, size)
        // As many as texts of some hundred bytes fill a batch.
        records = RecordBatch(fieldCount: fieldCount, capacity: min(size.records, 128))
        self.page = page
        texts.reserveCapacity(size.textBytes + 4096)
    }

    /// Whether it is time to hand it over.
    package var isFull: Bool { records.isFull(size) || texts.count >= size.textBytes }

    /// Takes the text of the last record.
    mutating func append(textOf record: RawRecord) {
        unsafe texts.append(contentsOf: record.bytes)
        ends.append(texts.count)
        offsets.append(record.byteOffset)
    }

    /// The text of a record, as it was read, while a call lasts.
    package func withRecord<R>(_ row: Int, _ body: (RawRecord) throws -> R) rethrows -> R {
        try unsafe texts.withUnsafeBytes { all in
            let slice = unsafe all[(row == 0 ? 0 : ends[row - 1])..<ends[row]]
            let ordinal = records.origins[row].ordinal - page.firstOrdinal
            return try body(
                unsafe RawRecord(
                    bytes: UnsafeRawBufferPointer(rebasing: slice), byteOffset: offsets[row], ordinal: ordinal))
        }
    }
}
