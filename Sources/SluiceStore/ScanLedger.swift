/// How far scans of streams came that were broken off, and what they saw.
///
/// Nothing of it is left once a scan has come to its end.
package protocol ScanLedger: AnyObject {
    /// The scan of a stream that was broken off; nil where there is none.
    func unfinished(pipeline: String, stream: String) throws -> UnfinishedScan?

    /// What the pages of such a scan left behind, page after page in the order in which they were kept.
    func forEachPage(pipeline: String, stream: String, _ body: (ScannedPage) throws -> Void) throws

    /// Keeps how far a scan has come.
    ///
    /// - Parameters:
    ///   - scan: The scan, with the page.
    ///   - page: What its last page left behind.
    ///   - pipeline: The pipeline.
    ///   - stream: Its stream.
    /// - Throws: ``StoreError``.
    func keep(_ scan: UnfinishedScan, page: ScannedPage, pipeline: String, stream: String) throws

    /// Forgets the scan of a stream, or of all streams of a pipeline where `stream` is nil.
    func forget(pipeline: String, stream: String?) throws
}

/// A scan that has not come to its end.
package struct UnfinishedScan: Sendable, Equatable {
    /// The run that read the last page so far.
    package var run: Int64
    /// How many pages were merged.
    package var pages: Int
    /// All else that the next page has to know, as whoever scans wrote it.
    package var state: String

    /// Makes a scan.
    package init(run: Int64, pages: Int, state: String) {
        self.run = run
        self.pages = pages
        self.state = state
    }
}

/// What a page of a scan leaves behind, each in eight bytes.
package struct ScannedPage: Sendable, Equatable {
    /// The digest of the request that brought it.
    package var request: UInt64
    /// The keys of its records: integers as they are, else their hashes.
    package var keys: [UInt64]
    /// The entries in quarantine of its records.
    package var quarantined: [Int64]

    /// Makes a page.
    package init(request: UInt64, keys: [UInt64], quarantined: [Int64]) {
        self.request = request
        self.keys = keys
        self.quarantined = quarantined
    }
}
