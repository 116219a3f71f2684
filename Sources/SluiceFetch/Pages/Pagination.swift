package import SluiceDecode
internal import SluiceDiagnostics
package import SluiceHTTP
internal import SluiceJSON
package import SluicePages
package import SluicePipeline
package import SluiceReport

/// Finds page after page of a stream: what to ask for first, and what next.
///
/// What is special to one `type` of `paginator` is in its ``Paginator``; here are the rules that hold for all of them.
package struct Pagination {
    /// What follows a page.
    package enum Step {
        case next(PageRequest)
        /// The page is the last one, as the paginator reads it.
        case end
        /// What follows was read before.
        case known
        /// Pages are left unread, for this reason.
        case stop(String, warning: FetchWarning? = nil)
    }

    let paginator: any Paginator
    private let stream: StreamDefinition
    private let firstRequest: PageRequest
    private let stopCheck: PageStopCheck?
    private let age: CursorAge?
    private var counts = PageCounts()
    /// Whether the reading began with the first page.
    private var isWhole = true
    /// What leads to the next page.
    private var lead = PageToken.Lead.start
    /// Whether what was followed counts: by the paginator itself, or in a link or a cursor.
    private var followedCount = false
    /// Set where a page was as full as it can be and yet said that it is the last one.
    private(set) var endedFull = false
    /// Set where the last page says itself that it is the last one.
    private(set) var saidEnd = false

    /// Begins with the URL of the stream, its own parameters included.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - url: The URL.
    ///   - showsValues: Whether messages may quote pages.
    ///   - age: Tells where the rest was read before; nil where nothing does.
    /// - Throws: ``SyncError`` where the program of `stop_when` is not one.
    package init(stream: StreamDefinition, first url: HTTPURL, showsValues: Bool, age: CursorAge? = nil) throws {
        self.stream = stream
        self.age = age
        paginator = stream.paginator.requester
        firstRequest = PageRequest(url: url, body: stream.body.map { RequestBody($0) })
        stopCheck = try stream.pageLimits.stopWhen.map {
            try PageStopCheck($0, stream: stream.name, showsValues: showsValues)
        }
    }

    // MARK: Requests

    /// The first page.
    package var start: PageRequest { request(paginator.first) }

    /// The page at a place.
    ///
    /// - Throws: ``HTTPError`` where the place is no URL.
    private func request(at lead: PageToken.Lead) throws(HTTPError) -> PageRequest {
        switch lead {
        case .start: return start
        case .value(let value): return paginator.valueParameter == nil ? start : request(value)
        case .link(let text): return request(url: try HTTPURL(text))
        }
    }

    /// The request with the page's size and another value.
    private func request(_ value: PageValue? = nil) -> PageRequest {
        var values: [(name: String, value: PageValue)] = []
        if let size = stream.pageLimits.size, let name = paginator.sizeParameter ?? stream.pageLimits.sizeParameter {
            values.append((name, PageValue(size)))
        }
        if let value, let name = paginator.valueParameter { values.append((name, value)) }
        return values.isEmpty ? firstRequest : firstRequest.setting(values, in: stream.pageLimits.place)
    }

    /// A link is followed as it stands; what is sent goes along.
    private func request(url: HTTPURL) -> PageRequest {
        var request = request()
        request.url = url
        return request
    }

    /// The pages that follow the one that ``step(after:_:name:)`` gave, unless a page says otherwise.
    ///
    /// - Parameter count: The most that are wanted.
    /// - Returns: Those before the end that the total tells; none where nothing tells where the end is.
    package func ahead(_ count: Int) -> [PageRequest] {
        let left = stream.pageLimits.maximumPages.map { min(count, $0 - counts.pages - 1) } ?? count
        var requests: [PageRequest] = []
        while requests.count < left, let value = paginator.value(ahead: requests.count + 1, counts) {
            requests.append(request(value))
        }
        return requests
    }

    // MARK: Pages

    /// What must be known of a page to find the next one.
    var needs: PageView.Needs {
        var needs = paginator.needs
        if stream.pageLimits.size != nil && paginator.endsWithoutLink { needs.insert(.count) }
        if age != nil { needs.insert(.lastRecord) }
        if stream.syncToken != nil { needs.insert(.body) }
        if stopCheck != nil { needs.formUnion(stream.format == .json ? [.body, .records] : [.records]) }
        return needs
    }

    /// Reads of a page what must be known of it.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - reading: How its records are found.
    ///   - showsValues: Whether messages may quote it.
    /// - Returns: What ``step(after:_:name:)`` takes.
    /// - Throws: ``SyncError`` where the page is no JSON.
    package func view(of page: Page, reading: RecordsReading, showsValues: Bool) throws -> PageView {
        try view(
            of: PageIndex(page, reading: reading, keeping: needs), showsValues: showsValues, parser: JSONParser())
    }

    /// Reads of a page what must be known of it.
    ///
    /// - Parameters:
    ///   - index: The page.
    ///   - showsValues: Whether messages may quote it.
    ///   - parser: What parses it; it is used for nothing else as long as the view is.
    /// - Returns: What ``step(after:_:name:)`` takes.
    /// - Throws: ``SyncError`` where the page is no JSON.
    func view(of index: PageIndex, showsValues: Bool, parser: JSONParser) throws -> PageView {
        let needs = needs
        if needs.isEmpty { return PageView() }
        var view = try PageView(index, needs, showsValues: showsValues, parser: parser)
        let further = needs.countsRecords ? [] : paginator.furtherNeeds(of: view)
        if !further.isEmpty { try view.add(index, further, showsValues: showsValues) }
        return view
    }

    /// What follows a page.
    ///
    /// - Parameters:
    ///   - head: The page's response.
    ///   - page: What it holds, as ``view(of:reading:showsValues:parser:)`` gives it.
    ///   - name: Its name for messages.
    /// - Returns: The next page, or that there is none.
    /// - Throws: ``HTTPError`` where a link cannot be followed, ``SyncError`` where `stop_when` fails.
    package mutating func step(after head: HTTPResponseHead, _ page: PageView, name: String) throws -> Step {
        counts.pages += 1
        counts.records += page.recordCount
        counts.pageRecords = page.recordCount
        counts.total = paginator.total(of: page)
        let request: PageRequest
        let received = ReceivedPage(head, page)
        switch try paginator.next(after: received, counts) {
        case .link(let url): (lead, request) = (.link(url.text), self.request(url: url))
        case .value(let value): (lead, request) = (.value(value), self.request(value))
        case .end:
            // What it says of a page that leads nowhere counts as well; where it fails, the reading has ended all the same.
            if let stopCheck, (try? stopCheck.isTrue(head, page, name: name)) == true { return stopped }
            saidEnd = paginator.saysEnd(received)
            endedFull =
                paginator.endsWithoutLink && !saidEnd && page.recordCount > 0
                && page.recordCount >= stream.pageLimits.size ?? .max
            return .end
        case .stop(let reason): return .stop(reason)
        }
        recordCount(behind: head.url)
        if age?.isOld(page) == true { return .known }
        if let limit = stream.pageLimits.maximumPages, counts.pages >= limit {
            return .stop("only \(Plural.of(limit, "page was", "pages were")) read, as `max_pages` says")
        }
        if stream.pageLimits.maximumPages == nil, counts.pages >= stream.pageLimits.mostPages {
            let warning = FetchWarning.pageLimit(counts.pages, of: stream)
            return .stop("only \(counts.pages) pages were read, the most without `max_pages`", warning: warning)
        }
        if let stopCheck, try stopCheck.isTrue(head, page, name: name) {
            return stopped
        }
        return .next(request)
    }

    /// That `stop_when` was true.
    private var stopped: Step { .stop("`stop_when` was true after \(Plural.of(counts.pages, "page"))") }

    /// Records whether what leads on from a page merely counts.
    private mutating func recordCount(behind page: HTTPURL) {
        let token = PageToken(pages: counts.pages, lead: lead)
        if token.isCounted(by: stream.paginator, after: page) { followedCount = true }
    }

    // MARK: How far it came

    /// Whether no page was read yet.
    package var isAtStart: Bool { counts.pages == 0 }

    /// Whether a record that goes while the pages are read can shift another one past the reader.
    package var canShift: Bool { followedCount && counts.pages > 1 }

    /// How many pages were read; nil where the reading began behind the first one.
    var pagesRead: Int? { isWhole ? counts.pages : nil }

    /// How many records were read; nil where they were not all counted.
    var recordsRead: Int? { paginator.countsRecords ? counts.records : nil }

    /// How many records there are, where the paginator follows that number; nil where it follows none.
    var recordTotal: Int? { paginator.countsRecords ? counts.total : nil }

    /// How many pages are still to be read, where the paginator follows their number; nil where it follows none.
    var pagesLeft: Int? { paginator.countsRecords ? nil : counts.total.map { max($0 - counts.pages, 0) } }

    /// Where the reading goes on.
    package var token: PageToken { PageToken(pages: counts.pages, records: counts.records, lead: lead) }

    /// Goes on where a reading was broken off.
    ///
    /// - Parameter token: What was ``token`` then.
    /// - Returns: The next page.
    /// - Throws: ``HTTPError`` where its link is no URL.
    package mutating func resume(at token: PageToken) throws -> PageRequest {
        (counts.pages, counts.records, lead) = (token.pages, token.records, token.lead)
        isWhole = counts.pages > 0 || lead == .start
        recordCount(behind: start.url)
        return try request(at: lead)
    }

    // MARK: The end

    /// Whether the page that was the last one still is, as an answer without a body says.
    ///
    /// - Parameters:
    ///   - head: The response, of status 304.
    ///   - known: What the page said of its version.
    ///   - pages: How many pages there were.
    /// - Returns: What is known: where the end stands in the body, only what shows that the body is the same shows it.
    package func end(unchanged head: HTTPResponseHead, known: PageValidators.Page, pages: Int) -> UnchangedEnd {
        if PageEnd(stream: stream, head: head, pages: pages).contradiction != nil { return .isNotLast }
        let end = paginator.end(unchanged: head)
        return end == .isLast && !paginator.needs.isEmpty && !known.isExact(in: head) ? .isSilent : end
    }

    /// Whether something follows the page that was the last one, which was read as a whole behind others that were not.
    ///
    /// - Parameters:
    ///   - page: Its request.
    ///   - head: Its response.
    ///   - index: What it holds.
    ///   - pages: How many pages there were, this one included.
    ///   - showsValues: Whether messages may quote it.
    /// - Returns: Whether another page follows it, or may.
    /// - Throws: ``HTTPError`` and ``SyncError`` where the page cannot be understood.
    func leadsOn(_ page: PageRequest, _ head: HTTPResponseHead, _ index: PageIndex, pages: Int, showsValues: Bool)
        throws -> Bool
    {
        let view = try view(of: index, showsValues: showsValues, parser: JSONParser())
        let outline = try PageOutline(index, body: view.body, stream: stream)
        let end = PageEnd(stream: stream, head: head, outline: outline, parameters: page.parameters, pages: pages)
        if end.contradiction != nil { return true }
        // How many records were before the page is known where its request says it.
        let before = paginator.countsRecords ? page.parameters.first { $0.name == paginator.valueParameter } : nil
        let records = (before.flatMap { Int($0.value) } ?? 0).addingReportingOverflow(view.recordCount).partialValue
        let counts = PageCounts(
            pages: pages, records: records, pageRecords: view.recordCount, total: paginator.total(of: view))
        return try paginator.next(after: ReceivedPage(head, view), counts) != .end
    }
}
