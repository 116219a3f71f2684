package import SluiceDecode
package import SluicePages

/// What one request brought to a reading that is kept page by page.
package struct FetchStep: Sendable {
    /// The page; nil where the answer had no content.
    package var page: Page?
    /// What was fetched so far, but for the pages.
    package var fetched: FetchedPages
    /// Whether nothing comes behind it.
    package var isEnd: Bool
    /// Where the reading goes on, with its secrets hidden; nil at the end, and where it cannot be kept.
    package var token: PageToken?
    /// The digest of the request.
    package var request: UInt64
    /// Whether no page behind it was asked for before it came.
    package var isAlone = true

    /// How a reading is told page by page.
    package struct Reader {
        var onStep: (FetchStep) throws -> Void
    }
}
