package import SluiceJSON
package import SluiceModel

/// Records of one page of which no more than the key was read: the store tells by their texts which of them are as they
/// were.
package struct GlancedBatch: Sendable {
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

    package init(fieldCount: Int, page: RecordDecoder.Page, number: Int) {
        self.number = number
        records = RecordBatch(fieldCount: fieldCount)
        self.page = page
        texts.reserveCapacity(Self.usualBytes)
    }

    /// Small enough for the C library to keep the memory for the next batch.
    private static let usualBytes = 96 << 10

    /// Whether it is time to hand it over.
    package var isLarge: Bool { records.isLarge || texts.count >= Self.usualBytes - 4096 }

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
