package import SluiceModel

/// Remembers the keys that a scan has read; notices keys that come more than once and pages that bring nothing new.
///
/// Once keys went to a file, a key counts as new unless it came since the last ones went there. So what is said to
/// repeat does repeat; but a circle of more pages than memory holds the keys of is not told as such, its records are
/// duplicates.
package struct KeyTracker {
    private let isPaginated: Bool
    /// The keys of pages that are kept, nil where the run is kept as a whole.
    private let earlier: EarlierKeys?
    /// The hashes of the keys that those pages had as well.
    package private(set) var repeated: Set<UInt64> = []
    /// The keys that they had not, each in eight bytes; none where the run is kept as a whole.
    package private(set) var words: [UInt64] = []
    private var page = -1
    private var newOnPage = 0
    private var onPage = 0
    private var pageWithoutNews: Int?
    /// How many records the first page had and how many keys, where most of them share one.
    package private(set) var crowd: (records: Int, keys: Int)?
    /// Whether the last page had records, and none with a new key.
    package private(set) var hasNoNews = false
    /// All keys so far.
    package private(set) var seen: SeenKeys
    /// The keys of records that were left out, until the end: of one that is merged as well they make no duplicate.
    private var leftOut: SeenKeys
    /// The keys that came more than once. Those of which a record went to a file are only found at the end.
    package private(set) var duplicates = DuplicateIndex()

    package init(isPaginated: Bool, schema: RecordSchema, room: SpillableHashes.Room, earlier: EarlierKeys? = nil) {
        self.isPaginated = isPaginated
        self.earlier = earlier
        seen = SeenKeys(schema: schema, room: room)
        leftOut = seen
    }

    /// Whether all keys that came more than once are known before the end.
    package var isPrompt: Bool { seen.runs == nil }

    /// Notes the records of a batch.
    ///
    /// - Throws: ``SyncError`` where the disk does not take the keys.
    package mutating func observe(_ batch: borrowing RecordBatch, schema: RecordSchema) throws {
        // Only here, so that a batch never has a key twice that is not noticed: it could not be written.
        try seen.makeRoom()
        for record in 0..<batch.count { try observe(record, of: batch, schema: schema) }
    }

    /// Notes the records of a batch some of which were decoded on their own, in the order of all.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - others: The positions of the records that were to be decoded, from the first to the last.
    ///   - decoded: Those of them that could be.
    ///   - schema: Their schema.
    /// - Throws: ``SyncError`` where the disk does not take the keys.
    package mutating func observe(
        _ batch: borrowing RecordBatch, others: [Int], in decoded: borrowing RecordBatch, schema: RecordSchema
    ) throws {
        try seen.makeRoom()
        var others = others[...]
        var next = 0
        for record in 0..<batch.count {
            if record != others.first {
                try observe(record, of: batch, schema: schema)
                continue
            }
            others.removeFirst()
            guard next < decoded.count, decoded.origins[next].ordinal == batch.origins[record].ordinal else { continue }
            try observe(next, of: decoded, schema: schema)
            next += 1
        }
    }

    @inline(__always)
    private mutating func observe(_ record: Int, of batch: borrowing RecordBatch, schema: RecordSchema) throws {
        let origin = batch.origins[record]
        if isPaginated && origin.page != page { turn(to: origin.page) }
        onPage &+= 1
        if seen.insert(record, of: batch, schema: schema) {
            if let earlier {
                if try earlier.seen.contains(record, of: batch, schema: schema) {
                    repeated.insert(batch.keyHashes[record])
                    return
                }
                words.append(KeyWord.word(record, of: batch, schema: schema))
            }
            newOnPage &+= 1
        } else {
            duplicates.record(
                batch.key(of: record, schema: schema), hash: batch.keyHashes[record], ordinal: origin.ordinal)
        }
    }

    /// Records a record that could not be taken: it is not gone.
    ///
    /// - Throws: ``SyncError`` where the disk does not take the keys.
    package mutating func record(_ key: RecordKey, schema: RecordSchema) throws {
        try seen.makeRoom()
        seen.insert(key)
        if earlier != nil { words.append(KeyWord.word(key, schema: schema)) }
    }

    /// Records a record that is listed and left out: it is not gone.
    ///
    /// - Throws: ``SyncError`` where the disk does not take the keys.
    package mutating func leaveOut(_ key: RecordKey, schema: RecordSchema) throws {
        // Those of a page are few, and go to the keys of the pages before.
        if earlier != nil { return words.append(KeyWord.word(key, schema: schema)) }
        try leftOut.makeRoom()
        leftOut.insert(key)
    }

    /// Ends the scan.
    ///
    /// - Parameter seeksDuplicates: Whether ``duplicates`` are of interest.
    /// - Returns: The first page behind another that had records but no new key: the pages go in a circle.
    /// - Throws: What reading and writing the temporary file throws.
    package mutating func finish(seeksDuplicates: Bool) throws -> Int? {
        hasNoNews = onPage > 0 && newOnPage == 0
        turn(to: -1)
        try seen.finish()
        if seeksDuplicates { try seen.runs?.forEachRepeated { duplicates.suspect($0) } }
        if !leftOut.isEmpty {
            try seen.formUnion(leftOut)
            try seen.finish()
        }
        return pageWithoutNews
    }

    private mutating func turn(to next: Int) {
        if page == 0 && earlier == nil && onPage > 1 && newOnPage * 2 <= onPage { crowd = (onPage, newOnPage) }
        if page > 0 && onPage > 0 && newOnPage == 0 { pageWithoutNews = pageWithoutNews ?? page }
        page = next
        newOnPage = 0
        onPage = 0
    }
}
