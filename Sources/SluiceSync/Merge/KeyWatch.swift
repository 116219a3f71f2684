internal import SluiceMerge

/// Remembers the keys that a scan has read; notices keys that come more than once and pages that bring nothing new.
struct KeyWatch {
    private let isPaginated: Bool
    private var page = -1
    private var newOnPage = 0
    private var onPage = 0
    private var pageWithoutNews: Int?
    /// All keys so far.
    private(set) var seen: SeenKeys
    /// The keys that came more than once.
    private(set) var duplicates = DuplicateIndex()

    init(isPaginated: Bool, schema: RecordSchema) {
        self.isPaginated = isPaginated
        seen = SeenKeys(schema: schema)
    }

    /// Notes the records of a batch.
    mutating func look(at batch: borrowing RecordBatch, schema: RecordSchema) {
        for record in 0..<batch.count {
            let origin = batch.origins[record]
            if isPaginated && origin.page != page { turn(to: origin.page) }
            onPage &+= 1
            if seen.insert(record, of: batch, schema: schema) {
                newOnPage &+= 1
            } else {
                duplicates.note(
                    batch.key(of: record, schema: schema), hash: batch.keyHashes[record], ordinal: origin.ordinal)
            }
        }
    }

    /// Notes a record that could not be taken: it is not gone.
    mutating func note(_ key: RecordKey) { _ = seen.insert(key) }

    /// Ends the scan.
    ///
    /// - Returns: The first page behind another that had records but no new key: the pages go in a circle.
    mutating func finish() -> Int? {
        turn(to: -1)
        return pageWithoutNews
    }

    private mutating func turn(to next: Int) {
        if page > 0 && onPage > 0 && newOnPage == 0 { pageWithoutNews = pageWithoutNews ?? page }
        page = next
        newOnPage = 0
        onPage = 0
    }
}
