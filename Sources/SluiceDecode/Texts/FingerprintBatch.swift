package import SluiceJSON
package import SluiceModel
package import SluiceStore

/// Records of one page of which no more than the key was read: their texts tell which of them are as they were.
package struct FingerprintBatch: Sendable {
    /// The keys and the hashes of the texts; all other fields are absent.
    package var records: RecordBatch
    /// The page.
    package let page: RecordDecoder.Page
    /// Its number among all batches.
    package let number: Int
    /// What was found of the first records when their texts were read, as far as the marks of these were there.
    package private(set) var found = TextLookup()
    /// How many records these are: the store is to be asked for the others.
    package private(set) var comparedCount = 0
    /// What was decoded of those that are not as they were; nil where not all were compared.
    package var changes: DecodedChanges?
    /// One text after the other, of the records that may have to be decoded.
    private var texts: [UInt8] = []
    /// Where each text ends.
    private var ends: [Int] = []
    /// Where each of them stood in its document.
    private var offsets: [Int] = []
    /// The bytes of all texts.
    private var byteCount = 0

    /// How many records are handed over together.
    private let size: BatchSize

    package init(fieldCount: Int, page: RecordDecoder.Page, number: Int, size: BatchSize = .usual) {
        (self.number, self.size) = (number, size)
        // As many as texts of some hundred bytes fill a batch.
        records = RecordBatch(fieldCount: fieldCount, capacity: min(size.records, 128))
        self.page = page
    }

    /// Whether all records were compared when they were read.
    package var isCompared: Bool { comparedCount == records.count }

    /// Whether it is time to hand it over, which is the same whether records were compared or not.
    package var isFull: Bool { records.isFull(size) || byteCount >= size.textBytes }

    /// Takes the last record, of which only the key was read.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - hash: The hash of its text.
    ///   - reader: What reads the keys.
    ///   - marks: Compares its text, if the marks are there.
    mutating func append(
        textOf record: RawRecord, hash: UInt64, by reader: FingerprintReader, _ marks: inout TextsInOrder
    ) {
        records.textFingerprints.append(hash: hash)
        byteCount += record.byteCount
        offsets.append(record.byteOffset)
        if compareLast(hash, by: reader, &marks) {
            if texts.isEmpty && !isCompared { texts.reserveCapacity(size.textBytes + 4096) }
            unsafe texts.append(contentsOf: record.bytes)
        }
        ends.append(texts.count)
    }

    /// Compares the last record if all before it were compared.
    ///
    /// - Returns: Whether its text is needed.
    private mutating func compareLast(_ hash: UInt64, by reader: FingerprintReader, _ marks: inout TextsInOrder) -> Bool
    {
        let last = records.count - 1
        guard comparedCount == last, let key = reader.integerKey(of: last, in: records) else { return true }
        switch marks.find(key, hash: hash) {
        case .untold: return true
        case .known:
            comparedCount += 1
            return marks.takeNews(of: last, partCount: reader.partCount, into: &found.within)
        case .other:
            comparedCount += 1
            found.others.append(last)
            return true
        }
    }

    /// The records that were not compared, for the store to tell of them.
    package var uncompared: RecordBatch {
        var others = RecordBatch(fieldCount: records.fieldCount, capacity: records.count - comparedCount)
        for record in comparedCount..<records.count {
            others.append(record, of: records)
            others.textFingerprints.append(hash: records.textFingerprints.hashes[record])
        }
        return others
    }

    /// The text of a record that may have to be decoded, as it was read, while a call lasts.
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
