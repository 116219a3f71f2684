internal import SluiceDecode
internal import SluiceFetch
internal import SluicePages
internal import SluicePipeline
internal import SluiceStore

/// Lists within the records of pages that are kept one by one.
extension RunLoop {
    /// Completes the lists within the records of a page, while no transaction is open.
    ///
    /// - Parameters:
    ///   - step: The page.
    ///   - scan: Its scan.
    /// - Returns: The page with whole lists; its counts are those of the scan so far.
    /// - Throws: What fetching throws.
    func complete(_ step: FetchStep, _ scan: StreamScan) throws -> FetchStep {
        if scan.stream.listsWithMore.isEmpty { return step }
        var pages = FetchedPages()
        pages.pages = step.page.map { [$0] } ?? []
        try engine.complete(&pages, of: scan.stream, access, scan.reading)
        var step = step
        step.page = pages.pages.first
        (step.fetched.continuedLists, pages.pages) = (pages.continuedLists, [])
        scan.record(continuedLists: pages)
        step.fetched.requests += scan.continuedLists.requests
        step.fetched.retries += scan.continuedLists.retries
        step.fetched.bytes += scan.continuedLists.bytes
        return step
    }
}
