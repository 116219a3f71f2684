internal import SluiceDecode
internal import SluiceJSON
internal import SluicePages

/// What one scan of a page finds: how many records it has, where they stand, the first and the last one.
///
/// The page is scanned when somebody first asks, and never again: whoever finds the next page, looks for signs of further
/// ones or compares pages reads the same index.
final class PageIndex {
    /// A record's text.
    struct Record {
        let bytes: [UInt8]
        /// The name of the member whose value it is; nil for an element of an array or a whole document.
        let member: String?

        init(_ record: RawRecord) { (bytes, member) = (record.copy, record.member) }
    }

    /// The records of a page.
    struct Records {
        /// How many there are.
        fileprivate(set) var count = 0
        /// How many the page lists; nil where the page is one record.
        fileprivate(set) var listed: Int?
        /// Where they stand, from the first byte of any to the last byte of any; nil where there is none.
        fileprivate(set) var range: Range<Int>?
        fileprivate(set) var first: Record?
        /// The text of the last one, where it is kept.
        fileprivate(set) var last: [UInt8] = []
        /// All of them as a JSON array, where they are kept.
        fileprivate(set) var json: [UInt8] = []
    }

    let page: Page
    private let reading: RecordsReading
    private let needs: PageView.Needs
    private var scanned: Result<Records, any Error>?
    /// The first record, where it was read without the others.
    private var begun: Record??
    /// Whether the page was read to its end.
    var isScanned: Bool { scanned != nil }

    /// - Parameters:
    ///   - page: The page.
    ///   - reading: How its records are found.
    ///   - needs: What of them is kept.
    init(_ page: Page, reading: RecordsReading, keeping needs: PageView.Needs) {
        (self.page, self.reading, self.needs) = (page, reading, needs)
    }

    /// All that is known of the records.
    ///
    /// - Throws: What reading the page throws, each time.
    func records() throws -> Records {
        if let scanned { return try scanned.get() }
        let result = Result { try scan() }
        scanned = result
        return try result.get()
    }

    /// The first record; where the page was not scanned, no more than that is read.
    ///
    /// - Returns: Nil where there is none.
    /// - Throws: What reading the page throws.
    func firstRecord() throws -> Record? {
        if let scanned { return try scanned.get().first }
        if let begun { return begun }
        let reader = try reading.makeReader(of: PageBytes(page), page)
        let first = try reader.next().map { Record($0) }
        begun = .some(first)
        return first
    }

    private func scan() throws -> Records {
        var records = Records()
        let reader = try reading.makeReader(of: PageBytes(page), page)
        records.json.append(UInt8(ascii: "["))
        while let record = try reader.next() {
            if records.count == 0 { records.first = Record(record) }
            let (start, end) = (record.byteOffset, record.byteOffset + record.byteCount)
            // A path may find records in another order than that of the page.
            records.range = min(records.range?.lowerBound ?? start, start)..<max(records.range?.upperBound ?? end, end)
            if needs.contains(.records) {
                if records.count > 0 { records.json.append(UInt8(ascii: ",")) }
                records.json += record.copy
            }
            if needs.contains(.lastRecord) { records.last = record.copy }
            records.count += 1
        }
        records.json.append(UInt8(ascii: "]"))
        records.listed = reader.recordCount
        return records
    }
}
