internal import SluiceDecode
internal import SluiceFetch

/// What a run with `commit: page` keeps together, in one transaction: a page, or a stream that is kept as a whole.
struct CommitUnit {
    /// The scan of its stream.
    let scan: StreamScan
    /// What is merged.
    let pages: FetchedPages
    /// The page's step in the scan; nil where the stream is kept as a whole.
    let step: FetchStep?
    /// Whether the run has nothing behind it.
    let isLast: Bool

    /// One page.
    init(_ step: FetchStep, of scan: StreamScan, isLastStream: Bool) {
        (self.scan, self.step) = (scan, step)
        pages = scan.pages(step)
        isLast = step.isEnd && isLastStream
    }

    /// All pages of a stream.
    init(_ pages: FetchedPages, of scan: StreamScan, isLastStream: Bool) {
        (self.scan, self.pages, isLast) = (scan, pages, isLastStream)
        step = nil
    }
}
