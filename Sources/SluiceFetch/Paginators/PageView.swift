package import SluiceDecode
internal import SluiceGzip
internal import SluiceJSON
internal import SluicePages
internal import SluicePipeline
internal import SluiceReport

/// What a paginator sees of a page, as far as it needs it.
package struct PageView {
    /// What is needed.
    package struct Needs: OptionSet {
        package let rawValue: Int

        /// Makes needs of their bits.
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The body as a value.
        static let body = Needs(rawValue: 1)
        /// How many records there are.
        static let count = Needs(rawValue: 2)
        /// The last record.
        static let lastRecord = Needs(rawValue: 4)
        /// Every record.
        static let records = Needs(rawValue: 8)

        /// Whether the records are counted, for whatever reason.
        var countsRecords: Bool { !isDisjoint(with: [.count, .lastRecord, .records]) }
    }

    package private(set) var body: PageBody?
    package private(set) var recordCount = 0
    package private(set) var lastRecord: PageBody?
    /// The records as a JSON array.
    private(set) var recordsJSON: [UInt8] = Array("[]".utf8)

    /// A page without content.
    package init() {}

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - index: The page.
    ///   - needs: What of it is wanted.
    ///   - showsValues: Whether messages may quote it.
    ///   - parser: What parses the body; it is not used for anything else as long as the view is.
    /// - Throws: ``SyncError`` where it is no JSON.
    init(_ index: PageIndex, _ needs: Needs, showsValues: Bool, parser: JSONParser) throws {
        try add(index, needs, showsValues: showsValues, parser: parser)
    }

    /// Reads more of a page.
    mutating func add(
        _ index: PageIndex, _ needs: Needs, showsValues: Bool, parser: JSONParser = JSONParser()
    ) throws {
        let page = index.page
        do {
            if needs.contains(.body) {
                let bytes = try PageBytes(page).all(maximum: JSONParser.maximumByteCount, page.name)
                body = try PageBody(bytes, showsValues: showsValues, parser: parser)
            }
            if needs.countsRecords {
                let records = try index.records()
                (recordCount, recordsJSON) = (records.count, records.json)
                if !records.last.isEmpty { lastRecord = try PageBody(records.last, showsValues: showsValues) }
            }
        } catch var error as JSONError {
            if !showsValues { error.found = nil }
            throw Self.unreadable(page, error.advice)
        } catch let error as GzipError {
            throw Self.unreadable(page, error.message + ". Compress or fetch it again.")
        }
    }

    private static func unreadable(_ page: Page, _ reason: String) -> SyncError {
        SyncError(.invalidDocument, "\(page.name) cannot be read: \(reason)")
    }
}
