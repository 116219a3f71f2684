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
        (step.fetched.rests, pages.pages) = (pages.rests, [])
        scan.note(rests: pages)
        step.fetched.requests += scan.rests.requests
        step.fetched.retries += scan.rests.retries
        step.fetched.bytes += scan.rests.bytes
        return step
    }
}
