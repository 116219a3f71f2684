internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluicePages
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

/// Notices that the pages of a stream repeat themselves: by their requests, by their bytes, by their records, or because page
/// after page has none.
struct PageRepetition {
    /// A page that was read.
    struct ReadPage {
        let answer: PageAnswer
        let index: PageIndex
        /// What it lists, where that was counted.
        let outline: PageOutline?
        /// Whether it is an answer without content.
        let isEmpty: Bool
    }

    /// A source that filters may give some pages without a record; more of them are a circle.
    private static let mostBarePages = 100

    private let stream: StreamDefinition
    /// The key of the pipeline that says how one page leads to the next.
    private let paginatorKey: String
    /// The digests of the requests that were made.
    private(set) var requests: Set<UInt64>
    /// The digests of the pages that led on.
    private var bodies: Set<UInt64> = []
    private var barePagesInARow = 0
    private var circle: PageCircle

    /// - Parameters:
    ///   - stream: The stream.
    ///   - start: Where the reading begins.
    ///   - keys: The paths to what identifies a record; none where its whole text does.
    ///   - reading: How the records of pages are found.
    init(_ stream: StreamDefinition, start: PageStart, keys: [JSONPath], reading: RecordsReading) {
        self.stream = stream
        paginatorKey = start.paginatorKey
        requests = start.requests
        // What changed may come again with what became of it since, but not as it was.
        circle = PageCircle(keys: stream.syncToken == nil ? keys : [], reading: reading)
    }

    /// Records a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - shownURL: Its URL without secrets.
    /// - Throws: ``SyncError`` where it was made before.
    mutating func record(_ request: PageRequest, shownURL: @autoclosure () throws -> String) throws {
        if requests.insert(request.digest).inserted { return }
        throw SyncError(
            .paginationLoop,
            "The pages of the stream `\(stream.name)` lead in a circle: \(try shownURL()) was fetched before. \(cause), or \(paginatorKey) does not fit the source."
        )
    }

    /// Records a page that leads on.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - isKept: Whether pages are kept until all of them are read; those that are merged one by one are compared with all that
    ///     was merged.
    /// - Returns: Whether it lists no record.
    /// - Throws: ``SyncError`` where it brings nothing new; `SystemError` where it cannot be read.
    mutating func record(_ page: ReadPage, isKept: Bool) throws -> Bool {
        let (name, isBare) = (page.answer.name, try isBare(page))
        barePagesInARow = try isBare || circle.isKeyless(page.index) ? barePagesInARow + 1 : 0
        let isLimited = stream.pageLimits.maximumPages != nil
        if barePagesInARow >= Self.mostBarePages, !isLimited {
            let kind = isBare ? "" : " that has its identifier"
            throw repetition(
                "\(name) is the \(barePagesInARow)th page in a row without a record\(kind) (`max_pages` allows more), and leads on"
            )
        }
        // Pages without content are alike, and prove nothing.
        if page.isEmpty { return isBare }
        if !bodies.insert(page.answer.digest).inserted {
            throw repetition("\(name) is the same as a page before it, and leads on")
        }
        if isLimited { return isBare }
        if isKept, let closing = try circle.closing(with: page.index) {
            throw closing.sharesKeys ? sharedKeys(name, closing) : oldRecords(name)
        }
        // Records that change may come again, so that what was merged says nothing of a list of changes.
        if !isKept, stream.syncToken != nil, try circle.repeats(page.index) { throw oldRecords(name) }
        return isBare
    }

    /// Checks a page that nothing follows: a source that does not know what asks for pages gives one page again and again.
    ///
    /// - Parameter page: The page.
    /// - Throws: ``SyncError`` where it is one that was read before, with records; `SystemError` where it cannot be read.
    func checkLast(_ page: ReadPage) throws {
        // Where pages lead on by themselves, the source knows of each what asks for it.
        guard stream.paginator.rule.isCounted, !page.isEmpty, bodies.contains(page.answer.digest) else { return }
        if try !isBare(page) { throw repetition("\(page.answer.name) is the same as a page before it") }
    }

    /// Whether a page lists no record; where records are picked out of it, that none was picked says nothing.
    ///
    /// - Parameter page: The page.
    /// - Returns: False where its text is wrong, which decoding says better.
    /// - Throws: `SystemError` where the page cannot be read.
    func isBare(_ page: ReadPage) throws -> Bool {
        if page.isEmpty { return true }
        if stream.mayPickNothing { return false }
        if let outline = page.outline, outline.isList { return outline.recordCount == 0 }
        do {
            if try page.index.firstRecord() != nil { return false }
            return try !stream.isSearched || PageOutline(page.index, stream: stream).recordCount == 0
        } catch let error as SystemError {
            throw error
        } catch {
            return false
        }
    }

    private func repetition(_ reason: String) -> SyncError {
        SyncError(
            .paginationLoop,
            "The pages of the stream `\(stream.name)` repeat themselves: \(reason). \(cause), or \(paginatorKey) does not fit the source."
        )
    }

    private func oldRecords(_ page: String) -> SyncError {
        repetition("\(page) has no record that an earlier page did not have (`max_pages` allows that), and leads on")
    }

    /// What makes the pages come again, as the beginning of a sentence.
    private var cause: String {
        let clause = stream.paginator.rule.causeOfRepetition
        return clause.prefix(1).uppercased() + clause.dropFirst()
    }

    private func sharedKeys(_ page: String, _ closing: PageCircle.Closing) -> SyncError {
        SyncError(
            .paginationLoop,
            "The \(closing.records) records of \(page) have \(Plural.of(closing.distinct, "identifier")), which an earlier page has as well, so `primary_key` of `\(stream.entity)` may not identify records. Choose another `primary_key`; where it is right, since the same few records stand beside others on each page, say how many pages there may be (`max_pages` of `paginator`)."
        )
    }
}
